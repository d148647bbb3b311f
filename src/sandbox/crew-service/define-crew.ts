import { z } from 'zod';
import type { Crew, Task } from './coded-crew.ts';
import { taskOf } from './coded-task.ts';
import { checkInputs } from './crew-inputs.ts';
import type { Json } from './json.ts';
import type { TaskDefinition } from './task-definition.ts';

type InputsDefinition = z.ZodRawShape | z.ZodObject;

type InputsOf<Definition> = Definition extends z.ZodObject
  ? z.output<Definition>
  : Definition extends z.ZodRawShape
    ? z.output<z.ZodObject<Definition>>
    : never;

interface CrewDefinition<Inputs extends InputsDefinition> {
  /** Lower-case letters, digits and hyphens: it is part of the base URL. */
  readonly name: string;
  /** A zod schema for each input; `z.object({…}).refine(…)` for rules across inputs. `GET /inputs` keeps their order. */
  readonly inputs: Inputs;
}

/** One type instead of an intersection, so that errors name what there is. */
type Joined<One, Other> = { readonly [Name in keyof One | keyof Other]: (One & Other)[Name] };

/** A task that may be left out may have no output. */
type Made<Name extends string, Output, When> = Record<Name, Output | ([When] extends [never] ? never : undefined)>;

interface CrewBuilder<Inputs, Outputs> {
  /**
   * The crew with one more task, which runs after the ones before it. Throws `TypeError` if its name is taken, or for a
   * limit that can't be kept.
   */
  task<
    Name extends string,
    Previous extends Json = Json,
    Draft extends Previous = Previous,
    Output extends Json = Draft,
    When extends boolean = never,
  >(
    name: Name,
    task: TaskDefinition<Inputs, Outputs, Previous, Draft, Output, When>,
  ): DefinedCrew<Inputs, Joined<Outputs, Made<Name, Output, When>>>;

  /**
   * The crew with tasks that run at the same time, and know the outputs of the tasks before them, not each other's.
   * Where they need reviews, people are asked for one after another, once all of them have run.
   */
  parallel<Added>(
    add: (group: TaskGroup<Inputs, Outputs, Record<never, never>>) => TaskGroup<Inputs, Outputs, Added>,
  ): DefinedCrew<Inputs, Joined<Outputs, Added>>;
}

interface TaskGroup<Inputs, Outputs, Added> {
  readonly tasks: readonly Task[];
  /** The group with one more task. */
  task<
    Name extends string,
    Previous extends Json = Json,
    Draft extends Previous = Previous,
    Output extends Json = Draft,
    When extends boolean = never,
  >(
    name: Name,
    task: TaskDefinition<Inputs, Outputs, Previous, Draft, Output, When>,
  ): TaskGroup<Inputs, Outputs, Joined<Added, Made<Name, Output, When>>>;
}

type DefinedCrew<Inputs, Outputs> = Crew & CrewBuilder<Inputs, Outputs>;

export const CREW_NAME = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/**
 * Begins a crew made of functions; each `task` adds one, whose `outputs` are what the earlier ones return:
 *
 * ```ts
 * defineCrew({ name: 'haiku', inputs: { topic: z.string().min(1), lines: z.coerce.number().default(3) } })
 *   .task('think', { agent: 'Thinker', run: ({ inputs, step }) => step('Find words', () => wordsFor(inputs.topic)) })
 *   .task('write', { agent: 'Poet', humanInput: true, run: ({ outputs, inputs }) => compose(outputs.think, inputs.lines) })
 * ```
 *
 * Throws `TypeError` if the name can't be part of a URL.
 */
export function defineCrew<Inputs extends InputsDefinition>({
  name,
  inputs,
}: CrewDefinition<Inputs>): CrewBuilder<InputsOf<Inputs>, Record<never, never>> {
  if (!CREW_NAME.test(name))
    throw new TypeError(`A crew's name has lower-case letters, digits and hyphens, not "${name}".`);
  const schema = inputs instanceof z.ZodObject ? inputs : z.object(inputs);
  return builder({ name, schema, tasks: [] });
}

type CrewParts = Pick<Crew, 'name' | 'tasks'> & { readonly schema: z.ZodObject };

function builder<Inputs, Outputs>({ name, schema, tasks }: CrewParts): DefinedCrew<Inputs, Outputs> {
  const withMore = (more: readonly Task[]) => {
    const names = [...tasks, ...more].map((task) => task.name);
    const twice = names.find((one, index) => names.indexOf(one) !== index);
    if (twice !== undefined) throw new TypeError(`The crew "${name}" has two tasks named "${twice}".`);
    return { name, schema, tasks: [...tasks, ...more] };
  };
  return {
    ...{ kind: 'coded', name, tasks },
    inputNames: Object.keys(schema.shape),
    checkInputs: (inputs) => checkInputs(schema, inputs),
    task: (taskName, definition) => builder(withMore([taskOf(taskName, definition, schema)])),
    parallel(add) {
      const group = tasks.length;
      const added = add(taskGroup(schema, [])).tasks;
      return builder(withMore(added.map((task) => ({ ...task, group }))));
    },
  };
}

function taskGroup<Inputs, Outputs, Added>(
  schema: z.ZodObject,
  tasks: readonly Task[],
): TaskGroup<Inputs, Outputs, Added> {
  return { tasks, task: (name, definition) => taskGroup(schema, [...tasks, taskOf(name, definition, schema)]) };
}
