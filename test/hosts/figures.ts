import type { RunSummary } from '../../src/sandbox/crew-service/sandbox-api/crew-sandbox.ts';
import type { RecordedRequest, RecordedWebhook } from '../../src/sandbox/crew-service/sandbox-api/records.ts';
import { isObject, parseJson, stringAt } from '../../src/sandbox/slack-workspace/json.ts';
import type { Chain } from '../faults/chains.ts';
import { lostVotes } from '../faults/check-clicks.ts';
import { type Click, isAcknowledged } from '../faults/clicks.ts';
import { isTaken, type Order, type Posted, readOrder } from '../faults/evidence.ts';
import { quorumOf } from '../faults/policies.ts';
import { requestStories } from '../faults/request-story.ts';
import type { Scenario as WholeScenario } from '../faults/scenario.ts';

/** One run, as people did and saw it. */
export type Story = Pick<
  WholeScenario,
  'plan' | 'isRoot' | 'clicks' | 'answers' | 'startsTaken' | 'sentAgain' | 'beganAt'
> & {
  crewChannel: Pick<WholeScenario['crewChannel'], 'crew' | 'policy'> & { maria: { id: string } };
};

/** Slack and the crew service at one moment. */
export interface Look {
  messages: readonly Posted[];
  /** When each person was last told something privately, by their ids. */
  toldAt: ReadonlyMap<string, number>;
  requests: readonly RecordedRequest[];
  webhooks: readonly RecordedWebhook[];
  runs: readonly RunSummary[];
}

/** Everything that went wrong, each in a sentence. */
export interface Faults {
  /** Decisions and votes that were acknowledged and never reached the crew. */
  lost: string[];
  /** Lost decisions and votes whose card doesn't say so, although Redis still has the request. */
  unsaid: string[];
  /** Decisions and starts that the crew received more than once. */
  doubled: string[];
  /** Starts that were acknowledged and led to no run, and nobody was told. */
  startsLost: string[];
  /** Runs that wait in the crew, and Redis has no record of them or of a request whose notification was accepted. */
  forgotten: string[];
  /** Requests that wait in the crew without a card. */
  cardsMissing: string[];
  /** Cards and first messages that show what isn't so. */
  untrue: string[];
}

export const NO_FAULTS: Faults = {
  lost: [],
  unsaid: [],
  doubled: [],
  startsLost: [],
  forgotten: [],
  cardsMissing: [],
  untrue: [],
};

/** Matches a card that says that its decision may not have arrived. */
const SAYS_SO = /lost|not confirmed|not delivered|\[Send again\]/i;
const TELLS_OF_TROUBLE = /Status unknown|Start not confirmed|Not started|lost/;

/**
 * Compares what people were led to believe with what the crew has. For a world in which everything has settled; before that, it
 * also finds what is merely on its way.
 * @param chains what Redis has, for finding votes and records that it lost
 */
export function faultsIn(look: Look, stories: readonly Story[], chains: readonly Chain[]): Faults {
  const all = stories.map((story) => faultsOf(look, story, chains));
  const join = (part: keyof Faults) => all.flatMap((faults) => faults[part]);
  return {
    ...{ lost: join('lost'), unsaid: join('unsaid'), doubled: join('doubled'), startsLost: join('startsLost') },
    ...{ forgotten: join('forgotten'), cardsMissing: join('cardsMissing'), untrue: join('untrue') },
  };
}

/** The refs of the runs that the bots started. */
export function refsIn(requests: readonly RecordedRequest[]): string[] {
  const kickoffs = requests.filter(({ method, route }) => method === 'POST' && route === 'kickoff').map(readOrder);
  return [...new Set(kickoffs.map(({ ref }) => ref))];
}

