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
import type { Account } from './policy/permits.ts';
import type { Approver } from './policy/policy.ts';
import type { Execution, Transition, WorkflowStep } from './state/execution.ts';
import type { Message } from './state/message.ts';
import type { PostOutcome, Recipients } from './state/post.ts';
import type { Destination, HumanRequest, Output, Person, Sending } from './state/request.ts';
import type { Answer } from './values/input-field.ts';
import type { Inputs } from './values/json.ts';
import type { Millis } from './values/time.ts';
import type { GroupChange } from './values/user-groups.ts';

// The ports of the core: what it needs from the store, Slack, the crews and the queue. Each is implemented outside.

export type Changed<Refusal> =
  | { kind: 'changed'; before: Execution; after: Execution }
  | { kind: 'unchanged'; execution: Execution }
  | { kind: 'refused'; refusal: Refusal; execution: Execution }
  | { kind: 'absent' };

/** The store of executions. Every method throws `StoreUnavailable` if it gives no answer. */
export interface ExecutionStore {
  /** Stores a new execution with its due time. Leaves an existing execution of the same ref as it is. */
  create(ref: string, make: (now: Millis) => Execution): Promise<'created' | 'exists'>;
  /** Returns the stored state, or one that this process has seen within the last `mostAgeMs` (default 0). */
  load(ref: string, options?: { mostAgeMs?: Millis }): Promise<{ execution: Execution; now: Millis } | null>;
  /** Runs a transition under compare-and-set. Record and due time are stored in one step, or not at all. */
  change<Refusal>(ref: string, transition: Transition<Refusal>): Promise<Changed<Refusal>>;
  /**
   * Runs a transition like `change`, but its outcome counts in this process at once, and is stored later: with the next change of the
   * execution, within `mostMs`, and before other processes may claim the execution. A crash before that undoes it, so it may only
   * record what can be repeated.
   */
  changeSoon<Refusal>(ref: string, transition: Transition<Refusal>, mostMs: Millis): Promise<Changed<Refusal>>;
  /** Stores all changes that weren't stored at once, before this process stops. Later ones are stored at once. Never rejects. */
  storeAll(): Promise<void>;
  /** Deletes an execution if its stored state allows it; keeps one that changes at that moment. */
  remove(ref: string, allowed: (execution: Execution) => boolean): Promise<'removed' | 'kept'>;
  /** Returns the channel's executions that have not ended, newest first. */
  openIn(channel: string): Promise<Execution[]>;
  /** Returns the refs of executions with an undecided request. */
  withPending(): Promise<string[]>;
  /** Returns the refs of executions with messages that Slack hasn't taken into this channel yet; null means all channels. */
  refusedIn(channel: string | null): Promise<string[]>;
  /** Returns the number of this crew's starts and resumes that await their answer, over all processes. */
  unanswered(crew: string): Promise<number>;
  /** Stores which execution an id of the crew service belongs to, unless that execution has thousands of ids. */
  linkId(crew: string, id: string, ref: string): Promise<void>;
  findById(crew: string, id: string): Promise<string | null>;
}

/** A change of an execution that is durable. */
export interface StoredChange {
  /** Null for a new execution. */
  before: Execution | null;
  after: Execution;
  /** Time of the change by the clock of the store. */
  at: Millis;
}

/** Receives the changes that this process stores: the worker, which does what is due, and metrics and Home, which only watch. */
export interface ChangeSubscriber {
  /** Takes each change once, oldest first, on a later turn of the event loop than the answer to its caller. */
  onStored(changes: readonly StoredChange[]): void;
}

/** Reports changes that other callers make. */
export interface ExecutionChanges {
  /**
   * Calls back whenever an execution has changed, in this process or, unless the announcement gets lost, in another one. Returns
   * a function that ends the watch.
   */
  watch(ref: string, listener: () => void): () => void;
}

/** The ids of channels that Slack has replaced. Every method throws `StoreUnavailable` if the store gives no answer. */
export interface ChannelMoves {
  add(from: string, to: string): Promise<void>;
  /** Returns the current id of a channel. */
  latest(channel: string): Promise<string>;
}

/** Large texts beside the record, addressed by the hash of their content. */
export interface OutputStore {
  put(ref: string, text: string): Promise<Output>;
  /** Returns null if the text has expired. */
  get(ref: string, hash: string): Promise<string | null>;
}

/** The agent steps of an execution: a capped list beside the record. */
export interface ActivityLog {
  add(ref: string, step: Step): Promise<void>;
  /** Returns the latest steps, newest first. */
  latest(ref: string, most: number): Promise<Step[]>;
}

/** The values from which the webhook addresses and credentials for a crew service are derived. */
export interface CallbackKey {
  ref: string;
  hop: number;
}

/** The crew services. No method throws: the answer says what a call proved. */
export interface CrewPort {
  kickoff(crew: string, call: CallbackKey & KickoffCall): Promise<KickoffAnswer>;
  resume(crew: string, call: CallbackKey & ResumeCall): Promise<ResumeAnswer>;
  /** Returns a status whose text the caller stores. */
  status(crew: string, kickoffId: string): Promise<RawStatus>;
}

