import type { Answer, InputField } from '../values/input-field.ts';
import type { Inputs } from '../values/json.ts';
import type { Millis } from '../values/time.ts';
import type { Claimed } from './claim.ts';
import type { Recipient } from './post.ts';
import type { Undecidable } from './shortage.ts';
import type { SignIn } from './sign-in.ts';

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
  /** What they chose, where the request offers outcomes; never for a decline, nor if nobody decided. */
  outcome?: string | undefined;
  /** What they have filled in, where the request has fields; never with another verdict than an approval. */
  answer?: Answer | undefined;
  /** What the person typed. */
  feedback: string | null;
  /**
   * Exactly what the crew receives as `human_feedback`, but for the edited text that follows on it where one was approved; null for a
   * decline that it isn't told.
   */
  text: string | null;
  /** Whose verdict completed it; null if nobody decided in time, and the policy says what the crew is told then. */
  by: Person | null;
  /** Whose right they used, if not their own. */
  for?: Person | undefined;
  /** Where they have signed in to approve. */
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
  /** Whose right they used, if not their own. */
  for?: Person | undefined;
  /** Where they have signed in to give it. */
  signIn?: SignIn | undefined;
  at: Millis;
  /** Their note for the crew. */
  feedback: string | null;
  /** What they chose, where the request offers outcomes. */
  outcome?: string | undefined;
  /** What they have filled in, where the request has fields. */
  answer?: Answer | undefined;
  /** Where one person each of several has to approve: which approver lets this one, and whose place of `allOf` they take. */
  rule?: string | undefined;
  seat?: string | undefined;
  /** Where several rules may turn out to apply: as what it counts by each of them that it counts by. */
  under?: readonly CountedUnder[] | undefined;
}

/** As what a vote counts by one of the rules that may turn out to apply. */
export interface CountedUnder extends Pick<Vote, 'for' | 'rule' | 'seat'> {
  /** The place of the rules in the crew's policy. */
  place: string;
}

/** What had to be approved before the rest, and was. */
export interface CompletedStage {
  /** Recognises its rules, and those of the stages before it. */
  key: string;
  name: string;
  at: Millis;
  /** Those that count for it, in their order. */
  votes: readonly Vote[];
}

/** Others may decide, too, by some rules. */
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
  /** From then on it no longer counts; null if it counts for good. */
  until: Millis | null;
}

/**
 * A person has taken back a vote, or a decision before it was sent. `lost`: nobody has, but the store has lost what this person
 * decided or approved.
 */
export interface Retraction {
  kind: 'vote' | 'decision' | 'lost';
  by: Person;
  /** Whose vote or decision it was. */
  of: Person;
  /** What they had typed, which is theirs alone now. */
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
  /** '1', '2', … within its approval. */
  id: string;
  /**
   * `stage`: the stage before is complete. `undecidable`: too few people are left to complete it. `decidable`: there are enough
   * again. `edited`: the text has changed, so that their approvals have lapsed.
   */
  kind: 'reminder' | 'escalation' | 'ask' | 'stage' | 'undecidable' | 'decidable' | 'edited';
  /** Who asked for it; null if time did. */
  by: Person | null;
  /** The people and groups to mention, as a policy names them. */
  mentions: string[];
}

/** Why a decision has not reached the crew. */
export type ResumeFailure =
  | { kind: 'refused'; code: CrewRefusal; status: number; detail: string }
  | { kind: 'not-confirmed' };

/**
 * Why a call certainly had no effect, so that Signoff repeats it by itself. `unreachable`: nothing answered. `busy`: the service asked
 * to wait, since it is starting or has too much to do.
 */
export type Unavailability = 'unreachable' | 'busy';

/** Why the service refused, by what a person can do about it. */
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

/** Whether it takes a token of the person's own to do better. */
export function isAboutUserToken(code: CrewRefusal): boolean {
  return code === 'user-token-refused' || code === 'no-user-token';
}

