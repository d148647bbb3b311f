import type { Answer, InputField } from '../values/input-field.ts';
import type { Inputs } from '../values/json.ts';
import type { Millis } from '../values/time.ts';
import type { Claimed } from './claim.ts';
import type { Recipient } from './post.ts';
import type { Undecidable } from './shortage.ts';
import type { SignIn } from './sign-in.ts';

// A request to people, as it is stored: the question, the state of its decision, and what people and Signoff have done about
// it.

/** A Slack user. The id is who they are; the name is what Slack called them when they acted. */
export interface Person {
  id: string;
  name: string;
}

/** A stored text, addressed by the SHA-256 of its content. */
export interface Output {
  hash: string;
  /** Length in UTF-16 units. */
  length: number;
}

/** `decline`: a final no. The crew isn't told to try again, and nothing more is asked in the run. */
export type Verdict = 'approve' | 'reject' | 'decline';

export interface Decision {
  verdict: Verdict;
  /** The chosen outcome, if the request offers outcomes. Absent for a decline, and if nobody decided. */
  outcome?: string | undefined;
  /** The filled-in fields, if the request has fields. Only an approval has them. */
  answer?: Answer | undefined;
  /** Text that the person typed. */
  feedback: string | null;
  /**
   * Exactly what the crew receives as `human_feedback`, but for the edited text that follows on it where one was approved; null for a
   * decline that it isn't told.
   */
  text: string | null;
  /** The person whose verdict completed it; null if nobody decided in time, and the policy says what the crew is told. */
  by: Person | null;
  /** The person whose right they used, if not their own. */
  for?: Person | undefined;
  /** The sign-in by which they approved. */
  signIn?: SignIn | undefined;
  at: Millis;
  /** The crew has refused to take it with their own token, or for want of one: it is never sent with the crew's. */
  ownTokenOnly: boolean;
}

/** A decision that goes to the crew. */
export type SentDecision = Decision & { text: string };

/** One person's approval where several are needed. */
export interface Vote {
  by: Person;
  /** The person whose right they used, if not their own. */
  for?: Person | undefined;
  /** The sign-in by which they gave the vote. */
  signIn?: SignIn | undefined;
  at: Millis;
  /** Their note for the crew. */
  feedback: string | null;
  /** The chosen outcome, if the request offers outcomes. */
  outcome?: string | undefined;
  /** The filled-in fields, if the request has fields. */
  answer?: Answer | undefined;
  /**
   * Set if one person of each of several approvers has to approve: the approver that lets this person vote, and the place of
   * `allOf` that they take.
   */
  rule?: string | undefined;
  seat?: string | undefined;
  /** Set if several rules may turn out to apply: what the vote counts as under each of them. */
  under?: readonly CountedUnder[] | undefined;
}

/** A vote as one of the rules counts it that may turn out to apply. */
export interface CountedUnder extends Pick<Vote, 'for' | 'rule' | 'seat'> {
  /** The place of the rules in the crew's policy. */
  place: string;
}

/** A stage whose approvals are complete. */
export interface CompletedStage {
  /** Identifies the rules of this stage and of the stages before it. */
  key: string;
  name: string;
  at: Millis;
  /** The votes that count for the stage, in their order. */
  votes: readonly Vote[];
}

/** From this time on, the people in `escalate_to` may decide, too, by one of the rules. */
export interface Escalation {
  /** The place of the rules in the crew's policy. */
  rules: string;
  at: Millis;
}

/** A person who may decide has let another one decide, too. */
export interface HandOver {
  to: Person;
  by: Person;
  at: Millis;
  /** End of the hand-over; null if it has none. */
  until: Millis | null;
}

/**
 * A person has taken back a vote, or a decision before it was sent. `lost`: nobody has, but the store has lost what this person
 * decided or approved.
 */
export interface Retraction {
  kind: 'vote' | 'decision' | 'lost';
  by: Person;
  /** The person whose vote or decision it was. */
  of: Person;
  /** Text that they had typed. Only they see it from now on. */
  text: string | null;
  at: Millis;
}

/** A person has made another text of the one that the crew asked about. Votes count together only for one of them. */
export interface Edited {
  by: Person;
  at: Millis;
  /** The text of the crew. */
  of: Output;
}

/** A reply that mentions people who may decide. */
export interface Alert {
  /** '1', '2', … within its request. */
  id: string;
  /**
   * `stage`: the stage before is complete. `undecidable`: too few people are left to complete it. `decidable`: there are enough
   * again. `edited`: the text has changed, so that their approvals have lapsed.
   */
  kind: 'reminder' | 'escalation' | 'ask' | 'stage' | 'undecidable' | 'decidable' | 'edited';
  /** The person who asked for the alert; null if a timer did. */
  by: Person | null;
  /** The people and groups to mention, as a policy names them. */
  mentions: string[];
}

