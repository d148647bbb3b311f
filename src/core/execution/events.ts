import type {
  Approval,
  CrewRefusal,
  Destination,
  Output,
  Person,
  ResumeFailure,
  SupersededBy,
  Unavailability,
} from '../state/approval.ts';
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
import type { InputField } from '../values/input-field.ts';
import type { Millis } from '../values/time.ts';

/** What every notification carries besides its own content. `hop` is that of the address it arrived at. */
export interface EventIds {
  hop: number;
  kickoffId: string | null;
  executionId?: string | null;
}

/** A crew service's notification in our own terms; what is left out is null. */
export interface HumanInputRequest
  extends Pick<Approval, 'hop' | 'kickoffId' | 'taskId' | 'taskName' | 'output' | 'heading'>,
    Partial<
      Pick<Approval, 'isTitled' | 'fields' | 'why' | 'outcomes' | 'destination' | 'limitMs' | 'requestId' | 'inputs'>
    > {
  executionId: string | null;
  /** The output is too long to be read in Slack's modals, so the whole goes into the thread as a file. */
  attachesFile: boolean;
}

/** `summary`: a few lines of plain text at most. */
export type TaskCompletion = EventIds & Pick<CompletedTask, 'name' | 'agent' | 'summary' | 'output'>;

export interface CrewCompletion extends EventIds {
  result: Output | null;
}

/** What `GET /status/{kickoff_id}` said. */
export type StatusReading =
  | { kind: 'running' | 'waiting'; completed: number | null; total: number | null; current: string | null }
  | { kind: 'completed'; result: Output | null }
  | { kind: 'failed'; error: string }
  | { kind: 'not-found' }
  | { kind: 'unauthorized' }
  | Unread;

/** A call that told nothing. `error`: the service answered with an error, or with nothing that can be read. */
export interface Unread {
  kind: Unavailability | 'error';
}

/** One agent step as the activity modal shows it. All texts are plain and truncated. */
export interface Step {
  at: number;
  agent: string | null;
  thought: string | null;
  tool: string | null;
  toolInput: string | null;
  result: string | null;
}

/** What a run begins with. */
export type Beginning = Pick<Execution, 'ref' | 'crew' | 'channel' | 'inputs'>;

/** The same for a step of one of Slack's workflows. */
export interface StepStart extends Beginning {
  step: StepKey;
  /** Who counts as the starter; null if the workflow doesn't say. */
  by: Person | null;
}

/** One thing to ask people by the rules of a crew, of a length that fits into the limits of a run. */
export interface Ask extends Beginning {
  asker: Asker;
  /** On whose behalf; null if nobody in Slack has asked. */
  by: Person | null;
  /** What the card and lists call it, and what a policy's `tasks` match. One line. */
  title: string;
  /** Markdown. */
  text: string;
  /** Why it is asked, in the words of its asker; null if it doesn't say. */
  why: string | null;
  outcomes: readonly string[] | null;
  fields: readonly InputField[] | null;
  destination: Destination;
  limitMs: Millis | null;
  /** The asker's own name for it; null or left out if it has none. */
  requestId?: string | null;
  /** The thread that it is a part of; null or left out for one that has a thread for itself. */
  thread?: Omit<AskThread, 'place'> | null;
  /** The step of a workflow that waits for the answer. */
  step?: StepKey;
}

/** A person's request to start a crew. */
export interface Start extends Beginning {
  by: Person;
  /** The form that is still open in front of the starter, where the outcome is shown. */
  form: FormKey | null;
}

/**
 * What a call to a crew service proved. `unavailable`: nothing was sent, or the service said so itself (429, 503 with
 * `Retry-After`), so a machine may try again. `unknown`: anything that proves neither, so a person decides.
 */
export type KickoffAnswer =
  | { kind: 'accepted'; kickoffId: string }
  | { kind: 'refused'; refusal: KickoffRefusal }
  | { kind: 'unavailable'; reason: Unavailability; waitMs: number | null }
  | { kind: 'unknown'; doubt: KickoffDoubt };

/** `void`: the decision took no effect and can't take any, since the request is answered. */
export type ResumeAnswer =
  | { kind: 'accepted'; kickoffId: string | null }
  | { kind: 'void'; by: Extract<SupersededBy, 'elsewhere'> }
  | { kind: 'refused'; failure: Extract<ResumeFailure, { kind: 'refused' }> }
  | { kind: 'unavailable'; reason: Unavailability; waitMs: number | null }
  | { kind: 'unknown' };

/** Whether a crew accepts a person's own token. */
export type TokenAnswer = { kind: 'accepted' } | { kind: 'refused'; code: CrewRefusal } | Unread;

/** What is known about a crew's inputs. */
export type InputsAnswer =
  | { kind: 'inputs'; names: string[]; skipped: string[] }
  | { kind: 'refused'; code: CrewRefusal; detail: string }
  /** The answer has a shape that we can't read. */
  | { kind: 'unreadable' }
  | Unread;