/** Programs and workflows that ask without a crew. No method throws: the answer says what a call proved. */
export interface AskerPort {
  /** Sends a decision to the address that the program gave. */
  tell(destination: Extract<Destination, { sealedUrl: string }>, decision: ToldDecision): Promise<ResumeAnswer>;
}

export interface ToldDecision {
  ref: string;
  crew: string;
  request: Sending;
  /** The approved edited text; null if the text wasn't edited. */
  editedText: string | null;
}

export interface CrewInputs {
  /** Returns the names of a crew's inputs, cached for a short time. Never throws. */
  inputs(crew: string): Promise<InputsAnswer>;
}

/** The person for whom a crew is called, with their own token if they have connected one. */
export interface OnBehalf {
  personId: string;
  /** True to send nothing without a token of their own, even where the crew would take its own. */
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

/** A status whose result isn't in the output store yet. */
export type RawStatus = Exclude<StatusReading, { kind: 'completed' }> | { kind: 'completed'; text: string | null };

/** The thread of an execution in Slack. No method but `turn` throws: the outcome says what a call proved. */
export interface ThreadPort {
  /**
   * Resolves to null once Slack's rate limits allow the call. If that takes long, resolves to the milliseconds after which to ask
   * again. Throws `StoreUnavailable` if the calls of other processes are unknown.
   */
  turn(call: 'post' | 'update', execution: Execution, message: Message): Promise<Millis | null>;
  /** Gives an unused turn back. */
  leaveTurn(call: 'post' | 'update', execution: Execution, message: Message): Promise<void>;
  /** Posts a message, or posts it `again` after an attempt whose outcome is unknown. */
  post(
    execution: Execution,
    message: Message,
    options: { posting: 'new' | 'again'; now: Millis },
  ): Promise<PostOutcome>;
  update(execution: Execution, message: Message, now: Millis): Promise<PostOutcome>;
  /** Shows the agents' latest step as the thread's status. A failure needs no retry: the next step says more. */
  showStatus(execution: Execution): Promise<StatusOutcome>;
  clearStatus(execution: Execution): Promise<void>;
  /** Finds the people who get a direct message about a request. */
  recipients(execution: Execution, request: HumanRequest, now: Millis): Promise<Recipients>;
  /** Sends a late answer to a person by direct message. */
  tell(answer: UntoldAnswer): Promise<AnswerOutcome>;
  /** Notifies the starter privately how the start went. */
  notify(execution: Execution, now: Millis): Promise<'told' | 'later'>;
}

/** A rate limit: `burst` calls at once, and then one every `everyMs`. */
export interface Rate {
  everyMs: Millis;
  burst: number;
}

/** The tokens of a rate limit, one for each call. Every method throws `StoreUnavailable` if the store gives no answer. */
export interface TokenBucket {
  /**
   * Takes a token for each call, in order, until a call needs more tokens in the bucket (`least`) than there are. Resolves to the
   * number of calls with a token, and to the tokens left: below zero while the bucket is drained.
   */
  take(least: readonly number[]): Promise<{ count: number; tokens: number }>;
  /** Puts back an unused token. */
  putBack(): Promise<void>;
  /** Leaves no token for `waitMs`. */
  drain(waitMs: Millis): Promise<void>;
}

/** Opens the bucket of a limit. All processes that open it by this name share it. */
export type OpenBucket = (limit: string, rate: Rate) => TokenBucket;

/** Slack's own workflows. */
export interface WorkflowPort {
  /** Tells Slack that a step is complete, with its outputs, or why it failed. Never throws. */
  complete(execution: Execution, step: WorkflowStep): Promise<CompletionAnswer>;
}

/** An approval that counts once its person has signed in. */
export interface ApprovalIntent {
  by: Person;
  ref: string;
  approvalId: string;
  /** Hash of the text that they saw. */
  hash: string;
  /** Index of the chosen outcome, where the request offers some. */
  choice?: number | undefined;
  /** The filled-in fields, where the request has some. */
  answer?: Answer | undefined;
  /** A note for the crew; null if there is none. */
  note: string | null;
  /** Their edited text, which they approve instead. */
  edited?: Output | undefined;
  /** `confirmed`: the person confirmed that they want to approve so soon after the card appeared. */
  review: 'confirmed' | 'unasked';
}

/** The approval that a link stands for; the link was made at `at`. */
export type LinkedApproval = ApprovalIntent & { at: Millis };

/** Links by which people sign in to approve: each once, within five minutes. Every method may throw `StoreUnavailable`. */
export interface SignInLinks {
  /** Resolves to the secret in the link. */
  create(intent: ApprovalIntent): Promise<string>;
  /** Returns null for an unknown or expired link. */
  find(linkId: string): Promise<LinkedApproval | null>;
  /** Finds and uses the link up, so that only one caller gets it. */
  use(linkId: string): Promise<LinkedApproval | null>;
}

/** A thread in which a program asks. The program's name for it belongs to its crew alone. */
export interface AskThreadKey {
  crew: string;
  thread: string;
}

/** `first`: the ref of the ask that begins the thread in Slack; null if unknown. `earlier`: the asks before, newest first. */
type JoinedThread = { kind: 'joined'; first: string | null; earlier: string[] } | { kind: 'other-channel' };

/** The threads in which programs ask. Every method throws `StoreUnavailable` if the store gives no answer. */
export interface AskThreads {
  /** Adds an ask, unless it is there or the thread is in another channel. @param ask `waitMs`: how long it may wait for people */
  join(thread: AskThreadKey, ask: { ref: string; channel: string; waitMs: Millis }): Promise<JoinedThread>;
  /**
   * Makes this ask the one that begins the thread in Slack, if `instead` is the one that did so far. Resolves to the ask that
   * begins it now; null if the thread is unknown.
   */
  begin(thread: AskThreadKey, by: { instead: string | null; ref: string }): Promise<string | null>;
}

/** Counters that bound how often something happens. Every method throws `StoreUnavailable` if the store gives no answer. */
export interface HourlyCounts {
  /** Adds an amount. Resolves to the sum, and to the time after which it starts again. */
  add(kind: 'elsewhere' | 'unreadable', owner: string, amount: number): Promise<{ count: number; endsInMs: Millis }>;
}

/** Thrown by a store that gives no answer. The caller must not acknowledge anything. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
  /** True if the store rejected the call itself, which is our bug and no outage. */
  readonly isFault: boolean = false;
}

