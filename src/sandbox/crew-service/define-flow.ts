import type { z } from 'zod';
import type { Crew, Task, TaskContext, UntypedContext } from './coded-crew.ts';
import type { FeedbackQuestion, HumanFeedback } from './crew-description.ts';
import { crewOf, type InputsDefinition, type InputsOf, limitsOf, readInputs, schemaOf } from './define-crew.ts';

export interface MethodContext<Inputs>
  extends Pick<
    TaskContext<Inputs, Outputs>,
    'executionId' | 'inputs' | 'outputs' | 'round' | 'model' | 'signal' | 'step'
  > {
  /** All answers so far, oldest first. */
  readonly humanFeedback: readonly HumanFeedback[];
}

/** The latest output of each method: none, while it hasn't run. A flow that continues another one's state begins with those. */
type Outputs = Readonly<Record<string, string | undefined>>;

interface MethodDefinition<Inputs, Names extends string> {
  readonly description?: string;
  /** The method that comes next; the flow ends after one that names none. */
  readonly next?: NoInfer<Names>;
  /** Asks a person about the output before the flow goes on. */
  readonly humanFeedback?: {
    readonly message: string;
    /** The outcomes to choose from, and the method that each goes on to; null ends the flow. Without any, `next` says. */
    readonly emit?: Readonly<Record<string, NoInfer<Names> | null>>;
    /** The outcome of feedback that names none of them. Default: the last one. */
    readonly defaultOutcome?: string;
  };
  /** The time that one try may take, before it is ended and the flow fails. Default: 15 minutes. */
  readonly timeLimitMs?: number;
  /** The number of times that the method is tried again after it has thrown or reached its time limit. Default 0. */
  readonly retries?: number;
  /** Does the work and returns the output, a text. Throwing fails the flow, with the error's message. */
  readonly run: (context: MethodContext<Inputs>) => Promise<string> | string;
}

interface FlowDefinition<Inputs extends InputsDefinition, Names extends string> {
  /** Lower-case letters, digits and hyphens: it is part of the base URL. */
  readonly name: string;
  /** A flow has inputs as a crew has them. */
  readonly inputs: Inputs;
  /** The first one starts the flow. */
  readonly methods: { readonly [Name in Names]: MethodDefinition<InputsOf<Inputs>, Names> };
}

/**
 * A flow: methods that go on to each other, by what a person answers, in circles too.
 *
 * ```ts
 * defineFlow({
 *   name: 'haiku',
 *   inputs: { topic: z.string() },
 *   methods: {
 *     write: {
 *       humanFeedback: { message: 'Is it good?', emit: { approved: 'publish', needs_revision: 'write', rejected: null } },
 *       run: ({ inputs, humanFeedback }) => compose(inputs.topic, humanFeedback.at(-1)?.feedback),
 *     },
 *     publish: { run: ({ outputs, step }) => step('Publish', () => `Published: ${outputs.write}`) },
 *   },
 * })
 * ```
 *
 * It is a crew whose tasks are its methods, and is served in the dialect `flows` only. Throws `TypeError` if the name can't
 * be part of a URL, or it goes on to a method or outcome that it doesn't have.
 */
export function defineFlow<Inputs extends InputsDefinition, Names extends string>({
  name,
  inputs,
  methods,
}: FlowDefinition<Inputs, Names>): Crew {
  const schema = schemaOf(name, inputs);
  const entries = Object.entries<MethodDefinition<InputsOf<Inputs>, Names>>(methods);
  const tasks = entries.map(([method, definition]) => taskOf(method, definition, schema));
  for (const task of tasks) checkWays(name, task, Object.keys(methods));
  return crewOf({ name, schema, tasks });
}

function taskOf<Inputs, Names extends string>(
  name: string,
  definition: MethodDefinition<Inputs, Names>,
  schema: z.ZodObject,
): Task {
  const { description = '', next, humanFeedback, run } = definition;
  return {
    ...{ name, agent: name, role: '', goal: '', description, expectedOutput: '', humanInput: false },
    ...limitsOf(name, definition),
    method: { next, humanFeedback: humanFeedback && questionOf(humanFeedback) },
    async run({ humanFeedback: given = [], ...context }: UntypedContext) {
      const withTypes = { ...context, humanFeedback: given, inputs: await readInputs(schema, context) };
      // The schema made the inputs, and each output is checked below.
      const output: unknown = await run(withTypes as MethodContext<Inputs>);
      if (typeof output !== 'string') throw new TypeError(`The output of the method "${name}" isn't a text.`);
      return { output };
    },
  };
}

type AskedFor<Names extends string> = NonNullable<MethodDefinition<never, Names>['humanFeedback']>;

function questionOf<Names extends string>({ message, emit = {}, defaultOutcome }: AskedFor<Names>): FeedbackQuestion {
  const outcomes = Object.entries<Names | null>(emit).map(([name, next]) => ({ name, next: next ?? undefined }));
  return { message, outcomes, defaultOutcome };
}

/** Types say so in an editor, but are removed from crew files unchecked. */
function checkWays(flow: string, { name, method }: Task, names: readonly string[]): void {
  const { outcomes = [], defaultOutcome } = method?.humanFeedback ?? {};
  const ways = [method?.next, ...outcomes.map(({ next }) => next)].filter((next) => next !== undefined);
  const unknown = ways.find((next) => !names.includes(next));
  if (unknown !== undefined)
    throw new TypeError(`The flow "${flow}" has no method "${unknown}" to go on to after "${name}".`);
  if (defaultOutcome !== undefined && !outcomes.some((outcome) => outcome.name === defaultOutcome))
    throw new TypeError(`The default outcome "${defaultOutcome}" of the method "${name}" isn't one that it emits.`);
}
