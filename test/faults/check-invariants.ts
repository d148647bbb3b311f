import { chainProblems } from './chains.ts';
import { alertProblems, isAlert } from './check-alerts.ts';
import { clickProblems, lostVotes } from './check-clicks.ts';
import { type Fate, fateOf, fateProblem, policyProblems, undecidedOrders } from './check-decisions.ts';
import { directMessageProblems } from './check-direct-messages.ts';
import { orderProblems } from './check-order.ts';
import { type Evidence, isUnconfirmed, isUnheard, type Posted } from './evidence.ts';
import { eventOf, type RequestStory, requestStories } from './request-story.ts';
import type { Scenario as WholeScenario } from './scenario.ts';

/** The part of a scenario that the invariants are about. */
type Scenario = Pick<WholeScenario, 'isRoot' | 'formsTaken' | 'isStuck' | 'clicks' | 'sentAgain'> & {
  crewChannel: Pick<WholeScenario['crewChannel'], 'crew' | 'channelId' | 'policy'> & { maria: { id: string } };
  plan: Pick<WholeScenario['plan'], 'topic'>;
};

/** The fate of a scenario's decisions, what else happened, and each violated invariant in a sentence. */
export interface Findings {
  /** Complete ones that weren't undone. */
  decisions: number;
  delivered: number;
  /** Not known to be delivered; the card says so and offers a way on. */
  undelivered: number;
  lost: number;
  doubled: number;
  /** Those of more than one that are needed. */
  votes: number;
  undone: number;
  refused: number;
  /** Reminders and escalations in Slack. */
  reminders: number;
  expired: number;
  violations: string[];
}

/**
 * Checks a scenario that has settled: what people did, the messages in Slack, the requests that the crew received, and the
 * ledger must agree.
 */
export function checkInvariants(all: Evidence, scenario: Scenario): Findings {
  const evidence = evidenceOf(all, scenario);
  const stories = requestStories(evidence.chains);
  const decisions = stories.flatMap((story) => story.decisions);
  const final = decisions.filter(({ isUndone }) => !isUndone);
  const fates = final.map((decision) => fateOf(decision, evidence, { decisions, sentAgain: scenario.sentAgain }));
  const { policy, maria } = scenario.crewChannel;
  const cards = [...evidence.messages, ...evidence.deleted];
  return {
    ...countsOf(fates, stories),
    reminders: evidence.messages.filter((each) => isAlert(each)).length,
    violations: [
      ...final.flatMap((decision, i) => fateProblem(decision, fates[i] ?? 'lost')),
      ...decisions.flatMap((decision) => policyProblems(decision, { policy, starter: maria.id })),
      ...undecidedOrders(evidence, decisions),
      ...clickProblems(scenario.clicks, stories, cards),
      ...lostVotes(scenario.clicks, stories, cards),
      ...evidence.chains.flatMap(chainProblems),
      ...stories.flatMap(orderProblems),
      ...alertProblems(evidence, stories),
      ...directMessageProblems(all, new Set(evidence.messages.map(({ ref }) => ref))),
      ...startedTwice(evidence),
      ...postedTwice(evidence),
      ...askedTwice(evidence, stories),
      ...untrueThreads(evidence, scenario),
      ...untrueCards(evidence, scenario),
    ],
  };
}

function countsOf(
  fates: readonly Fate[],
  stories: readonly RequestStory[],
): Omit<Findings, 'violations' | 'reminders'> {
  const count = (fate: Fate) => fates.filter((each) => each === fate).length;
  const kinds = stories.flatMap(({ entries }) => entries.map((entry) => eventOf(entry).kind));
  const entries = (...wanted: (typeof kinds)[number][]) => kinds.filter((kind) => wanted.includes(kind)).length;
  return {
    ...{ decisions: fates.length, delivered: count('delivered'), undelivered: count('undelivered') },
    ...{ lost: count('lost'), doubled: count('doubled'), votes: entries('voted'), undone: entries('undone') },
    ...{ refused: entries('refused'), expired: entries('expired') },
  };
}

function evidenceOf(
  { messages, deleted, orders, runs, chains, ...rest }: Evidence,
  { crewChannel, plan, isRoot }: Scenario,
): Evidence {
  const threads = messages.filter((each) => each.channel === crewChannel.channelId && isRoot(each));
  const refs = new Set(threads.map(({ ref }) => ref));
  const isInThread = ({ ts, threadTs }: Posted) => threads.some((root) => root.ts === (threadTs ?? ts));
  return {
    ...rest,
    messages: messages.filter(isInThread),
    deleted: deleted.filter(isInThread),
    orders: orders.filter(({ crew, ref }) => crew === crewChannel.crew && refs.has(ref)),
    chains: chains.filter(({ ref }) => refs.has(ref)),
    runs: runs.filter(({ crew, inputs }) => crew === crewChannel.crew && inputs.topic === plan.topic),
  };
}