/** Reason why a decision has not reached the crew. */
export type ResumeFailure =
  | { kind: 'refused'; code: CrewRefusal; status: number; detail: string }
  | { kind: 'not-confirmed' };

/**
 * The reason why a call certainly had no effect, so that Signoff repeats it by itself. `unreachable`: nothing answered. `busy`: the service asked
 * to wait, since it is starting or has too much to do.
 */
export type Unavailability = 'unreachable' | 'busy';

/** Reasons of the service for a refusal, by what a person can do about them. */
export type CrewRefusal =
  | 'bad-request'
  | 'unauthorized'
  /** It doesn't accept the token that the person has connected. */
  | 'user-token-refused'
  /** The person would need a token of their own, and has none. */
  | 'no-user-token'
  | 'not-found'
  | 'missing-inputs'
  | 'quota'
  | Unavailability
  | 'other';

/** Returns true if the person's own token is at fault. */
export function isAboutUserToken(code: CrewRefusal): boolean {
  return code === 'user-token-refused' || code === 'no-user-token';
}

/**
 * One question to people, within its execution. Each part has a type of its own, and each field is described there alone.
 */
export interface HumanRequest {
  /** '1', '2', … within its execution. */
  id: string;
  question: Question;
  state: RequestState;
  discussion: Discussion;
}

/** A request that has one of these statuses. */
export type RequestIn<Status extends RequestState['status']> = HumanRequest & { state: StateOf<Status> };

type StateOf<Status extends RequestState['status']> = Extract<RequestState, { status: Status }>;

/** Returns true for a request that has one of these statuses. */
export function hasStatus<Status extends RequestState['status']>(
  request: HumanRequest | null,
  ...statuses: readonly Status[]
): request is RequestIn<Status> {
  return request !== null && (statuses as readonly string[]).includes(request.state.status);
}

/** The question of a request. Only people who edit the text change it. */
export interface Question {
  taskId: string;
  taskName: string | null;
  /** True if `taskName` is a title that a program or a workflow chose. */
  isTitled: boolean;
  /** 1 for the first request of this task, then counting up. */
  round: number;
  /** The text that is decided. */
  output: Output;
  /** Null while that is the text of the crew. */
  edited: Edited | null;
  /** The text's first heading, in one line; '' if the text is empty. */
  heading: string;
  /** Outcomes to choose from, in the order of the buttons; null if people approve or reject. A single outcome can also be rejected. */
  outcomes: readonly string[] | null;
  /** Fields of the answer; null if people approve, reject or choose. */
  fields: readonly InputField[] | null;
  /** Reason that the program gives for its request; null if it gives none. */
  why: string | null;
  /** Address of the decision; null for the crew's `POST /resume`. */
  destination: Destination | null;
  /** Time that the program waits, whatever the policy says; null if it doesn't say. */
  limitMs: Millis | null;
  /** The program's own id of the request, another one for each round; null if it has none. */
  requestId: string | null;
  /** Inputs of the request itself, which override the run's in conditions of rules; null if it has none. */
  inputs: Inputs | null;
  /** Webhook addresses that the request arrived at: 0 for the kickoff's, n for those that the n-th resume gave out. */
  hop: number;
  kickoffId: string | null;
  askedAt: Millis;
  /** The round whose text this one repeats, if the request may be a repeated notification of it. */
  repeatsRound: number | null;
  /** True once the crew's status says that it waits for the answer to a repeated text. */
  isConfirmedRepeat: boolean;
  /** True if the text is attached to the thread once the decision about it has been delivered. */
  keepsText: boolean;
}

/** The actions of people and Signoff about a request, in any state. */
export interface Discussion {
  /** Approvals that have not decided it by themselves, oldest first, at most one a person; of its stage, where it has several. */
  votes: Vote[];
  /** Complete stages, in their order. */
  stages: readonly CompletedStage[];
  /** Number of retractions. Each one updates all messages, whatever the record says that they show. */
  takenBack: number;
  /** The last of each kind by each person, oldest first: the same click may be delivered again. */
  retractions: Retraction[];
  handedOver: HandOver[];
  alerts: Alert[];
  /** Slack ids of the people and groups that the card mentions; null until it is posted. */
  mentioned: readonly string[] | null;
  directMessages: DirectMessages;
  /** Number of people who aren't in the channel and, being too many, get no direct message either. */
  untold: number;
  times: Times;
  /** Time of the next check whether its votes are complete under the remaining rules; null unless a rule was ruled out. */
  judging: Judging | null;
  /** Null as long as there are enough people who can decide it, as far as Slack can tell. */
  undecidable: Undecidable | null;
}

