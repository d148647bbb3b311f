import type { Acknowledged } from './approver.ts';
import { type Evidence, isUnconfirmed, isUnheard, type Posted } from './evidence.ts';
import type { Scenario as WholeScenario } from './scenario.ts';

/** The part of a scenario that the invariants are about. */
type Scenario = Pick<WholeScenario, 'isRoot' | 'formsTaken' | 'isStuck'> & {
  crewChannel: Pick<WholeScenario['crewChannel'], 'crew' | 'channelId'>;
  plan: Pick<WholeScenario['plan'], 'topic' | 'rejections'>;
  acknowledged: readonly Acknowledged[];
  sentAgain: readonly string[];
};

/** The fate of a scenario's decisions, and each violated invariant in a sentence. */
export interface Findings {
  decisions: number;
  delivered: number;
  /** Not known to be delivered; the card says so and offers a way on. */
  undelivered: number;
  lost: number;
  doubled: number;
  violations: string[];
}

/** Checks a scenario that has settled against the messages in Slack and the requests that the crew received. */
export function checkInvariants(all: Evidence, scenario: Scenario): Findings {
  const evidence = evidenceOf(all, scenario);
  const fates = scenario.acknowledged.map((decision) => fateOf(decision, evidence, scenario));
  const count = (fate: Fate) => fates.filter((each) => each === fate).length;
  return {
    decisions: fates.length,
    delivered: count('delivered'),
    undelivered: count('undelivered'),
    lost: count('lost'),
    doubled: count('doubled'),
    violations: [
      ...scenario.acknowledged.flatMap((decision, i) => fateProblem(decision, fates[i])),
      ...startedTwice(evidence),
      ...postedTwice(evidence),
      ...askedTwice(evidence, scenario),
      ...untrueThreads(evidence, scenario),
      ...untrueCards(evidence, scenario),
    ],
  };
}

function evidenceOf(
  { messages, deleted, orders, runs, ...rest }: Evidence,
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
    runs: runs.filter(({ crew, inputs }) => crew === crewChannel.crew && inputs.topic === plan.topic),
  };
}

type Fate = 'delivered' | 'undelivered' | 'lost' | 'doubled';

/** The bot may repeat only what can't have arrived. A person may send again. */
function fateOf({ text, cardTs, verdict }: Acknowledged, evidence: Evidence, scenario: Scenario): Fate {
  const { messages, deleted, orders } = evidence;
  const card = [...messages, ...deleted].find(({ ts }) => ts === cardTs);
  const sent = orders.filter(({ route, ref, body }) => {
    if (route !== 'resume' || ref !== card?.ref) return false;
    const approves = body.is_approve ?? body.isApprove;
    return (body.human_feedback ?? body.humanFeedback) === text && approves === (verdict === 'approve');
  });
  const allowed = 1 + scenario.sentAgain.filter((each) => each === cardTs).length;
  if (sent.filter(({ mayHaveArrived }) => mayHaveArrived).length > allowed) return 'doubled';
  if (sent.some(({ wasApplied }) => wasApplied)) return 'delivered';
  return card && /\[Send again\]|run ended before/.test(card.text) ? 'undelivered' : 'lost';
}

function fateProblem({ verdict, round }: Acknowledged, fate: Fate | undefined): string[] {
  const what = `the acknowledged decision to ${verdict} round ${round}`;
  if (fate === 'lost') return [`${what} never arrived, and no card says so`];
  return fate === 'doubled' ? [`${what} was sent more than once by the bot`] : [];
}

function startedTwice({ orders }: Evidence): string[] {
  const refs = orders
    .filter(({ route, mayHaveArrived }) => route === 'kickoff' && mayHaveArrived)
    .map(({ ref }) => ref);
  return repeated(refs).map((ref) => `the start ${ref} was sent more than once`);
}

/** With the history scopes, a post whose outcome is unknown can be looked up. */
function postedTwice({ historyScopes, messages }: Evidence): string[] {
  if (historyScopes === 'missing') return [];
  const keys = messages.filter(({ key }) => key !== undefined).map(({ key, ref }) => `${key} of ${ref}`);
  return repeated(keys).map((key) => `${key} was posted more than once`);
}

/** A completed run has asked once for each draft. */
function askedTwice({ messages, deleted }: Evidence, { plan }: Scenario): string[] {
  const completed = messages.filter(isRootThat('Completed'));
  return completed.flatMap((root) => {
    const replies = [...messages, ...deleted].filter(({ threadTs }) => threadTs === root.ts);
    const cards = new Set(replies.map(({ key }) => key).filter((key) => key?.startsWith('card:')));
    return cards.size === plan.rejections + 1
      ? []
      : [`the thread has cards of ${cards.size} requests, and the crew asked ${plan.rejections + 1} times`];
  });
}

const TELLS_OF_TROUBLE = /Lost sight of|its request has not reached us|Maybe started|Not started/;

function untrueThreads(evidence: Evidence, { formsTaken, isStuck }: Scenario): string[] {
  const { messages, runs } = evidence;
  const hasCompleted = runs.some(({ status }) => status === 'completed');
  const roots = messages.filter(({ threadTs }) => threadTs === undefined);
  const [saysSo] = messages.filter(isRootThat('Completed'));
  const isTrue = ({ text }: Posted) => text.includes('Completed') || TELLS_OF_TROUBLE.test(text);
  const untrue = untrueAmong(evidence, roots, isTrue);
  return [
    ...(hasCompleted && !saysSo && !mayBeUnknown(evidence) ? ['the crew has completed, and no thread says so'] : []),
    ...(!hasCompleted && saysSo ? ['a thread says that the crew has completed, and it has not'] : []),
    ...(isStuck ? [] : untrue).map(({ text }) => `a thread ends with “${firstLineOf(text)}”`),
    ...(formsTaken > 0 && roots.length === 0 ? ['a form was taken and led to no thread'] : []),
  ];
}

/** If no notification of a run was ever accepted, its thread may say that the outcome is unknown. */
function mayBeUnknown({ messages, runs, notifications }: Evidence): boolean {
  const completed = runs.filter(({ status }) => status === 'completed');
  return completed.every((run) => isUnheard(run, notifications)) && messages.some(({ text }) => isUnconfirmed(text));
}

/** A card that still asks after everything has settled can't be used. */
function untrueCards(evidence: Evidence, { isStuck }: Scenario): string[] {
  const cards = evidence.messages.filter(({ key }) => key?.startsWith('card:'));
  const asking = untrueAmong(evidence, cards, ({ text }) => !/\[Approve\]|Telling the crew/.test(text));
  return isStuck ? [] : asking.map(({ text }) => `a card ends with “${firstLineOf(text)}”`);
}

/** Without look-ups, an unknown copy of a post may stay behind; the known one must be up to date. */
function untrueAmong({ historyScopes }: Evidence, messages: Posted[], isTrue: (message: Posted) => boolean): Posted[] {
  const untrue = messages.filter((message) => !isTrue(message));
  if (historyScopes === 'granted') return untrue;
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
