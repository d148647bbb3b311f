import type {
  InputsAnswer,
  KickoffAnswer,
  ResumeAnswer,
  StatusReading,
  Step,
  TokenAnswer,
} from './execution/events.ts';
import type { StatusOutcome } from './execution/run.ts';
import type { CompletionAnswer } from './execution/workflow-steps.ts';
import type { AnswerOutcome, UntoldAnswer } from './messages/private-answers.ts';
import type { Account } from './policy/evaluate.ts';
import type { Approver } from './policy/policy.ts';
import type { Approval, Destination, Output, Person, Sending } from './state/approval.ts';
import type { Execution, Transition, WorkflowStep } from './state/execution.ts';
import type { Message } from './state/message.ts';
import type { PostOutcome, Recipients } from './state/post.ts';
import type { Answer } from './values/input-field.ts';
import type { Inputs } from './values/json.ts';
import type { Millis } from './values/time.ts';
import type { GroupChange } from './values/user-groups.ts';

export type Changed<Refusal> =
  | { kind: 'changed'; before: Execution; after: Execution }
  | { kind: 'unchanged'; execution: Execution }
  | { kind: 'refused'; refusal: Refusal; execution: Execution }
  | { kind: 'absent' };

/** Stores executions. Every method throws `StoreUnavailable` if the store gives no answer. */
export interface ExecutionStore {
  /** Stores a new execution with its due time. An existing execution of the same ref is left as it is. */
  create(ref: string, make: (now: Millis) => Execution): Promise<'created' | 'exists'>;
  /** The stored state, or one that this process has seen within the last `mostAgeMs` (default 0). */
  load(ref: string, options?: { mostAgeMs?: Millis }): Promise<{ execution: Execution; now: Millis } | null>;
  /** Runs a transition under compare-and-set; record and due time are stored in one step, or not at all. */
  change<Refusal>(ref: string, transition: Transition<Refusal>): Promise<Changed<Refusal>>;
  /** Deletes an execution if its stored state allows it; one that changes at that moment is kept. */
  remove(ref: string, allowed: (execution: Execution) => boolean): Promise<'removed' | 'kept'>;
  /** The channel's executions that have not ended, newest first. */
  openIn(channel: string): Promise<Execution[]>;
  /** The executions with a request that nobody has decided yet. */
  withPending(): Promise<string[]>;
  /** The refs of executions with something that Slack hasn't taken into this channel yet; null for all channels. */
  refusedIn(channel: string | null): Promise<string[]>;
  /** Number of this crew's starts and resumes that await their answer, over all processes. */
  unanswered(crew: string): Promise<number>;
  /** Stores that an id of the crew service belongs to an execution, unless that has thousands of ids. */
  linkId(crew: string, id: string, ref: string): Promise<void>;
  findById(crew: string, id: string): Promise<string | null>;
}

/** A change of an execution that the store has for good. */
export interface StoredChange {
  /** Null for a new execution. */
  before: Execution | null;
  after: Execution;
  /** When it was made, by the clock of the store. */
  at: Millis;
}

/** Hears of what this process stores: the worker, which does what is due, and metrics and Home, which only watch. */
export interface ChangeSubscriber {
  /** Takes each change once, oldest first, on a later turn of the event loop than the one in which its caller was answered. */
  onStored(changes: readonly StoredChange[]): void;
}

/** Tells of changes that other callers make. */
export interface ExecutionChanges {
  /**
   * Calls back whenever an execution has changed, in this process or, unless word of it gets lost, in another one. Returns what
   * ends that.
   */
  watch(ref: string, listener: () => void): () => void;
}

/** The ids of channels that Slack has replaced. Every method throws `StoreUnavailable` if the store gives no answer. */
export interface ChannelMoves {
  add(from: string, to: string): Promise<void>;
  /** The id that a channel has now. */
  latest(channel: string): Promise<string>;
}