/** Slack is asked again later while it can't tell. */
export interface Judging {
  tries: number;
  notBefore: Millis;
}

/**
 * The destination of a decision that isn't sent to the `POST /resume` of a crew: a flow that waits for feedback, an address that the
 * program named, or none, since the program that asked fetches the decision. The addresses hold secrets, and are sealed.
 */
export type Destination = { kind: 'flow' | 'callback'; sealedUrl: string } | { kind: 'poll' };

/** Returns true if a callback is open, which only an answer ends, whatever became of the request. */
export function needsAnswer({ destination }: { destination: Pick<Destination, 'kind'> | null }): boolean {
  return destination?.kind === 'callback';
}

/** Times at which something happens to a request without a person; null for never. */
export interface Times {
  /** Names the rules by which they were planned; '' if that isn't known. */
  rules: string;
  /** Start of the clocks; null for the time of the request. */
  countedFrom: Millis | null;
  remindAt: Millis | null;
  /** Number of reminders so far. */
  reminders: number;
  escalateAt: Millis | null;
  /** Escalations of the open stage. */
  escalations: readonly Escalation[];
  expireAt: Millis | null;
  /** Time of the next check whether enough people can decide. */
  lookAt: Millis | null;
  /** Time of the last *Ask approvers* click. */
  askedAgainAt: Millis | null;
}

/** Times of a request without rules: no timer runs. */
export const NO_TIMES: Times = {
  rules: '',
  countedFrom: null,
  remindAt: null,
  reminders: 0,
  escalateAt: null,
  escalations: [],
  expireAt: null,
  lookAt: null,
  askedAgainAt: null,
};

/** The delivery of a decision before its first try. */
export const UNTRIED = { tries: 0, delayedBy: null, giveUpAt: null } as const;

/** The state of a request. */
export type RequestState =
  | { status: 'pending' }
  | {
      status: 'decided';
      decision: Decision;
      attempts: Attempt[];
      tries: number;
      /** Reason why the last try failed; null before it, and for a callback. */
      delayedBy: Unavailability | null;
      /** End of the retries of a callback; null until a try has failed, and for anything else. */
      giveUpAt: Millis | null;
      sendAt: Millis;
      /** End of the time to undo it; null once it is due. */
      undoUntil: Millis | null;
    }
  | ({
      status: 'sending';
      decision: SentDecision;
      attempts: Attempt[];
      tries: number;
      delayedBy: Unavailability | null;
      giveUpAt: Millis | null;
    } & Claimed)
  | {
      status: 'delivered';
      decision: Decision;
      proof: 'accepted' | 'evidence';
      resumedAs: string | null;
      deliveredAt: Millis;
    }
  | { status: 'failed'; decision: Decision; attempts: Attempt[]; failure: ResumeFailure; failedAt: Millis }
  | {
      status: 'superseded';
      decision: Decision | null;
      by: SupersededBy;
      supersededAt: Millis;
    }
  /** A decline that the crew isn't told: nothing is owed to it. */
  | { status: 'declined'; decision: Decision; declinedAt: Millis }
  /** The request expired before anybody decided, and the crew isn't told. */
  | { status: 'expired'; expiredAt: Millis };

/**
 * The reason why a request is void. `declined`: a decline to another one of its run. `elsewhere`: it was answered in another place.
 * `cancelled`: the program that asked no longer waits for it. `replaced`: that program has asked something else in its place.
 */
export type SupersededBy = 'newer-round' | 'ended' | 'unfollowed' | 'declined' | 'elsewhere' | 'cancelled' | 'replaced';

/** A decision that is on its way to the crew or program that asked. */
export type Sending = RequestIn<'sending'>;

/** One `POST /resume`: its number within the request and the hop of the addresses it gave out. */
export interface Attempt {
  number: number;
  hop: number;
  /** False once the service is known not to have received this attempt. */
  mayHaveArrived: boolean;
}

const OPEN: readonly RequestState['status'][] = ['pending', 'decided', 'sending', 'failed'];

/** Returns true while the request waits for a decision, its delivery, or another try. */
export function isOpen({ state: { status } }: HumanRequest): boolean {
  return OPEN.includes(status);
}

/**
 * Returns true if the service has answered to the decision that it doesn't know the run. A proxy, or a service that is starting, may have
 * answered in its place, so that the decision can still be sent.
 */
export function isRunUnknown({ state }: HumanRequest): boolean {
  return state.status === 'failed' && state.failure.kind === 'refused' && state.failure.code === 'not-found';
}

/** Returns true if a flow waits for the answer, as far as we know. People can also answer in the flow's own control panel. */
export function isOpenInFlow(request: HumanRequest): boolean {
  return isOpen(request) && request.question.destination?.kind === 'flow';
}