function faultsOf(look: Look, story: Story, chains: readonly Chain[]): Faults {
  const { crewChannel, plan } = story;
  const isOwn = ({ crew, inputs }: RunSummary) => crew === crewChannel.crew && inputs.topic === plan.topic;
  const own = look.runs.filter(isOwn).map((run) => ({ run, ref: refOf(run, look.requests) }));
  const refs = new Set(own.map(({ ref }) => ref));
  const orders = look.requests.filter(({ method }) => method === 'POST').map(readOrder);
  const name = (what: string) => `${plan.topic} in ${crewChannel.crew}: ${what}`;
  const lost = lostDecisions(look, story, { own, chains }).filter(({ card }) => !isLeftToPeople(card));
  const waiting = own.filter(({ run }) => run.status === 'waiting');
  const cardless = waiting.filter(({ run, ref }) => !cardOf(look, ref, run.round));
  const isForgotten = ({ run, ref }: OwnRun) =>
    isGone(ref, chains) || (isAsked(run, look) && !isKnown(run, ref, chains));
  return {
    lost: lost.map(({ what }) => name(what)),
    unsaid: lost
      .filter(({ card, round }) => isKnown({ round }, card.ref, chains) && !SAYS_SO.test(card.text))
      .map(({ what }) => name(what)),
    doubled: doubledIn(
      orders.filter(({ ref }) => refs.has(ref)),
      story.sentAgain.length,
    ).map(name),
    startsLost: isStartLost(look, story, own) ? [name('a start was acknowledged, and there is no run')] : [],
    forgotten: waiting
      .filter(isForgotten)
      .map(({ run }) => name(`the crew waits in round ${run.round}, and Redis has forgotten that`)),
    cardsMissing: cardless
      .filter((each) => !isForgotten(each))
      .map(({ run }) => name(`the crew waits in round ${run.round}, and there is no card`)),
    untrue: untrueIn(look, own).map(name),
  };
}

interface OwnRun {
  run: RunSummary;
  ref: string | undefined;
}

/** Finds the ref that the bot gave a run; the answer to the kickoff has the crew's own id. */
function refOf({ kickoffId }: RunSummary, requests: readonly RecordedRequest[]): string | undefined {
  const kickoff = requests.find(({ route, answer }) => {
    const body = route === 'kickoff' && typeof answer === 'object' ? parseJson(answer.body) : null;
    return isObject(body) && stringAt(body, 'kickoff_id') === kickoffId;
  });
  return kickoff && readOrder(kickoff).ref;
}

function cardOf({ messages }: Look, ref: string | undefined, round: number): Posted | undefined {
  return messages.findLast((each) => isCard(each) && each.ref === ref && roundOf(messages, each) === round);
}

const isCard = ({ key }: Posted) => key?.startsWith('card:') === true;

const roundIn = ({ text }: Posted) => Number(/Round (\d+)/.exec(text)?.[1] ?? 1);

/** A notification that arrives very late is taken for another question. The card of the one before says so, and isn't sent. */
const isOvertaken = ({ text }: Posted) => text.includes('The crew asked again before');

/** The round of the crew that a card is about. */
function roundOf(messages: readonly Posted[], card: Posted): number {
  const cards = messages.filter((each) => isCard(each) && each.ref === card.ref && !isOvertaken(each));
  return new Set(cards.map(roundIn).filter((round) => round <= roundIn(card))).size;
}

function isGone(ref: string | undefined, chains: readonly Chain[]): boolean {
  const chain = chains.find((each) => each.ref === ref);
  return chain !== undefined && chain.head === '';
}

/** Whether Signoff has accepted the latest notice of what the run asks. */
function isAsked({ kickoffId }: RunSummary, { webhooks }: Look): boolean {
  const latest = webhooks.findLast(({ kind, runId }) => kind === 'human-input' && runId === kickoffId);
  return latest !== undefined && isTaken(latest.outcome);
}

/** Whether Redis has the request of this round; without its chain nobody can say that it hasn't. */
function isKnown({ round }: Pick<RunSummary, 'round'>, ref: string | undefined, chains: readonly Chain[]): boolean {
  const chain = chains.find((each) => each.ref === ref);
  if (!chain) return true;
  return chain.entries.some(({ kind, facts }) => kind === 'asked' && 'round' in facts && facts.round === round);
}