/** Large texts beside the record, addressed by the hash of their content. */
export interface OutputStore {
  put(ref: string, text: string): Promise<Output>;
  /** Null if it has expired. */
  get(ref: string, hash: string): Promise<string | null>;
}

/** The agent steps of an execution, a capped list beside the record. */
export interface ActivityLog {
  add(ref: string, step: Step): Promise<void>;
  /** The latest steps, newest first. */
  latest(ref: string, most: number): Promise<Step[]>;
}

/** What the webhook addresses and credentials given to a crew service are derived from. */
export interface CallbackKey {
  ref: string;
  hop: number;
}

/** The crew services. No method throws: the answer says what a call proved. */
export interface CrewPort {
  kickoff(crew: string, call: CallbackKey & KickoffCall): Promise<KickoffAnswer>;
  resume(crew: string, call: CallbackKey & ResumeCall): Promise<ResumeAnswer>;
  /** A result's text is stored by the caller. */
  status(crew: string, kickoffId: string): Promise<RawStatus>;
}

/** Those who have asked otherwise than by the notification of a crew. No method throws: the answer says what a call proved. */
export interface AskerPort {
  /** Tells them a decision, where they have said. */
  tell(destination: Extract<Destination, { sealedUrl: string }>, told: ToldDecision): Promise<ResumeAnswer>;
}

export interface ToldDecision {
  ref: string;
  crew: string;
  request: Sending;
  /** The edited text that was approved; null where none was. */
  editedText: string | null;
}

/** Which inputs crews need. */
export interface CrewInputs {
  /** The names of a crew's inputs, cached for a short time. Never throws. */
  inputs(crew: string): Promise<InputsAnswer>;
}

/** For whom a crew is called: with their own token, if they have connected one. */
export interface OnBehalf {
  personId: string;
  /** Nothing is sent without a token of their own, even where the crew would take its own. */
  ownTokenOnly: boolean;
}

export interface KickoffCall {
  inputs: Inputs;
  as: OnBehalf | null;
}

export interface ResumeCall {
  /** Null if no person has decided. */
  as: OnBehalf | null;
  executionId: string;
  taskId: string;
  feedback: string;
  isApprove: boolean;
}

/** A status whose result is not in the output store yet. */
export type RawStatus = Exclude<StatusReading, { kind: 'completed' }> | { kind: 'completed'; text: string | null };

/** An execution's thread in Slack. No method but `turn` throws: the outcome says what a call proved. */
export interface ThreadPort {
  /**
   * Resolves to null once Slack's rate limits allow the call. If that would take long, or takes long after all, resolves to the
   * milliseconds after which to ask again. Throws `StoreUnavailable` if nobody knows what other processes have called.
   */
  turn(call: 'post' | 'update', execution: Execution, message: Message): Promise<Millis | null>;
  /** Leaves a turn that isn't needed to another call. */
  leaveTurn(call: 'post' | 'update', execution: Execution, message: Message): Promise<void>;
  /** Posts a message, or posts it `again` after an attempt whose outcome is unknown. */
  post(
    execution: Execution,
    message: Message,
    options: { posting: 'new' | 'again'; now: Millis },
  ): Promise<PostOutcome>;
  update(execution: Execution, message: Message, now: Millis): Promise<PostOutcome>;
  /** Has the thread's status tell the agents' latest step. It is worth no second try: the next step says more. */
  showStatus(execution: Execution): Promise<StatusOutcome>;
  clearStatus(execution: Execution): Promise<void>;
  /** Who gets a direct message about a request. */
  recipients(execution: Execution, approval: Approval, now: Millis): Promise<Recipients>;
  /** Gives a person a late answer by direct message. */
  tell(answer: UntoldAnswer): Promise<AnswerOutcome>;
  /** Tells the starter privately how the start went. */
  notify(execution: Execution, now: Millis): Promise<'told' | 'later'>;
}

