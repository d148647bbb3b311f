import type {
  CheckedInputs,
  Decision,
  Feedback,
  HumanFeedback,
  Performed,
  Steps,
  TaskDescription,
  TaskOutput,
} from '../crew-description.ts';
import type { Json, JsonObject } from '../json.ts';
import type { ScriptedTask } from '../sandbox-api/scripted-crew.ts';
import type { RunFacts } from './run.ts';

/** The code of a crew, wherever it runs. Everything that crosses this interface is plain JSON. */
export interface CrewCode {
  readonly name: string;
  readonly inputNames: readonly string[];
  readonly tasks: readonly TaskDescription[];
  /** The script of a scripted crew, until a test sets another one. */
  readonly script?: readonly ScriptedTask[];
  checkInputs(inputs: JsonObject): Promise<CheckedInputs>;
  /** The code for one run, until it pauses or ends. Resolves when it is this run's turn; rejects if `signal` aborts first. */
  open(run: RunFacts, signal: AbortSignal): Promise<RunCode>;
}

export interface RunCode {
  /**
   * Runs a task's code once and resolves to what it has come to. Rejects with what the code threw, with `RunFault` or
   * `ProcessEnded`, or with the signal's reason soon after it aborts. May be called again, and several tasks may run at once.
   */
  perform(attempt: TaskAttempt, steps: Steps, signal: AbortSignal): Promise<Performed>;
  /** Ends what is still running. */
  close(): Promise<void>;
}

export type TaskAttempt = {
  readonly task: string;
  /** `deciding`: whether the task runs at all, which its code answers with true or false. */
  readonly phase: 'deciding' | 'working' | 'finishing';
  readonly executionId: string;
  readonly inputs: JsonObject;
  readonly typedInputs?: string | undefined;
  readonly round: number;
  readonly outputs: readonly TaskOutput[];
  readonly feedback: readonly Feedback[];
  readonly allFeedback: readonly Feedback[];
  readonly humanFeedback: readonly HumanFeedback[];
  /** The rejected output to rework, or the approved one to finish. */
  readonly previous?: Json | undefined;
  /** On what it has asked last. */
  readonly decision?: Decision | undefined;
};

/** Fails the run with its message, whatever tries its task has left. */
export class RunFault extends Error {
  override name = 'RunFault';
}

/** The process of a run ended without saying why: it exited, was killed or ran out of memory. */
export class ProcessEnded extends Error {
  override name = 'ProcessEnded';
}
