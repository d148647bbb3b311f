// The common part of crews of other frameworks: agents that decide by themselves when they need a person.
import type { Crew, Task, Turn, UntypedContext } from '../coded-crew.ts';
import type { Performed, TaskDescription } from '../crew-description.ts';
import {
  type CrewDefinition,
  crewOf,
  type InputsDefinition,
  type InputsOf,
  limitsOf,
  readInputs,
  schemaOf,
} from '../define-crew.ts';

export type AgentsContext<Inputs> = Turn &
  Pick<UntypedContext, 'executionId' | 'signal'> & { readonly inputs: InputsOf<Inputs> };

type AgentsWork<Inputs> = Pick<TaskDescription, 'agent' | 'timeLimitMs'> & {
  readonly run: (context: AgentsContext<Inputs>) => Promise<Performed>;
};

/** A crew whose work is one task, which may ask people in the middle of it. Throws as `defineCrew` and `task` do. */
export function crewOfAgents<Inputs extends InputsDefinition>(
  { name, inputs }: CrewDefinition<Inputs>,
  { agent, run, ...limits }: AgentsWork<Inputs>,
): Crew {
  const schema = schemaOf(name, inputs);
  const described = { role: '', goal: '', description: '', expectedOutput: '', humanInput: false };
  const task: Task = {
    ...{ ...described, name, agent, ...limitsOf(name, limits) },
    run: async (context, turn) => {
      const { executionId, signal } = context;
      // The schema made them.
      const inputs = (await readInputs(schema, context)) as InputsOf<Inputs>;
      return run({ ...turn, executionId, signal, inputs });
    },
  };
  return crewOf({ name, schema, tasks: [task] });
}