/** How fast calls may be made: `burst` at once, and then one every `everyMs`. */
export interface Rate {
  everyMs: Millis;
  burst: number;
}

/** The tokens of a rate limit, one for each call. Every method throws `StoreUnavailable` if the store gives no answer. */
export interface TokenBucket {
  /**
   * Takes a token for each of the first calls, up to one that needs more tokens to be there than there are. Resolves to the count
   * of these calls, and to the tokens that are there now: fewer than none while the bucket is drained.
   */
  take(least: readonly number[]): Promise<{ count: number; tokens: number }>;
  /** Puts back a token that isn't needed. */
  putBack(): Promise<void>;
  /** Leaves no token for this time. */
  drain(waitMs: Millis): Promise<void>;
}

/** Opens the bucket of a limit, which all processes share that open it by this name. */
export type OpenBucket = (limit: string, rate: Rate) => TokenBucket;

/** Slack's own workflows. */
export interface WorkflowPort {
  /** Tells Slack what became of a step: that it is done, with what it puts out, or why it failed. Never throws. */
  complete(execution: Execution, step: WorkflowStep): Promise<CompletionAnswer>;
}

/** An approval that counts once its person has signed in: of which text, and how they want to give it. */
export interface WantedApproval {
  by: Person;
  ref: string;
  approvalId: string;
  /** The hash of the text that they were shown. */
  hash: string;
  /** The place of the outcome that they have chosen, where the request offers some. */
  choice?: number | undefined;
  /** What they have filled in, where the request has fields. */
  answer?: Answer | undefined;
  /** For the crew; null if there is none. */
  note: string | null;
  /** The text that they have made of it, and approve instead. */
  edited?: Output | undefined;
  /** `confirmed`: the person was asked whether they approve that soon. */
  review: 'confirmed' | 'unasked';
}

/** An approval as its link leads to it, and when the link was made. */
export type LinkedApproval = WantedApproval & { at: Millis };

/** Links by which people sign in to approve, each good for five minutes and once. Every method throws `StoreUnavailable` if the store gives no answer. */
export interface SignInLinks {
  /** Resolves to the secret that the link carries. */
  create(wanted: WantedApproval): Promise<string>;
  /** Null if there is no such link, or no longer. */
  find(linkId: string): Promise<LinkedApproval | null>;
  /** The same, for one caller alone: the link is used then. */
  use(linkId: string): Promise<LinkedApproval | null>;
}

/** A thread in which a program asks: the program's own name for it, which is its crew's alone. */
export interface AskThreadKey {
  crew: string;
  thread: string;
}

/** `first`: the ref of the ask that begins the thread in Slack; null if that isn't known. `earlier`: the asks before, newest first. */
type JoinedThread = { kind: 'joined'; first: string | null; earlier: string[] } | { kind: 'other-channel' };

/** The threads in which programs ask. Every method throws `StoreUnavailable` if the store gives no answer. */
export interface AskThreads {
  /** Adds an ask, unless it is there, or the thread is in another channel. @param ask `waitMs`: for how long it may wait for people */
  join(thread: AskThreadKey, ask: { ref: string; channel: string; waitMs: Millis }): Promise<JoinedThread>;
  /**
   * Has another ask begin the thread in Slack, unless one does that the caller doesn't know of. Resolves to the one that does; null
   * if the thread is unknown.
   */
  begin(thread: AskThreadKey, by: { instead: string | null; ref: string }): Promise<string | null>;
}

/** What is counted to bound it. Every method throws `StoreUnavailable` if the store gives no answer. */
export interface HourlyCounts {
  /** Adds an amount; resolves to the sum, and when it no longer counts. */
  add(kind: 'elsewhere' | 'unreadable', owner: string, amount: number): Promise<{ count: number; endsInMs: Millis }>;
}

/** Thrown by a store that gives no answer: nothing may be acknowledged. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
  /** Whether the store doesn't understand what it was asked, which is our fault and no outage. */
  readonly isFault: boolean = false;
}

