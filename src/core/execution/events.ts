// The core's own types for the reports of crew services, programs and Slack: the webhooks, the crew client and the listeners parse
// into these, and transitions take them.

import type {
  Asker,
  AskThread,
  CompletedTask,
  Execution,
  FormKey,
  KickoffDoubt,
  KickoffRefusal,
  StepKey,
} from '../state/execution.ts';
import type {
  CrewRefusal,
  Destination,
  Output,
  Person,
  Question,
  ResumeFailure,
  SupersededBy,
  Unavailability,
} from '../state/request.ts';
import type { InputField } from '../values/input-field.ts';
import type { Millis } from '../values/time.ts';

/** The ids that every notification carries. `hop` belongs to the address at which it arrived. */
export interface EventIds {
  hop: number;
  kickoffId: string | null;
  executionId?: string | null;
}

/** A task's request for human input. */
export interface HumanInputRequest
  extends Pick<Question, 'hop' | 'kickoffId' | 'taskId' | 'taskName' | 'output' | 'heading'>,
    Partial<
      Pick<Question, 'isTitled' | 'fields' | 'why' | 'outcomes' | 'destination' | 'limitMs' | 'requestId' | 'inputs'>
    > {
  executionId: string | null;
  /** The output is too long for Slack's modals, so the thread gets it as a file. */
  attachesFile: boolean;
}

/** `summary` has a few lines of plain text at most. */
export type TaskCompletion = EventIds & Pick<CompletedTask, 'name' | 'agent' | 'summary' | 'output'>;

export interface CrewCompletion extends EventIds {
  result: Output | null;
}

/** The answer to `GET /status/{kickoff_id}`. */
export type StatusReading =
  | { kind: 'running' | 'waiting'; completed: number | null; total: number | null; current: string | null }
  | { kind: 'completed'; result: Output | null }
  | { kind: 'failed'; error: string }
  | { kind: 'not-found' }
  | { kind: 'unauthorized' }
  | Unread;

/** A call that told nothing. `error`: the service answered with an error, or with something that can't be read. */
export interface Unread {
  kind: Unavailability | 'error';
}

/** One step of an agent for the activity modal. All texts are plain and truncated. */
export interface Step {
  at: number;
  agent: string | null;
  thought: string | null;
  tool: string | null;
  toolInput: string | null;
  result: string | null;
}

export type Beginning = Pick<Execution, 'ref' | 'crew' | 'channel' | 'inputs'>;

/** A start by a step of one of Slack's workflows. */
export interface StepStart extends Beginning {
  step: StepKey;
  /** The person who counts as the starter; null if the workflow doesn't say. */
  by: Person | null;
}

/** A question of a program or workflow, which a crew's rules decide. Its length fits into the limits of a run. */
export interface Ask extends Beginning {
  asker: Asker;
  /** The person on whose behalf it is asked; null if nobody in Slack. */
  by: Person | null;
  /** One line, for the card, lists and a policy's `tasks`. */
  title: string;
  /** Markdown. */
  text: string;
  /** The program's reason for asking; null if it gives none. */
  why: string | null;
  outcomes: readonly string[] | null;
  fields: readonly InputField[] | null;
  destination: Destination;
  limitMs: Millis | null;
  /** The program's own id for it. */
  requestId?: string | null;
  /** The thread that it belongs to; null or left out for a thread of its own. */
  thread?: Omit<AskThread, 'place'> | null;
  /** The step of a workflow that waits for the answer. */
  step?: StepKey;
}

/** A person's start of a crew. */
export interface Start extends Beginning {
  by: Person;
  /** The form that is still open in front of the starter, and will show the outcome. */
  form: FormKey | null;
}

/**
 * The result that a kickoff call proved. `unavailable`: nothing was sent, or the service said so itself (429, 503 with `Retry-After`), so a
 * machine may try again. `unknown`: the crew may have started, so a person decides.
 */
export type KickoffAnswer =
  | { kind: 'accepted'; kickoffId: string }
  | { kind: 'refused'; refusal: KickoffRefusal }
  | { kind: 'unavailable'; reason: Unavailability; waitMs: number | null }
  | { kind: 'unknown'; doubt: KickoffDoubt };

/** The result that a resume call proved. `void`: the decision had no effect and can't have any, since the request was answered elsewhere. */
export type ResumeAnswer =
  | { kind: 'accepted'; kickoffId: string | null }
  | { kind: 'void'; by: Extract<SupersededBy, 'elsewhere'> }
  | { kind: 'refused'; failure: Extract<ResumeFailure, { kind: 'refused' }> }
  | { kind: 'unavailable'; reason: Unavailability; waitMs: number | null }
  | { kind: 'unknown' };

/** A crew's answer to a check of a person's own token. */
export type TokenAnswer = { kind: 'accepted' } | { kind: 'refused'; code: CrewRefusal } | Unread;

/** A crew's answer to the question for its inputs. `unreadable`: it has an unknown shape. */
export type InputsAnswer =
  | { kind: 'inputs'; names: string[]; skipped: string[] }
  | { kind: 'refused'; code: CrewRefusal; detail: string }
  | { kind: 'unreadable' }
  | Unread;
