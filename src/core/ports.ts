import type { Output } from './approval/approval.ts';
import type { InputsAnswer, KickoffAnswer, ResumeAnswer } from './execution/crew-answers.ts';
import type { StatusReading, Step } from './execution/events.ts';
import type { Execution } from './execution/execution.ts';
import type { Inputs } from './json.ts';
import type { Message } from './messages/message.ts';
import type { PostOutcome } from './messages/post.ts';
import type { Result } from './result.ts';
import type { Millis } from './time.ts';

/** A change as a pure function of the stored state; it is run again when somebody else was faster. */
export type Transition<Refusal> = (execution: Execution, now: Millis) => Result<Execution, Refusal>;

export type Changed<Refusal> =
  | { kind: 'changed'; before: Execution; after: Execution }
  | { kind: 'unchanged'; execution: Execution }
  | { kind: 'refused'; refusal: Refusal; execution: Execution }
  | { kind: 'absent' };

/** Where executions are kept. Every method throws `StoreUnavailable` when the answer of the store can't be had. */
export interface ExecutionStore {
  /** Stores a new execution with its due time. An execution of the same ref is kept as it is. */
  create(ref: string, make: (now: Millis) => Execution): Promise<'created' | 'exists'>;
  load(ref: string): Promise<{ execution: Execution; now: Millis } | null>;
  /** Runs a transition under compare-and-set and stores record and due time in one step, or nothing. */
  change<Refusal>(ref: string, transition: Transition<Refusal>): Promise<Changed<Refusal>>;
  /** Forgets an execution while its stored state allows it; one that changes at that moment is kept. */
  remove(ref: string, allowed: (execution: Execution) => boolean): Promise<'removed' | 'kept'>;
  /** Executions of a channel that have not ended, newest first. */
  openIn(channel: string): Promise<Execution[]>;
  /** How many starts and resumes of this crew await their answer, on all processes. */
  unanswered(crew: string): Promise<number>;
  /** Remembers that an id of the crew service belongs to an execution. */
  linkId(crew: string, id: string, ref: string): Promise<void>;
  findById(crew: string, id: string): Promise<string | null>;
}

/** What is due, shared fairly by any number of processes. */
export interface DueQueue {
  /** Claims up to `most` due executions for `leaseMs`; also says when the next one is due, as a delay from now. */
  claim(most: number, leaseMs: number): Promise<{ refs: string[]; nextInMs: number | null }>;
  /** Gives a claimed execution back: due when its stored state says, unless somebody changed that meanwhile. */
  release(ref: string): Promise<void>;
}

/** Large texts beside the record, by the hash of their content. */
export interface OutputStore {
  put(ref: string, text: string): Promise<Output>;
  /** Null when it has expired. */
  get(ref: string, hash: string): Promise<string | null>;
}

/** The agent steps of an execution, a capped list beside the record. */
export interface ActivityLog {
  add(ref: string, step: Step): Promise<void>;
  /** The latest steps, newest first. */
  latest(ref: string, most: number): Promise<Step[]>;
}

/** The addresses and credentials that a call gives to the crew service are made from ref and hop. */
export interface CallbackKey {
  ref: string;
  hop: number;
}

/** The crew services. No method throws: what a call proved is its answer. */
export interface CrewPort {
  kickoff(crew: string, call: CallbackKey & { inputs: Inputs }): Promise<KickoffAnswer>;
  resume(crew: string, call: CallbackKey & ResumeCall): Promise<ResumeAnswer>;
  /** `output` texts are stored by the caller. */
  status(crew: string, kickoffId: string): Promise<RawStatus>;
}

/** What crews want to know before they start. */
export interface CrewInputs {
  /** The names of a crew's inputs, remembered for a short time. Never throws. */
  inputs(crew: string): Promise<InputsAnswer>;
}

export interface ResumeCall {
  executionId: string;
  taskId: string;
  feedback: string;
  isApprove: boolean;
}

/** A status before its result has a place in the output store. */
export type RawStatus = Exclude<StatusReading, { kind: 'completed' }> | { kind: 'completed'; text: string | null };

/** The thread in Slack. No method throws: what a call proved is its outcome. */
export interface ThreadPort {
  /**
   * Waits until a message may be posted or updated under Slack's rate limits. Resolves to null then, or at once to how many
   * milliseconds later to ask again where the wait would be long.
   */
  turn(call: 'post' | 'update', execution: Execution, message: Message): Promise<Millis | null>;
  /** Posts a message for the first time; `lookUp` first searches for one of an earlier try whose outcome is unknown. */
  post(
    execution: Execution,
    message: Message,
    options: { lookUp: 'look-up' | 'new'; now: Millis },
  ): Promise<PostOutcome>;
  update(execution: Execution, message: Message, now: Millis): Promise<PostOutcome>;
  /** Tells the starter privately how the kickoff went. */
  notify(execution: Execution): Promise<'told' | 'later'>;
}

/** Thrown by a store whose answer can't be had: nothing may be acknowledged. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}
