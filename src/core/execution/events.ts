import type { Output, Person } from '../approval/approval.ts';
import type { Inputs } from '../json.ts';
import type { FormKey } from './execution.ts';

/** A crew service's notification in our own terms. `hop` is that of the address it arrived at. */
export interface HumanInputRequest {
  hop: number;
  kickoffId: string | null;
  executionId: string | null;
  taskId: string;
  taskName: string | null;
  output: Output;
  /** The output is too long to be read in Slack's modals, so the whole goes into the thread as a file. */
  attachesFile: boolean;
}

export interface TaskCompletion {
  hop: number;
  kickoffId: string | null;
  name: string | null;
  agent: string | null;
  /** A few lines of plain text at most. */
  summary: string;
  output: Output | null;
}

export interface CrewCompletion {
  hop: number;
  kickoffId: string | null;
  result: Output | null;
}

/** What `GET /status/{kickoff_id}` said. */
export type StatusReading =
  | { kind: 'running' | 'waiting'; completed: number | null; total: number | null; current: string | null }
  | { kind: 'completed'; result: Output | null }
  | { kind: 'failed'; error: string }
  | { kind: 'not-found' }
  | { kind: 'unauthorized' }
  | { kind: 'unreachable' };

/** One agent step as the activity modal shows it. All texts are plain and truncated. */
export interface Step {
  at: number;
  agent: string | null;
  thought: string | null;
  tool: string | null;
  toolInput: string | null;
  result: string | null;
}

/** A request to start a crew. */
export interface Start {
  ref: string;
  crew: string;
  channel: string;
  by: Person;
  inputs: Inputs;
  /** The form that is still open in front of the starter, where the outcome is shown. */
  form: FormKey | null;
}
