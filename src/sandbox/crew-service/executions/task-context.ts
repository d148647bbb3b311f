import type { UntypedContext } from '../coded-crew.ts';
import type { StepReport, TaskDescription, TokenUsage } from '../crew-description.ts';
import { type Json, jsonOf } from '../json.ts';
import { agentRole } from '../model/agent-role.ts';
import { createModel } from '../model/model.ts';
import type { ModelSettings } from '../model/model-settings.ts';
import type { Steps, TaskAttempt } from './crew-code.ts';

type ContextParts = {
  readonly task: Omit<TaskDescription, 'finishes'>;
  readonly attempt: TaskAttempt;
  readonly steps: Steps;
  readonly model: ModelSettings | undefined;
  readonly signal: AbortSignal;
};

/** The context passed to the code of a task. */
export function contextOf({ task, attempt, steps, model, signal }: ContextParts): UntypedContext {
  const { executionId, inputs, typedInputs, round, outputs, feedback, allFeedback, phase, previous } = attempt;
  const checkpoint = checkpointsOf(steps, signal);
  return {
    ...{ executionId, inputs, typedInputs, round, feedback, allFeedback, signal },
    outputs: Object.fromEntries(outputs.map(({ task: name, output }) => [name, output])),
    previous: phase === 'working' ? previous : undefined,
    step: stepOf(checkpoint),
    model: createModel({
      ...{ settings: model, role: agentRole(task), signal, step: checkpoint },
      tell: async (report) => {
        signal.throwIfAborted();
        await steps.tell(report);
      },
    }),
  };
}

function stepOf(checkpoint: Checkpoint): UntypedContext['step'] {
  return <Result extends Json>(report: string | StepReport, work?: () => Promise<Result> | Result) => {
    const described = typeof report === 'string' ? { thought: report } : report;
    return checkpoint(described, async () => {
      const value = jsonOf(await work?.(), `The result of the step "${described.thought}"`);
      // JSON keeps the type of what is JSON.
      return { value: value as Result };
    });
  };
}

type Checkpoint = <Value extends Json>(
  report: StepReport,
  work: () => Promise<{ readonly value: Value; readonly result?: string; readonly usage?: TokenUsage | undefined }>,
) => Promise<Value>;

const LONGEST_RESULT = 500;

/** Each step runs once, even across restarts. */
function checkpointsOf(steps: Steps, signal: AbortSignal): Checkpoint {
  let started = 0;
  return async <Value extends Json>(
    report: StepReport,
    work: () => Promise<{ value: Value; result?: string; usage?: TokenUsage | undefined }>,
  ) => {
    signal.throwIfAborted();
    const number = started++;
    const known = steps.done.get(number);
    // Stored by the same step of the same code, hence of the same type.
    if (known !== undefined) return known as Value;
    const { value, result, usage } = await work();
    const told = result === undefined ? report : { ...report, result: result.slice(0, LONGEST_RESULT) };
    await steps.store({ number, report: told, value, usage });
    return value;
  };
}