/** Whether something failed only because the store was away, or couldn't take anything. */
export function isOutage(error: unknown): boolean {
  return error instanceof StoreUnavailable && !error.isFault;
}

/** What Slack says about people and groups, at most a minute old. No method throws or takes longer than two seconds. */
export interface Directory {
  /** Null if Slack can't tell. */
  account(personId: string): Promise<Account | null>;
  /**
   * The ids of the people whom an approver stands for; those of a channel are its members. Null if Slack can't tell. Where it
   * only matters whether some people are `among` them, others may be left out: so nobody lists a channel of thousands.
   */
  membersOf(approver: Approver, channel: string, among?: readonly string[]): Promise<ReadonlySet<string> | null>;
}

/**
 * What Slack has lately told of user groups, in the order in which it did, and whichever process it told. Every method throws
 * `StoreUnavailable` if the store gives no answer.
 */
export interface GroupChanges {
  add(change: GroupChange): Promise<void>;
  /** The position after all changes so far. */
  latest(): Promise<string>;
  /** The changes after a position, as far as they are kept, and the position after them. */
  after(position: string): Promise<{ changes: GroupChange[]; position: string }>;
}

/** The access tokens that people have connected to crews. Every method throws `StoreUnavailable` if the store gives no answer. */
export interface UserTokens {
  /** Null also for one that none of the secrets opens any more. */
  find(crew: string, personId: string): Promise<string | null>;
  put(crew: string, personId: string, token: string): Promise<void>;
  remove(crew: string, personId: string): Promise<'removed' | 'absent'>;
}

/** The latest feedback that people have sent, which they may want to send again. */
export interface RecentFeedback {
  add(crew: string, personId: string, text: string): Promise<void>;
  /** At most three texts, newest first. */
  latest(crew: string, personId: string): Promise<string[]>;
}

/** Whether crews accept people's own tokens. */
export interface TokenCheck {
  /** Never throws. */
  checkToken(crew: string, token: string): Promise<TokenAnswer>;
}

/** The queue of due executions, shared by any number of processes. */
export interface DueQueue {
  /**
   * Claims up to `most` overdue executions for `leaseMs`, and tells which ones become due in the next `aheadMs`. After a claim that
   * wasn't complete, the next one also tells what this process has already claimed, whether it knows of it or not.
   */
  claim(most: number, times: { leaseMs: Millis; aheadMs: Millis }): Promise<ClaimedExecutions>;
  /** Returns a claimed execution to the queue at the due time of its stored state. Does nothing if it is no longer claimed. */
  release(ref: string): Promise<void>;
  /** Reports every due time that another process stores, while `isListening`. */
  listen(listener: DueListener): void;
  isListening(): boolean;
}

export interface ClaimedExecutions {
  refs: string[];
  upcoming: { ref: string; inMs: Millis }[];
  /** When more than those may be due, as a delay from now; null if none is within `aheadMs`. */
  moreInMs: Millis | null;
  /** False if a part of the queue gave no answer. */
  isComplete: boolean;
}

export interface DueListener {
  /** Another process has changed an execution, which is then free to be claimed after `inMs`; null if nothing is due. */
  onDue(ref: string, inMs: Millis | null): void;
  /** Due times may have been missed, or have come sooner than expected. */
  onMissed(): void;
  /** This process doesn't know whether a change of its own was stored, and may be due. */
  onUnsure(ref: string): void;
}

/** The processes of the bot that share a store. */
export interface ProcessRegistry {
  /** This process, never the same after a restart. */
  readonly id: string;
  /** Whether a process has ended for sure. Throws `StoreUnavailable`. */
  isGone(id: string): Promise<boolean>;
  /** Whether there is no other process: none has answered. */
  isAlone(): boolean;
  /** Calls back for each other process that has ended in the middle of something, seconds later, with how long it has been silent. */
  onGone(listener: (silentMs: Millis) => void): void;
}