/** Finds, for each card, a complete decision that people believe in, or votes of an incomplete one, that never reached the crew. */
function lostDecisions(
  look: Look,
  { clicks, answers, crewChannel }: Story,
  { own, chains }: { own: readonly OwnRun[]; chains: readonly Chain[] },
): { card: Posted; round: number; what: string }[] {
  const wasRefused = ({ by, cardTs }: Click) => answers.some((answer) => answer.by === by && answer.cardTs === cardTs);
  // The starter may not decide where several have to.
  const mayDecide = ({ by }: Click) => quorumOf(crewChannel.policy) === 1 || by !== crewChannel.maria.id;
  const believed = clicks.filter((click) => isAcknowledged(click) && mayDecide(click) && !wasRefused(click));
  const stories = requestStories(chains);
  return [...new Set(believed.map(({ cardTs }) => cardTs))].flatMap((ts) => {
    const card = look.messages.find((message) => message.ts === ts && isCard(message));
    const ofCard = believed.filter(({ cardTs }) => cardTs === ts);
    if (!card || isOvertaken(card)) return [];
    const round = roundOf(look.messages, card);
    const run = own.find(({ ref }) => ref === card.ref)?.run;
    if (run?.reviews.some((review) => review.round === round)) return [];
    // What failed may count all the same, and then stands for what its author did before.
    const votes = lostVotes(
      clicks.filter(({ cardTs }) => cardTs === ts),
      stories,
      look.messages,
    );
    if (isComplete(ofCard, quorumOf(crewChannel.policy)))
      return [{ card, round, what: `the decision about round ${round} never reached the crew` }];
    return chains.length === 0 ? [] : votes.map((what) => ({ card, round, what }));
  });
}

/** A bot that dies during a call leaves a decision of which nobody knows whether the crew has it. The card offers to send it again. */
function isLeftToPeople({ text }: Posted): boolean {
  return text.includes('[Send again]');
}

function isComplete(clicks: readonly Click[], quorum: number): boolean {
  const last = new Map(clicks.map(({ by, action }) => [by, action]));
  const approving = [...last.values()].filter((action) => action === 'approve').length;
  return approving >= quorum || [...last.values()].includes('reject');
}

function doubledIn(orders: readonly Order[], sentAgain: number): string[] {
  const resumes = orders.filter(({ route }) => route === 'resume').map(resumeKey);
  const kickoffs = orders.filter(({ route, mayHaveArrived }) => route === 'kickoff' && mayHaveArrived);
  return [
    ...repeated(resumes)
      .slice(sentAgain)
      .map((key) => `a decision was sent again: ${key}`),
    ...repeated(kickoffs.map(({ ref }) => ref)).map((ref) => `the start ${ref} was sent again`),
  ];
}

/** The feedback of each rejection differs, and a run is approved once. */
function resumeKey({ ref, body }: Order): string {
  return [ref, body.is_approve ?? body.isApprove, body.human_feedback ?? body.humanFeedback].join(' ');
}

/** Lists each name that was there before. */
function repeated(names: readonly string[]): string[] {
  return names.filter((name, i) => names.indexOf(name) !== i);
}

function isStartLost(
  { messages, toldAt }: Look,
  { startsTaken, isRoot, beganAt, crewChannel }: Story,
  own: readonly OwnRun[],
): boolean {
  if (startsTaken === 0 || own.length > 0) return false;
  if ((toldAt.get(crewChannel.maria.id) ?? 0) > beganAt) return false;
  return !messages.some((message) => isRoot(message) && TELLS_OF_TROUBLE.test(message.text));
}

function untrueIn(look: Look, own: readonly OwnRun[]): string[] {
  return own.flatMap(({ run, ref }) => {
    const ofRun = look.messages.filter((each) => each.ref === ref);
    const root = ofRun.find(({ key }) => key === 'root');
    const cards = ofRun.filter(isCard);
    const isOpen = (card: Posted) => run.status === 'waiting' && roundOf(ofRun, card) === run.round;
    const asks = ({ text }: Posted) => text.includes('[Approve]');
    return [
      ...(root && !isTrueRoot(root, run) ? [`a run that is ${run.status} ends with “${firstLineOf(root)}”`] : []),
      ...cards
        .filter((card) => asks(card) && !isOpen(card))
        .map((card) => `round ${roundIn(card)} is decided, and its card still asks`),
      ...cards
        .filter((card) => isOpen(card) && !asks(card) && !SAYS_SO.test(card.text))
        .map((card) => `the crew waits in round ${roundIn(card)}, and its card says “${firstLineOf(card)}”`),
    ];
  });
}

function isTrueRoot({ text }: Posted, { status }: RunSummary): boolean {
  const saysCompleted = text.includes('Completed');
  return status === 'completed' ? saysCompleted || TELLS_OF_TROUBLE.test(text) : !saysCompleted;
}

function firstLineOf({ text }: Posted): string {
  return text.split('\n', 1)[0] ?? '';
}