function startedTwice({ orders }: Evidence): string[] {
  const refs = orders
    .filter(({ route, mayHaveArrived }) => route === 'kickoff' && mayHaveArrived)
    .map(({ ref }) => ref);
  return repeated(refs).map((ref) => `the start ${ref} was sent more than once`);
}

/** Where Slack tells of messages, a post whose outcome is unknown isn't repeated, or its duplicate is deleted. */
function postedTwice({ messagesAre, messages }: Evidence): string[] {
  if (messagesAre === 'not told of') return [];
  const keys = messages.filter(({ key }) => key !== undefined).map(({ key, ref }) => `${key} of ${ref}`);
  return repeated(keys).map((key) => `${key} was posted more than once`);
}

/** A completed run has asked once for each draft: the first, and one after each rejection. */
function askedTwice({ messages, deleted }: Evidence, stories: readonly RequestStory[]): string[] {
  const completed = messages.filter(isRootThat('Completed'));
  return completed.flatMap((root) => {
    const replies = [...messages, ...deleted].filter(({ threadTs }) => threadTs === root.ts);
    const cards = new Set(replies.map(({ key }) => key).filter((key) => key?.startsWith('card:')));
    const own = stories.filter(({ ref }) => ref === root.ref).flatMap(({ decisions }) => decisions);
    const drafts = own.filter(({ isUndone, verdict }) => !isUndone && verdict === 'reject').length + 1;
    return cards.size === drafts
      ? []
      : [`the thread has cards of ${cards.size} requests, and the crew asked ${drafts} times`];
  });
}

const TELLS_OF_TROUBLE = /Status unknown|its request didn’t reach Signoff|Start not confirmed|Not started/;

function untrueThreads(evidence: Evidence, { formsTaken, isStuck }: Scenario): string[] {
  const { messages, runs } = evidence;
  const hasCompleted = runs.some(({ status }) => status === 'completed');
  const roots = messages.filter(({ threadTs }) => threadTs === undefined);
  const [saysSo] = messages.filter(isRootThat('Completed'));
  const isTrue = ({ text, ref }: Posted) =>
    text.includes('Completed') || TELLS_OF_TROUBLE.test(text) || isClosed(evidence, ref);
  const untrue = untrueAmong(evidence, roots, isTrue);
  return [
    ...(hasCompleted && !saysSo && !mayBeUnknown(evidence) ? ['the crew has completed, and no thread says so'] : []),
    ...(!hasCompleted && saysSo ? ['a thread says that the crew has completed, and it has not'] : []),
    ...(isStuck ? [] : untrue).map(({ text }) => `a thread ends with “${firstLineOf(text)}”`),
    ...(formsTaken > 0 && roots.length === 0 ? ['a form was taken and led to no thread'] : []),
  ];
}

/** Whether nobody has decided in time, and the crew isn't told. */
function isClosed({ chains }: Evidence, ref: string | undefined): boolean {
  const events = chains.filter((chain) => chain.ref === ref).flatMap(({ entries }) => entries.map(eventOf));
  return events.some((event) => event.kind === 'expired' && event.facts.outcome === 'close');
}

/** If no notification of a run was ever accepted, its thread may say that the outcome is unknown. */
function mayBeUnknown({ messages, runs, notifications }: Evidence): boolean {
  const completed = runs.filter(({ status }) => status === 'completed');
  return completed.every((run) => isUnheard(run, notifications)) && messages.some(({ text }) => isUnconfirmed(text));
}

/** A card that still asks after everything has settled can't be used. */
function untrueCards(evidence: Evidence, { isStuck }: Scenario): string[] {
  const cards = evidence.messages.filter(({ key }) => key?.startsWith('card:'));
  const asking = untrueAmong(evidence, cards, ({ text }) => !/\[Approve\]|Sending to the crew/.test(text));
  return isStuck ? [] : asking.map(({ text }) => `a card ends with “${firstLineOf(text)}”`);
}

/** Otherwise an unknown copy of a post may stay behind; the known one must be up to date. */
function untrueAmong({ messagesAre }: Evidence, messages: Posted[], isTrue: (message: Posted) => boolean): Posted[] {
  const untrue = messages.filter((message) => !isTrue(message));
  if (messagesAre === 'told of') return untrue;
  return untrue.filter(
    ({ ref, key }) => !messages.some((other) => other.ref === ref && other.key === key && isTrue(other)),
  );
}

function isRootThat(says: string): (message: Posted) => boolean {
  return ({ threadTs, text }) => threadTs === undefined && text.includes(says);
}

function firstLineOf(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function repeated(names: string[]): string[] {
  return [...new Set(names.filter((name, i) => names.indexOf(name) !== i))];
}
