import { isDeepStrictEqual } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { z } from 'zod';
import type { Crew, Task, TaskContext, TaskDefinition, UntypedContext } from './coded-crew.ts';
import type { CheckedInputs } from './crew-description.ts';
import { type Json, type JsonObject, jsonIn } from './json.ts';

export type InputsDefinition = z.ZodRawShape | z.ZodObject;

export type InputsOf<Definition> = Definition extends z.ZodObject
  ? z.output<Definition>
  : Definition extends z.ZodRawShape
    ? z.output<z.ZodObject<Definition>>
    : never;

export interface CrewDefinition<Inputs extends InputsDefinition> {
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
   * People are asked for their reviews one after another, once all tasks of the group have run.
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
  return builder({ name, schema: schemaOf(name, inputs), tasks: [] });
}

/** The schema of a crew's inputs. Throws `TypeError` if the crew's name can't be part of a URL. */
export function schemaOf(name: string, inputs: InputsDefinition): InputsSchema {
  if (!CREW_NAME.test(name))
    throw new TypeError(`A crew's name has lower-case letters, digits and hyphens, not "${name}".`);
  return inputs instanceof z.ZodObject ? inputs : z.object(inputs);
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
    ...crewOf({ name, schema, tasks }),
    task: (taskName, definition) => builder(withMore([taskOf(taskName, definition, schema)])),
    parallel(add) {
      const group = tasks.length;
      const added = add(taskGroup(schema, [])).tasks;
      return builder(withMore(added.map((task) => ({ ...task, group }))));
    },
  };
}

export function crewOf({ name, schema, tasks }: CrewParts): Crew {
  return {
    ...{ kind: 'coded', name, tasks },
    inputNames: Object.keys(schema.shape),
    checkInputs: (inputs) => checkInputs(schema, inputs),
  };
}

function taskGroup<Inputs, Outputs, Added>(
  schema: z.ZodObject,
  tasks: readonly Task[],
): TaskGroup<Inputs, Outputs, Added> {
  return { tasks, task: (name, definition) => taskGroup(schema, [...tasks, taskOf(name, definition, schema)]) };
}

/** A task without its types, with defaults. Throws `TypeError` for a limit that can't be kept. */
function taskOf<Inputs, Outputs, Previous, Draft extends Json, Output extends Json, When extends boolean>(
  name: string,
  definition: TaskDefinition<Inputs, Outputs, Previous, Draft, Output, When>,
  schema: z.ZodObject,
): Task {
  const {
    agent,
    output,
    when,
    run,
    whenApproved,
    humanInput = false,
    description = '',
    expectedOutput = '',
  } = definition;
  const limits = limitsOf(name, definition);
  const { role = '', goal = '', ...named } = typeof agent === 'string' ? { name: agent } : agent;
  // The schema made the inputs, and the tasks before this one the outputs.
  const withTypes = async (context: UntypedContext) =>
    ({ ...context, inputs: await readInputs(schema, context) }) as TaskContext<Inputs, Outputs, Previous>;
  return {
    ...{ name, agent: named.name, role, goal, description, expectedOutput, humanInput, ...limits },
    ...(when && { isConditional: true, when: async (context) => when(await withTypes(context)) }),
    async run(context) {
      const made = await run(await withTypes(context));
      if (output !== undefined) await checkOutput(output, made, name);
      return { output: made };
    },
    // People approve the value that `run` has returned.
    ...(whenApproved && {
      whenApproved: async (approved, context) => whenApproved(approved as Draft, await withTypes(context)),
    }),
  };
}

/** The longest that Node.js can wait: https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const LONGEST_LIMIT_MS = 2 ** 31 - 1;
const USUAL_LIMIT_MS = 15 * 60_000;

type Limits = { readonly timeLimitMs?: number | undefined; readonly retries?: number };

export function limitsOf(task: string, { timeLimitMs = USUAL_LIMIT_MS, retries = 0 }: Limits): Required<Limits> {
  if (!(timeLimitMs >= 1 && timeLimitMs <= LONGEST_LIMIT_MS))
    throw new TypeError(`The timeLimitMs of the task "${task}" is from 1 to ${LONGEST_LIMIT_MS}, not ${timeLimitMs}.`);
  if (!Number.isInteger(retries) || retries < 0)
    throw new TypeError(`The retries of the task "${task}" are a whole number from 0, not ${retries}.`);
  return { timeLimitMs, retries };
}

async function checkOutput(schema: z.ZodType, made: Json, task: string): Promise<void> {
  const { error } = await schema.safeParseAsync(made);
  if (error)
    throw new TypeError(`The output of the task "${task}" isn't as its \`output\` says:\n${z.prettifyError(error)}`);
}

/** The inputs that a crew takes: a zod object, which may have rules across several of them. */
type InputsSchema = z.ZodObject;

/** Checks what a kickoff gives, and computes defaults: once for all tasks of the run. */
async function checkInputs(schema: InputsSchema, values: JsonObject): Promise<CheckedInputs> {
  const parsed = await schema.safeParseAsync(values);
  if (parsed.success) {
    const inputs = { ...values, ...defaultsIn(parsed.data, values) };
    return { ok: true, inputs, typed: encoded(parsed.data) };
  }
  const missing = new Set<string>();
  const invalid: string[] = [];
  for (const { path, message } of parsed.error.issues) {
    const name = String(path[0]);
    if (isEmpty(values[name]) && (await isRequired(schema, name))) missing.add(name);
    else invalid.push(path.length === 0 ? message : `${path.join('.')}: ${message}`);
  }
  return { ok: false, missing: [...missing], invalid };
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '';
}

async function isRequired(schema: InputsSchema, name: string): Promise<boolean> {
  const field = schema.shape[name] as z.ZodType | undefined;
  return field !== undefined && !(await field.safeParseAsync(undefined)).success;
}

/** Encodes the defaults of the inputs as JSON, for reports. */
function defaultsIn(parsed: Record<string, unknown>, values: JsonObject): JsonObject {
  const added = Object.entries(parsed).filter(([name, value]) => values[name] === undefined && value !== undefined);
  return Object.fromEntries(added.map(([name, value]) => [name, asJson(value)]));
}

function asJson(value: unknown): Json {
  return typeof value === 'bigint' ? String(value) : (jsonIn(JSON.stringify(value) ?? 'null') ?? null);
}

/** JSON has no dates; this has. Undefined for objects of other classes, which would come back as plain ones. */
function encoded(parsed: Record<string, unknown>): string | undefined {
  try {
    const bytes = serialize(parsed);
    return isDeepStrictEqual(deserialize(bytes), parsed) ? bytes.toString('base64') : undefined;
  } catch {
    return undefined;
  }
}

type StoredInputs = { readonly inputs: JsonObject; readonly typedInputs?: string | undefined };

/** The inputs with the types of the schema. What can't be encoded is parsed again, for each task. */
export function readInputs(schema: InputsSchema, { inputs, typedInputs }: StoredInputs): Promise<unknown> | unknown {
  if (typedInputs === undefined) return schema.parseAsync(inputs);
  return deserialize(Buffer.from(typedInputs, 'base64'));
}
