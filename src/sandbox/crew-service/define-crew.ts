import { z } from 'zod';
import type { Json, JsonObject } from './json.ts';

/** The output of a task that is done. */
export type TaskOutput = { readonly task: string; readonly output: Json };

/** What a person said about an earlier output, and about which one. */
export type Feedback = {
  readonly task: string;
  readonly round: number;
  readonly approved: boolean;
  readonly text: string;
};

/** What an agent did in a step. Only `thought` is required; the whole report goes to the step webhook. */
export type StepReport = {
  readonly thought: string;
  readonly tool?: string;
  readonly toolInput?: string;
  readonly result?: string;
};

export interface TaskContext<Inputs> {
  readonly executionId: string;
  readonly inputs: Inputs;
  /** 1 for the first try; one more after each rejection. */
  readonly round: number;
  /** The outputs of the tasks before this one, in their order. */
  readonly outputs: readonly TaskOutput[];
  /**
   * All feedback that belongs to the context of this try, whole, oldest first: that of the rejected rounds of this task,
   * preceded by the text with which the task before was approved.
   */
  readonly feedback: readonly Feedback[];
  /** Everything that people have said in this execution so far, about any task. */
  readonly allFeedback: readonly Feedback[];
  /** This task's output of the round before, which was rejected; undefined in the first round. */
  readonly previous: Json | undefined;
  /** Aborts when the service stops. Pass it to whatever takes time. */
  readonly signal: AbortSignal;
  /**
   * Reports progress, and is a checkpoint: what `work` returned is stored, so that a task that is run again after a
   * restart gets the stored values for the steps it had done and neither works nor reports twice. Therefore a task must
   * reach its steps in the same order each time, and effects belong into a step.
   */
  step<Result extends Json = null>(report: string | StepReport, work?: () => Promise<Result> | Result): Promise<Result>;
}

export interface TaskDefinition<Inputs> {
  readonly name: string;
  readonly agent: string;
  readonly description?: string;
  readonly expectedOutput?: string;
  /** Whether a person must approve the output before the crew goes on. */
  readonly humanInput?: boolean;
  /** Does the work and returns the output. Whatever it throws ends the execution as failed, with the error's message. */
  readonly run: (context: TaskContext<Inputs>) => Promise<Json> | Json;
  /**
   * Done once, after the approval of `output`: the place for effects that need one. Its return value becomes the task's
   * output. Where no human input is asked for, it follows `run` at once.
   */
  readonly whenApproved?: (output: Json, context: TaskContext<Inputs>) => Promise<Json> | Json;
}

export interface CrewDefinition<Shape extends z.ZodRawShape> {
  /** Lower-case letters, digits and hyphens: it is a part of the base address. */
  readonly name: string;
  /** A zod schema for each input. `GET /inputs` names them in this order. */
  readonly inputs: Shape;
  readonly tasks: readonly [
    TaskDefinition<z.infer<z.ZodObject<Shape>>>,
    ...TaskDefinition<z.infer<z.ZodObject<Shape>>>[],
  ];
}

export type InputProblems = { readonly missing: readonly string[]; readonly invalid: readonly string[] };

export type Task = Required<
  Pick<TaskDefinition<JsonObject>, 'name' | 'agent' | 'description' | 'expectedOutput' | 'humanInput' | 'run'>
> &
  Pick<TaskDefinition<JsonObject>, 'whenApproved'>;

export interface Crew {
  readonly kind: 'coded';
  readonly name: string;
  readonly inputNames: readonly string[];
  readonly tasks: readonly Task[];
  /** Which inputs are missing and which are of a wrong type or value; both empty when a run may start. */
  checkInputs(inputs: JsonObject): InputProblems;
}

const CREW_NAME = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/**
 * Makes a crew of plain functions. An example to copy:
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
 *         const words = await step('Look for words', () => findWords(inputs.topic, signal));
 *         const wishes = feedback.filter((one) => !one.approved).map((one) => one.text);
 *         return compose(words, inputs.lines, wishes);
 *       },
 *     },
 *     { name: 'sign', agent: 'Editor', run: ({ outputs }) => `${outputs[0]?.output}\n\n— the crew` },
 *   ],
 * });
 * ```
 *
 * Throws `TypeError` where the name can't be part of an address, or two tasks have the same name.
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
