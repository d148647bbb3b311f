import { z } from 'zod';
import type { Json, JsonObject } from './json.ts';

/** The output of a finished task. */
type TaskOutput = { readonly task: string; readonly output: Json };

/** A person's feedback on an earlier output. */
export type Feedback = {
  readonly task: string;
  readonly round: number;
  readonly approved: boolean;
  readonly text: string;
};

/** What an agent did in a step. Sent in full to the step webhook. */
export type StepReport = {
  readonly thought: string;
  readonly tool?: string;
  readonly toolInput?: string;
  readonly result?: string;
};

export interface TaskContext<Inputs> {
  readonly executionId: string;
  readonly inputs: Inputs;
  /** Starts at 1 and increases with each rejection. */
  readonly round: number;
  /** The outputs of the preceding tasks, in order. */
  readonly outputs: readonly TaskOutput[];
  /**
   * All feedback relevant to this round, in full, oldest first: the approval text of the preceding task, then the
   * feedback of this task's rejected rounds.
   */
  readonly feedback: readonly Feedback[];
  /** All feedback given in this execution so far, on any task. */
  readonly allFeedback: readonly Feedback[];
  /** This task's rejected output from the previous round; undefined in the first round. */
  readonly previous: Json | undefined;
  /** Aborts when the service stops. Pass it to anything slow. */
  readonly signal: AbortSignal;
  /**
   * Reports progress and creates a checkpoint: the result of `work` is stored, and a task that runs again after a
   * restart gets the stored result without working or reporting twice. A task must therefore reach its steps in the
   * same order every time, and side effects belong in a step.
   */
  step<Result extends Json = null>(report: string | StepReport, work?: () => Promise<Result> | Result): Promise<Result>;
}

interface TaskDefinition<Inputs> {
  readonly name: string;
  readonly agent: string;
  readonly description?: string;
  readonly expectedOutput?: string;
  /** Whether a person must approve the output before the crew continues. */
  readonly humanInput?: boolean;
  /** Does the work and returns the output. Throwing fails the execution, with the error's message. */
  readonly run: (context: TaskContext<Inputs>) => Promise<Json> | Json;
  /**
   * Runs once, after `output` is approved: the place for side effects that need approval. Its return value becomes the
   * task's output. Without human input it runs right after `run`.
   */
  readonly whenApproved?: (output: Json, context: TaskContext<Inputs>) => Promise<Json> | Json;
}

interface CrewDefinition<Shape extends z.ZodRawShape> {
  /** Lower-case letters, digits and hyphens: it is part of the base URL. */
  readonly name: string;
  /** A zod schema for each input. `GET /inputs` lists them in this order. */
  readonly inputs: Shape;
  readonly tasks: readonly [
    TaskDefinition<z.infer<z.ZodObject<Shape>>>,
    ...TaskDefinition<z.infer<z.ZodObject<Shape>>>[],
  ];
}

type InputProblems = { readonly missing: readonly string[]; readonly invalid: readonly string[] };

export type Task = Required<
  Pick<TaskDefinition<JsonObject>, 'name' | 'agent' | 'description' | 'expectedOutput' | 'humanInput' | 'run'>
> &
  Pick<TaskDefinition<JsonObject>, 'whenApproved'>;

export interface Crew {
  readonly kind: 'coded';
  readonly name: string;
  readonly inputNames: readonly string[];
  readonly tasks: readonly Task[];
  /** Missing and invalid inputs; both lists are empty if a run may start. */
  checkInputs(inputs: JsonObject): InputProblems;
}

const CREW_NAME = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/**
 * Makes a crew from plain functions. An example to copy:
 *
 * ```ts
 * import { z } from 'zod';
 * import { defineCrew } from './define-crew.ts';
 *
 * export const haikuCrew = defineCrew({
 *   name: 'haiku',
 *   inputs: { topic: z.string().min(1), lines: z.coerce.number().int().default(3) },
 *   tasks: [
 *     {
 *       name: 'write',
 *       agent: 'Poet',
 *       humanInput: true,
 *       async run({ inputs, feedback, step, signal }) {
 *         const words = await step('Find words', () => findWords(inputs.topic, signal));
 *         const rejections = feedback.filter(({ approved }) => !approved);
 *         return compose(words, inputs.lines, rejections);
 *       },
 *     },
 *     { name: 'publish', agent: 'Editor', run: ({ outputs }) => `${outputs[0]?.output}\n\n— the crew` },
 *   ],
 * });
 * ```
 *
 * Throws `TypeError` if the name can't be part of a URL, or if two tasks share a name.
 */
export function defineCrew<Shape extends z.ZodRawShape>(definition: CrewDefinition<Shape>): Crew {
  const { name, tasks } = definition;
  checkNames(name, tasks);
  const schema = z.object(definition.inputs);
  return {
    kind: 'coded',
    name,
    inputNames: Object.keys(definition.inputs),
    checkInputs: (inputs) => inputProblems(schema, inputs),
    tasks: tasks.map((task) => withParsedInputs(task, schema)),
  };
}

function checkNames(name: string, tasks: readonly { readonly name: string }[]): void {
  if (!CREW_NAME.test(name))
    throw new TypeError(`A crew's name has lower-case letters, digits and hyphens, not "${name}".`);
  const names = tasks.map((task) => task.name);
  const twice = names.find((one, index) => names.indexOf(one) !== index);
  if (twice !== undefined) throw new TypeError(`The crew "${name}" has two tasks named "${twice}".`);
}

function withParsedInputs<Inputs>(task: TaskDefinition<Inputs>, schema: z.ZodType<Inputs>): Task {
  const { name, agent, humanInput = false, description = '', expectedOutput = '', run, whenApproved } = task;
  const typed = (context: TaskContext<JsonObject>) => ({ ...context, inputs: schema.parse(context.inputs) });
  return {
    name,
    agent,
    humanInput,
    description,
    expectedOutput,
    run: (context) => run(typed(context)),
    ...(whenApproved && { whenApproved: (output, context) => whenApproved(output, typed(context)) }),
  };
}

function inputProblems(schema: z.ZodType, inputs: JsonObject): InputProblems {
  const issues = schema.safeParse(inputs).error?.issues ?? [];
  const missing = new Set<string>();
  const invalid: string[] = [];
  for (const issue of issues) {
    const name = String(issue.path[0]);
    const value = inputs[name];
    if (value === undefined || value === null || value === '') missing.add(name);
    else invalid.push(`${issue.path.join('.')}: ${issue.message}`);
  }
  return { missing: [...missing], invalid };
}
