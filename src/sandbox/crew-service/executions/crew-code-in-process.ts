import type { Crew, Task } from '../coded-crew.ts';
import { describeTask } from '../describe-task.ts';
import type { ModelSettings } from '../model/model-settings.ts';
import type { Gates } from '../sandbox-api/gates.ts';
import { descriptionOfScript, type ScriptedCrew, taskOfScript } from '../sandbox-api/scripted-crew.ts';
import { untilAborted } from '../until-aborted.ts';
import type { CrewCode, RunCode } from './crew-code.ts';
import { performTask } from './perform-task.ts';

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
