// Runs the code of tasks in this process: that of the service, or one that it has started for a crew.
import { type Crew, describeTask, type Task, type UntypedContext } from '../coded-crew.ts';
import type { Performed, StepReport, Steps, TaskDescription, TokenUsage } from '../crew-description.ts';
import { type Json, jsonOf } from '../json.ts';
import { agentRole, createModel } from '../model/model.ts';
import type { ModelSettings } from '../model/model-server.ts';
import type { Gates } from '../sandbox-api/gates.ts';
import { descriptionOfScript, type ScriptedCrew, taskOfScript } from '../sandbox-api/scripted-crew.ts';
import { untilAborted } from '../waiting.ts';
import type { CrewCode, RunCode, TaskAttempt } from './crew-code.ts';

type Work = {
  readonly tasks: readonly Task[];
  readonly attempt: TaskAttempt;
  readonly steps: Steps;
  readonly model: ModelSettings | undefined;
  readonly signal: AbortSignal;
};

/** Runs a task's code once. Rejects with what it throws, or with the reason why JSON can't hold its output. */
export async function performTask({ tasks, attempt, ...parts }: Work): Promise<Performed> {
  const task = tasks.find(({ name }) => name === attempt.task);
  if (task === undefined) throw new Error(`This crew no longer has a task "${attempt.task}".`);
  const performed = await performedBy(task, { attempt, ...parts });
  if ('question' in performed) return performed;
  return { output: jsonOf(performed.output, `The output of the task "${task.name}"`) };
}

async function performedBy(task: Task, parts: Omit<Work, 'tasks'>): Promise<Performed> {
  const context = contextOf({ task, ...parts });
  const { phase, previous = null, decision } = parts.attempt;
  switch (phase) {
    case 'deciding':
      return { output: (await task.when?.(context)) ?? true };
    case 'working':
      return task.run(context, { decision, steps: parts.steps });
    case 'finishing':
      return { output: task.whenApproved ? await task.whenApproved(previous, context) : previous };
  }
}

type ContextParts = {
  readonly task: Omit<TaskDescription, 'finishes'>;
  readonly attempt: TaskAttempt;
  readonly steps: Steps;
  readonly model: ModelSettings | undefined;
  readonly signal: AbortSignal;
};

function contextOf({ task, attempt, steps, model, signal }: ContextParts): UntypedContext {
  const { executionId, inputs, typedInputs, round, outputs, feedback, allFeedback, phase, previous } = attempt;
  const checkpoint = checkpointsOf(steps, signal);
  return {
    ...{ executionId, inputs, typedInputs, round, feedback, allFeedback, signal },
    humanFeedback: attempt.humanFeedback,
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
    const stored = steps.done.get(number);
    // Stored by the same step of the same code, hence of the same type.
    if (stored !== undefined) return stored as Value;
    const { value, result, usage } = await work();
    const shortened = result === undefined ? report : { ...report, result: result.slice(0, LONGEST_RESULT) };
    await steps.store({ number, report: shortened, value, usage });
    return value;
  };
}

/** Code that runs in the service's own process: nothing protects the service from it. */
export function codeInProcess(crew: Crew | ScriptedCrew, { gates, model }: InProcessParts): CrewCode {
  return crew.kind === 'scripted' ? codeOfScript(crew, gates) : codeOfCrew(crew, model);
}

type InProcessParts = { readonly gates: Gates; readonly model: ModelSettings | undefined };

function codeOfCrew({ name, inputNames, tasks, checkInputs }: Crew, model: ModelSettings | undefined): CrewCode {
  return {
    ...{ name, inputNames, checkInputs },
    tasks: tasks.map(describeTask),
    open: async () => runCode(tasks, model),
  };
}

function codeOfScript({ name, inputNames, script, checkInputs }: ScriptedCrew, gates: Gates): CrewCode {
  return {
    ...{ name, inputNames, script },
    checkInputs: async (inputs) => checkInputs(inputs),
    tasks: script.map(descriptionOfScript),
    open: async (run) => runCode((run.script ?? []).map((task) => taskOfScript(task, gates))),
  };
}

function runCode(tasks: readonly Task[], model?: ModelSettings): RunCode {
  return {
    perform: (attempt, steps, signal) => untilAborted(performTask({ tasks, attempt, steps, model, signal }), signal),
    close: async () => {},
  };
}
