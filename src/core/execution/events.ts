import type { Output, Person } from '../approval/approval.ts';
import type { Inputs } from '../json.ts';
import type { FormKey } from './execution.ts';

/** What a crew service's notifications say, in our own terms. `hop` is that of the address it came in by. */
export interface HumanInputRequest {
  hop: number;
  kickoffId: string | null;
  executionId: string | null;
  taskId: string;
  taskName: string | null;
  output: Output;
}

export interface TaskCompletion {
  hop: number;
  kickoffId: string | null;
  name: string | null;
  agent: string | null;
  /** At most a few lines of plain text. */
  summary: string;
  output: Output | null;
}

export interface CrewCompletion {
  hop: number;
  kickoffId: string | null;
  result: Output | null;
}

/** What `GET /status/{kickoff_id}` said. Times and shapes of the service end at its parser. */
export type StatusReading =
  | { kind: 'running' | 'waiting'; completed: number | null; total: number | null; current: string | null }
  | { kind: 'completed'; result: Output | null }
  | { kind: 'failed'; error: string }
  | { kind: 'not-found' }
  | { kind: 'unauthorized' }
  | { kind: 'unreachable' };

/** One agent step, as shown in the activity modal. All texts are plain and cut. */
export interface Step {
  at: number;
  agent: string | null;
  thought: string | null;
  tool: string | null;
  toolInput: string | null;
  result: string | null;
}

/** Who wants to start a crew, where, with what. */
export interface Start {
  ref: string;
  crew: string;
  channel: string;
  by: Person;
  inputs: Inputs;
  /** The form that is still open in front of the person, to be answered in place. */
  form: FormKey | null;
}