/** Returns true if the error means only that the store was away or couldn't take anything. */
export function isOutage(error: unknown): boolean {
  return error instanceof StoreUnavailable && !error.isFault;
}

/** Slack's facts about people and groups, at most a minute old. No method throws or takes longer than two seconds. */
export interface Directory {
  /** Returns null if Slack can't tell. */
  account(personId: string): Promise<Account | null>;
  /**
   * Returns the ids of the people for whom an approver stands; for a channel, its members. Null if Slack can't tell. With
   * `among`, people outside that list may be missing, so that nobody lists a channel of thousands.
   */
  membersOf(approver: Approver, channel: string, among?: readonly string[]): Promise<ReadonlySet<string> | null>;
}

/**
 * Recent changes of user groups, in the order in which Slack reported them to any process. Every method throws `StoreUnavailable`
 * if the store gives no answer.
 */
export interface GroupChanges {
  add(change: GroupChange): Promise<void>;
  /** Returns the position after all changes so far. */
  latest(): Promise<string>;
  /** Returns the changes after a position, as far as they are kept, and the position after them. */
  after(position: string): Promise<{ changes: GroupChange[]; position: string }>;
}

/** The access tokens that people have connected to crews. Every method throws `StoreUnavailable` if the store gives no answer. */
export interface UserTokens {
  /** Returns null also for a token that no secret opens any more. */
  find(crew: string, personId: string): Promise<string | null>;
  put(crew: string, personId: string, token: string): Promise<void>;
  remove(crew: string, personId: string): Promise<'removed' | 'absent'>;
}

/** The latest feedback that people have sent, offered to them again. */
export interface RecentFeedback {
  add(crew: string, personId: string, text: string): Promise<void>;
  /** Returns at most three texts, newest first. */
  latest(crew: string, personId: string): Promise<string[]>;
}

export interface TokenCheck {
  /** Asks a crew whether it accepts a person's own token. Never throws. */
  checkToken(crew: string, token: string): Promise<TokenAnswer>;
}

/** The queue of due executions, shared by any number of processes. */
export interface DueQueue {
  /**
   * Claims up to `most` overdue executions for `leaseMs`, and returns which ones become due in the next `aheadMs`. A claim after
   * an incomplete one also returns executions that this process has already claimed.
   */
  claim(most: number, times: { leaseMs: Millis; aheadMs: Millis }): Promise<ClaimedExecutions>;
  /** Returns a claimed execution to the queue at the due time of its stored state. Does nothing if it isn't claimed any more. */
  release(ref: string): Promise<void>;
  /** Reports every due time that another process stores, while `isListening`. */
  listen(listener: DueListener): void;
  isListening(): boolean;
}

export interface ClaimedExecutions {
  refs: string[];
  upcoming: { ref: string; inMs: Millis }[];
  /** Delay after which more executions may be due; null if none is within `aheadMs`. */
  moreInMs: Millis | null;
  /** False if a part of the queue gave no answer. */
  isComplete: boolean;
}

export interface DueListener {
  /** Another process has changed an execution, which can be claimed after `inMs`; null if nothing is due. */
  onDue(ref: string, inMs: Millis | null): void;
  /** Due times may have been missed, or have come sooner than expected. */
  onMissed(): void;
  /** This process doesn't know whether a change of its own was stored, and may be due. */
  onUnsure(ref: string): void;
}

/** The processes of the bot that share a store. */
export interface ProcessRegistry {
  /** Id of this process, new after each restart. */
  readonly id: string;
  /** Returns true if a process has certainly ended. Throws `StoreUnavailable`. */
  isGone(id: string): Promise<boolean>;
  /** Returns true if no other process answers. */
  isAlone(): boolean;
  /** Calls back some seconds after another process died while it was working, with the time of its silence. */
  onGone(listener: (silentMs: Millis) => void): void;
}