/** Returns the decision on a request, also one that can still be undone or that was void; null if there is none. */
export function decisionOf({ state }: HumanRequest): Decision | null {
  return 'decision' in state ? state.decision : null;
}

/** Returns the decline that closes the whole run; null if the request isn't declined, or the decline can still be undone. */
export function finalNo({ state }: HumanRequest): Decision | null {
  if (!('decision' in state) || state.status === 'superseded') return null;
  const isSettled = state.status !== 'decided' || state.undoUntil === null;
  return isSettled && state.decision.verdict === 'decline' ? state.decision : null;
}

/** Returns true if the crew may have received the decision although nothing confirms it. */
export function isInDoubt({ state }: HumanRequest): boolean {
  return 'attempts' in state && state.attempts.some((attempt) => attempt.mayHaveArrived);
}

export type Pending = RequestIn<'pending'>;
type Closed = RequestIn<'superseded' | 'declined'>;
type Undelivered = RequestIn<'decided' | 'sending' | 'failed'>;

/** Records that a vote or decision was taken back, which the caller has removed from the request. */
export function retract(request: Pending, retraction: Retraction): Pending {
  const { kind, of } = retraction;
  const { discussion } = request;
  const others = discussion.retractions.filter((each) => each.kind !== kind || each.of.id !== of.id);
  const retractions = [...others, retraction];
  return { ...request, discussion: { ...discussion, takenBack: discussion.takenBack + 1, retractions } };
}

/** Returns what a person typed for a vote or decision of theirs that was taken back; '' if nothing. */
export function typedBefore({ retractions }: Pick<Discussion, 'retractions'>, personId: string): string {
  return retractions.findLast(({ of, text }) => of.id === personId && text !== null)?.text ?? '';
}

/**
 * Makes the request void. A decision that was made stays on it, although the crew never received it. A decline stands by itself: the
 * crew needs no answer.
 */
export function supersede(request: HumanRequest, by: SupersededBy, now: Millis): Closed {
  const decision = decisionOf(request);
  if (decision?.verdict === 'decline') return { ...request, state: { status: 'declined', decision, declinedAt: now } };
  return { ...request, state: { status: 'superseded', decision, by, supersededAt: now } };
}

/** Records that the decision arrived, as a later event shows, whatever the answer to the call was. */
export function provenBy(request: Undelivered, now: Millis): HumanRequest {
  const { decision } = request.state;
  const state = { status: 'delivered', decision, proof: 'evidence', resumedAs: null, deliveredAt: now } as const;
  return { ...request, state };
}

/** Returns the ids of the people who gave these votes, and of the people whose rights they used. */
export function peopleBehind(votes: readonly Pick<Vote, 'by' | 'for'>[]): string[] {
  return votes.flatMap(({ by, for: giver }) => (giver ? [by.id, giver.id] : [by.id]));
}

/** Returns the votes of all stages, in the order of the stages, one for each person. */
export function allVotes({ stages, votes }: Pick<Discussion, 'stages' | 'votes'>): Vote[] {
  const all = [...stages.flatMap((stage) => stage.votes), ...votes];
  return [...new Map(all.map((vote) => [vote.by.id, vote])).values()];
}

/** Returns the text that the crew asked about, before people edited it. */
export function askedText({ output, edited }: Pick<Question, 'output' | 'edited'>): Output {
  return edited?.of ?? output;
}

/** A round as the next one shows it. */
export interface EarlierRound {
  round: number;
  /** The text of the crew or program that asked. */
  text: Output;
  /** The rejection that led to the next round; null where none did. */
  rejection: Decision | null;
}

export function asEarlierRound(request: HumanRequest): EarlierRound {
  const { question, state } = request;
  const isUndoable = state.status === 'decided' && state.undoUntil !== null;
  const decision = state.status === 'superseded' || isUndoable ? null : decisionOf(request);
  return {
    round: question.round,
    text: askedText(question),
    rejection: decision?.verdict === 'reject' ? decision : null,
  };
}

/** Returns the edited text that the crew receives with an approval; null if nobody edited it, or for any other decision. */
export function editsToSend(request: HumanRequest): Output | null {
  const { output, edited } = request.question;
  return edited && decisionOf(request)?.verdict === 'approve' ? output : null;
}

/** The direct messages to the people who can decide. They are listed once the card is there, which they link to. */
export type DirectMessages =
  /** More recipients are to be found than `list` has so far. */
  | { status: 'due'; tries: number; notBefore: Millis; list: readonly DirectMessage[] }
  | { status: 'listed'; list: readonly DirectMessage[] };

/** A direct message to one person. */
export interface DirectMessage extends Recipient {
  /** The id of the conversation that it was posted in; null until then. */
  channel: string | null;
}
