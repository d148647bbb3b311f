import type { Approval, CrewRefusal, Output, Person } from '../approval/approval.ts';
import type { Inputs } from '../json.ts';
import type { Post } from '../messages/post.ts';
import type { Millis } from '../time.ts';

/** The version of the stored record; a newer one comes with an upgrade for the older ones. */
export const RECORD_VERSION = 2;

/** One run of a crew with everything Signoff knows of it and owes for it: the one aggregate, stored as one record. */
export interface Execution {
  version: typeof RECORD_VERSION;
  /** Our own reference, made before the kickoff. */
  ref: string;
  crew: string;
  channel: string;
  origin: Origin;
  inputs: Inputs;
  createdAt: Millis;
  run: Run;
  kickoff: Kickoff;
  /** The kickoff ids that the service gave this run, oldest first; the last one is polled. */
  kickoffIds: string[];
  executionId: string | null;
  /** How many resumes have been given addresses; 0 are the addresses of the kickoff. */
  hop: number;
  approvals: Approval[];
  tasks: CompletedTask[];
  progress: Progress;
  activity: Activity;
  poll: Poll;
  root: Post;
  /** The last reply of the thread, the result or the failure, once there is one. */
  ending: Post | null;
  starterNotice: StarterNotice;
  unfollowed: { by: Person; at: Millis } | null;
}

/** Who started the execution and from where. */
export type Origin =
  | { kind: 'form'; by: Person; form: FormKey }
  | { kind: 'command'; by: Person }
  | { kind: 'elsewhere'; adoptionHold: AdoptionHold | null };

/** How long an execution started elsewhere waits for an answer that might show that it is one of ours. */
export interface AdoptionHold {
  until: Millis;
  checkAt: Millis;
}

/** A form in front of somebody, and which of its submissions is meant, from 0. */
export interface FormKey {
  viewId: string;
  attempt: number;
}

export type Run =
  | { status: 'starting' }
  | { status: 'running' }
  | { status: 'waiting' }
  | { status: 'completed'; result: Output | null; endedAt: Millis }
  | { status: 'failed'; error: string; endedAt: Millis }
  | { status: 'lost'; lostAt: Millis }
  | { status: 'not-started'; refusal: KickoffRefusal; endedAt: Millis }
  | { status: 'unconfirmed'; doubt: KickoffDoubt; since: Millis };

/** Why a kickoff surely started nothing. */
export interface KickoffRefusal {
  code: CrewRefusal;
  detail: string;
  /** The input names that the service said are missing. */
  missing: string[];
}

/** Why nobody knows whether a kickoff started something. */
export type KickoffDoubt = 'no-answer' | 'server-error' | 'no-id' | 'interrupted';

/** The delivery of `POST /kickoff`, which can't be repeated. */
export type Kickoff =
  | { status: 'due'; tries: number; notBefore: Millis }
  | { status: 'sending'; tries: number; until: Millis }
  | { status: 'settled' };

export interface CompletedTask {
  /** '1', '2', … within its execution. */
  id: string;
  name: string | null;
  agent: string | null;
  summary: string;
  output: Output | null;
  /** Tells a repeated notice of the same completion. */
  fingerprint: string;
  post: Post;
}

export interface Progress {
  completed: number;
  total: number | null;
  current: string | null;
}

/** Agent steps lie beside the record; it only says when the thread is to catch up with them. */
export interface Activity {
  /** How often the thread has caught up. */
  seen: number;
  refreshAt: Millis | null;
}

export interface Poll {
  /** Null when nothing is to be found out any more. */
  nextAt: Millis | null;
  count: number;
  /** When the service first said that it doesn't know the run, of an unbroken row of such answers. */
  notFoundSince: Millis | null;
  /** How many polls in a row said that the run waits for a person although no request has reached us. */
  waitingUnseen: number;
  trouble: 'unauthorized' | 'unreachable' | null;
}

/** The private word to the starter about how the kickoff went. */
export type StarterNotice =
  | { status: 'none' }
  | { status: 'due'; tries: number; notBefore: Millis }
  | { status: 'told' };

/** Whether the run is over for good: nothing revives it, nothing is polled, no decision is sent. */
export function hasEnded(execution: Execution): boolean {
  return execution.run.status === 'completed' || execution.run.status === 'failed';
}

/** The person who started it here; null for an execution started elsewhere. */
export function starterOf(execution: Execution): Person | null {
  return execution.origin.kind === 'elsewhere' ? null : execution.origin.by;
}

export function findApproval(execution: Execution, approvalId: string): Approval | null {
  return execution.approvals.find((approval) => approval.id === approvalId) ?? null;
}

/** The execution with one approval replaced by the one of the same id; the same object where nothing changes. */
export function withApproval(execution: Execution, approval: Approval): Execution {
  if (execution.approvals.includes(approval)) return execution;
  return { ...execution, approvals: execution.approvals.map((each) => (each.id === approval.id ? approval : each)) };
}
