import { z } from 'zod';
import type { Task, UntypedContext } from './coded-crew.ts';
import { readInputs } from './crew-inputs.ts';
import type { Json } from './json.ts';
import type { TaskContext, TaskDefinition } from './task-definition.ts';

/** A task without its types, with defaults. Throws `TypeError` for a limit that can't be kept. */
export function taskOf<Inputs, Outputs, Previous, Draft extends Json, Output extends Json, When extends boolean>(
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
  const typed = async (context: UntypedContext) =>
    ({ ...context, inputs: await readInputs(schema, context) }) as TaskContext<Inputs, Outputs, Previous>;
  return {
    ...{ name, agent: named.name, role, goal, description, expectedOutput, humanInput, ...limits },
    ...(when && { isConditional: true, when: async (context) => when(await typed(context)) }),
    async run(context) {
      const made = await run(await typed(context));
      if (output !== undefined) await checkOutput(output, made, name);
      return made;
    },
    // What is approved is what `run` has returned.
    ...(whenApproved && {
      whenApproved: async (approved, context) => whenApproved(approved as Draft, await typed(context)),
    }),
  };
}

/** The longest that Node.js can wait: https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const LONGEST_LIMIT_MS = 2 ** 31 - 1;
const USUAL_LIMIT_MS = 15 * 60_000;

type Limits = { readonly timeLimitMs?: number; readonly retries?: number };

function limitsOf(task: string, { timeLimitMs = USUAL_LIMIT_MS, retries = 0 }: Limits): Required<Limits> {
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