/** What was asked, and how people and the thread deal with it, whatever its status. */
interface Request {
  /** '1', '2', … within its execution. */
  id: string;
  taskId: string;
  taskName: string | null;
  /** Whether that is a title which a program or a workflow has chosen. */
  isTitled: boolean;
  /** 1 for the first request of this task, then counting up. */
  round: number;
  /** The text that is decided. */
  output: Output;
  /** Null while that is the text of the crew. */
  edited: Edited | null;
  /** What the text is about in one line, as its first heading says it; '' if it is empty. */
  heading: string;
  /** What people choose from, in the order shown; null where they approve or reject. Beside a single one they may also reject. */
  outcomes: readonly string[] | null;
  /** What people fill in to answer it; null where they approve, reject or choose. */
  fields: readonly InputField[] | null;
  /** Why its asker wants to do it, in its own words; null if it doesn't say. */
  why: string | null;
  /** Where the decision goes; null for the crew's `POST /resume`. */
  destination: Destination | null;
  /** For how long its asker waits, whatever the policy says; null if it doesn't say. */
  limitMs: Millis | null;
  /** What its asker calls it: each round has another one. Null if it has no name of its own. */
  requestId: string | null;
  /** What it says itself of what rules may depend on; it wins over the inputs of the run. Null if it says nothing. */
  inputs: Inputs | null;
  /** Which webhook addresses the request arrived at: 0 for those of the kickoff, n for those that the n-th resume gave out. */
  hop: number;
  kickoffId: string | null;
  askedAt: Millis;
  /** The round whose text this one repeats, if the request may be a repeated notification of it. */
  repeatsRound: number | null;
  /** Whether the crew's status has said that the crew waits for the answer to a repeated text. */
  isConfirmedRepeat: boolean;
  /** Approvals that have not decided it by themselves, oldest first, at most one a person; of its stage, where it has several. */
  votes: Vote[];
  /** Those that are complete, in their order. */
  stages: readonly CompletedStage[];
  /** How often a vote or decision was taken back: messages are updated then, whatever the record says that they show. */
  takenBack: number;
  /** The last of each kind by each person, oldest first: the same click may be delivered again. */
  retractions: Retraction[];
  handedOver: HandOver[];
  alerts: Alert[];
  /** Whom its card mentions, by Slack's ids of people and groups; null until it was posted. */
  mentioned: readonly string[] | null;
  directMessages: DirectMessages;
  /** How many people its card would mention who aren't in the channel, and get no direct message either. */
  untold: number;
  /** Whether the text is attached to the thread once its approval has been delivered. */
  keepsText: boolean;
  times: Times;
  /** When to find out whether its votes are complete by the rules that are left; null unless something was learned. */
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
 * Where a decision goes that isn't sent to the `POST /resume` of a crew: to a flow that waits for feedback, to an address that the
 * asker named, or nowhere, since the asker fetches it. The addresses hold secrets, and are sealed.
 */
export type Destination = { kind: 'flow' | 'callback'; sealedUrl: string } | { kind: 'poll' };

/** Whether something waits that nothing but an answer ends, whatever became of the request. */
export function mustHear({ destination }: { destination: Pick<Destination, 'kind'> | null }): boolean {
  return destination?.kind === 'callback';
}

/** When something happens to a request by itself; null for never. */
export interface Times {
  /** Names the rules by which they were planned; '' if that isn't known. */
  rules: string;
  /** Since when the clocks run; null for since the request was asked. */
  countedFrom: Millis | null;
  remindAt: Millis | null;
  /** How many reminders there were. */
  reminders: number;
  escalateAt: Millis | null;
  /** By which rules the open stage was escalated. */
  escalations: readonly Escalation[];
  expireAt: Millis | null;
  /** When to find out whether there are enough people who can decide. */
  lookAt: Millis | null;
  /** When a person last asked those who may decide. */
  askedAgainAt: Millis | null;
}

/** By no rules: nothing happens by itself, and nothing has. */
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

/** One request for human input: (execution, task, round), bound to the exact output by its hash. */
export type Approval = Request & ApprovalState;

/** The delivery of a decision before its first try. */
export const UNTRIED = { tries: 0, delayedBy: null, giveUpAt: null } as const;

type ApprovalState =
  | { status: 'pending' }
  | {
      status: 'decided';
      decision: Decision;
      attempts: Attempt[];
      tries: number;
      /** Why the last try failed; null before it, and for a callback. */
      delayedBy: Unavailability | null;
      /** Until when a callback that a try has failed to deliver is sent again; null before that, and for anything else. */
      giveUpAt: Millis | null;
      sendAt: Millis;
      /** Until then it can be undone; null once it is due. */
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
  /** Nobody decided in time, and the crew isn't told. */
  | { status: 'expired'; expiredAt: Millis };

/**
 * What made a request void. `declined`: a decline to another one of its run. `elsewhere`: it was answered in another place.
 * `cancelled`: whoever asked no longer waits for it. `replaced`: whoever asked has asked something else in its place.
 */
export type SupersededBy = 'newer-round' | 'ended' | 'unfollowed' | 'declined' | 'elsewhere' | 'cancelled' | 'replaced';

/** A decision that is on its way to whoever asked. */
export type Sending = Extract<Approval, { status: 'sending' }>;

/** One `POST /resume`: its number within the approval and the hop of the addresses it gave out. */
export interface Attempt {
  number: number;
  hop: number;
  /** False once the service is known not to have received this attempt. */
  mayHaveArrived: boolean;
}

const OPEN: readonly Approval['status'][] = ['pending', 'decided', 'sending', 'failed'];

/** Whether the request still waits for a decision, its delivery, or another try. */
export function isOpen({ status }: Approval): boolean {
  return OPEN.includes(status);
}

/**
 * Whether the service has answered to the decision that it doesn't know the run. A proxy, or a service that is starting, may have
 * answered in its place, so that the decision can still be sent.
 */
export function isRunUnknown(approval: Approval): boolean {
  if (approval.status !== 'failed') return false;
  const { failure } = approval;
  return failure.kind === 'refused' && failure.code === 'not-found';
}

/** Whether a flow waits for it, as far as we know: it can be answered in the flow's own control panel as well. */
export function isOpenInFlow(approval: Approval): boolean {
  return isOpen(approval) && approval.destination?.kind === 'flow';
}

/** The decision that stands on a request; null where there is none. */
export function decisionOf(approval: Approval): Decision | null {
  return 'decision' in approval ? approval.decision : null;
}

/** The decline that closes the whole run; null if this decides otherwise, or can still be undone. */
export function finalNo(approval: Approval): Decision | null {
  if (!('decision' in approval) || approval.status === 'superseded') return null;
  const isSettled = approval.status !== 'decided' || approval.undoUntil === null;
  return isSettled && approval.decision.verdict === 'decline' ? approval.decision : null;
}

/** Whether the crew may have received the decision although nothing confirms it. */
export function isInDoubt(approval: Approval): boolean {
  return 'attempts' in approval && approval.attempts.some((attempt) => attempt.mayHaveArrived);
}

export type Pending = Extract<Approval, { status: 'pending' }>;
type Closed = Extract<Approval, { status: 'superseded' | 'declined' }>;
type Undelivered = Extract<Approval, { status: 'decided' | 'sending' | 'failed' }>;

type FieldOf<State> = State extends unknown ? keyof State : never;
type StateField = FieldOf<ApprovalState>;

/** The part of a request that no decision and no delivery changes. A field of a state that isn't taken off here doesn't compile. */
export function askedPart(approval: Approval): Request {
  const fields: Request & { [Field in StateField]?: unknown } = approval;
  const { status, decision, attempts, tries, delayedBy, giveUpAt, sendAt, undoUntil, claim, until, ...others } = fields;
  const { proof, resumedAs, deliveredAt, failure, failedAt, by, supersededAt, declinedAt, expiredAt, ...asked } =
    others;
  return asked satisfies Request & { [Field in StateField]?: never };
}

/** The request without a vote or decision that was on it. */
export function retract(approval: Pending, retraction: Retraction): Pending {
  const { kind, of } = retraction;
  const others = approval.retractions.filter((each) => each.kind !== kind || each.of.id !== of.id);
  return { ...approval, takenBack: approval.takenBack + 1, retractions: [...others, retraction] };
}

/** What a person had typed for a vote or decision of theirs that was taken back; empty if nothing. */
export function typedBefore({ retractions }: Pick<Approval, 'retractions'>, personId: string): string {
  return retractions.findLast(({ of, text }) => of.id === personId && text !== null)?.text ?? '';
}

/**
 * The request is void. A decision that was made stays on it, although the crew was not told. A decline stands by itself: the
 * crew needn't hear of it.
 */
export function supersede(approval: Approval, by: SupersededBy, now: Millis): Closed {
  const decision = decisionOf(approval);
  if (decision?.verdict === 'decline') return { ...askedPart(approval), status: 'declined', decision, declinedAt: now };
  return { ...askedPart(approval), status: 'superseded', decision, by, supersededAt: now };
}

/** The decision arrived, as a later event shows, whatever the call itself said. */
export function provenBy(approval: Undelivered, now: Millis): Approval {
  return {
    ...askedPart(approval),
    status: 'delivered',
    decision: approval.decision,
    proof: 'evidence',
    resumedAs: null,
    deliveredAt: now,
  };
}

/** The ids of those who gave these votes, and of those whose rights they used. */
export function peopleBehind(votes: readonly Pick<Vote, 'by' | 'for'>[]): string[] {
  return votes.flatMap(({ by, for: giver }) => (giver ? [by.id, giver.id] : [by.id]));
}

/** All who have approved, in the order of the stages, each once. */
export function allVotes({ stages, votes }: Pick<Approval, 'stages' | 'votes'>): Vote[] {
  const all = [...stages.flatMap((stage) => stage.votes), ...votes];
  return [...new Map(all.map((vote) => [vote.by.id, vote])).values()];
}

/** The text that the crew asked about, whatever people have made of it. */
export function askedText({ output, edited }: Pick<Approval, 'output' | 'edited'>): Output {
  return edited?.of ?? output;
}

/** A round as the next one shows it. */
export interface EarlierRound {
  round: number;
  /** The text of whoever asked. */
  text: Output;
  /** The rejection that led to the next round; null where none did. */
  rejection: Decision | null;
}

export function asEarlierRound(approval: Approval): EarlierRound {
  const isUndoable = approval.status === 'decided' && approval.undoUntil !== null;
  const decision = approval.status === 'superseded' || isUndoable ? null : decisionOf(approval);
  return {
    round: approval.round,
    text: askedText(approval),
    rejection: decision?.verdict === 'reject' ? decision : null,
  };
}

/** The text that the crew receives with an approval, since people have edited its own; null for any other decision. */
export function editsToSend({ output, edited, ...approval }: Approval): Output | null {
  const decision = 'decision' in approval ? approval.decision : null;
  return edited && decision?.verdict === 'approve' ? output : null;
}

/** The direct messages to those who should decide. They are listed once the card is there, which they link to. */
export type DirectMessages =
  /** It is to be found out who else gets one. */
  | { status: 'due'; tries: number; notBefore: Millis; list: readonly DirectMessage[] }
  | { status: 'listed'; list: readonly DirectMessage[] };

/** A direct message to one person. */
export interface DirectMessage extends Recipient {
  /** The id of the conversation that it was posted in; null until then. */
  channel: string | null;
}
