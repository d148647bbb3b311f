import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Task, UntypedContext } from '../coded-crew.ts';
import type { CheckedInputs, TaskDescription } from '../crew-description.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Gates } from './gates.ts';

const json = z.custom<Json>((value) => value !== undefined);

/**
 * The behaviour of a task of a scripted crew, as plain JSON that another process can send. The task reports its `steps`, waits
 * `delayMs`, waits for the gate `hold`, and then fails or returns the first output available: the round's entry of
 * `outputs` (the last entry serves all later rounds), `output`, a text of `outputBytes` bytes, or a text listing the
 * feedback it was given. `{{round}}` and `{{feedback}}` are replaced in string outputs.
 */
const scriptedTask = z.strictObject({
  name: z.string().min(1),
  agent: z.string().default('Scripted agent'),
  humanInput: z.boolean().default(false),
  output: json.optional(),
  outputs: z.array(json).min(1).optional(),
  outputBytes: z.number().int().nonnegative().optional(),
  steps: z.number().int().nonnegative().default(0),
  stepDelayMs: z.number().nonnegative().default(0),
  delayMs: z.number().nonnegative().default(0),
  hold: z.string().optional(),
  fails: z.string().optional(),
});

export const script = z.array(scriptedTask).min(1);

export type ScriptedTask = z.infer<typeof scriptedTask>;

/** A script as a test writes it, with defaults left out. */
export type Script = z.input<typeof script>;

export interface ScriptedCrew {
  readonly kind: 'scripted';
  readonly name: string;
  readonly inputNames: readonly string[];
  /** Used until a test sets another script. */
  readonly script: readonly ScriptedTask[];
  checkInputs(inputs: JsonObject): CheckedInputs;
}

/** A crew that follows a script. All its inputs are required and may be of any type. */
export function scriptedCrew(crew: { name: string; inputs?: readonly string[]; tasks: Script }): ScriptedCrew {
  const inputNames = crew.inputs ?? [];
  return {
    kind: 'scripted',
    name: crew.name,
    inputNames,
    script: script.parse(crew.tasks),
    checkInputs(inputs) {
      const missing = inputNames.filter((name) => !Object.hasOwn(inputs, name));
      return missing.length === 0 ? { ok: true, inputs } : { ok: false, missing, invalid: [] };
    },
  };
}

export function descriptionOfScript({ name, agent, humanInput }: ScriptedTask): TaskDescription {
  return { name, agent, humanInput, role: '', goal: '', description: '', expectedOutput: '', finishes: false };
}

export function taskOfScript(scripted: ScriptedTask, gates: Gates): Task {
  const { finishes: _, ...described } = descriptionOfScript(scripted);
  return { ...described, run: async (context) => ({ output: await perform(scripted, context, gates) }) };
}

async function perform(task: ScriptedTask, context: UntypedContext, gates: Gates): Promise<Json> {
  const { signal } = context;
  for (let number = 1; number <= task.steps; number++) {
    await context.step(
      { thought: `Step ${number} of ${task.name}`, tool: 'script', toolInput: `${number}` },
      async () => {
        if (task.stepDelayMs > 0) await pause(task.stepDelayMs, undefined, { signal });
        return `Result of step ${number}`;
      },
    );
  }
  if (task.delayMs > 0) await pause(task.delayMs, undefined, { signal });
  if (task.hold !== undefined) await gates.wait(task.hold, signal);
  if (task.fails !== undefined) throw new Error(task.fails);
  return outputOf(task, context);
}

function outputOf(task: ScriptedTask, context: UntypedContext): Json {
  const ofRound = task.outputs?.[Math.min(context.round, task.outputs.length) - 1] ?? task.output;
  if (ofRound !== undefined) return typeof ofRound === 'string' ? filledIn(ofRound, context) : ofRound;
  if (task.outputBytes !== undefined) return longText(task.outputBytes);
  const lines = context.feedback.map((one) => `- on ${one.task}, round ${one.round}: ${one.text}`);
  return [
    `# ${task.name}, round ${context.round}`,
    ...(lines.length > 0 ? ['Feedback in the context:', ...lines] : []),
  ].join('\n');
}

function filledIn(text: string, { round, feedback }: UntypedContext): string {
  return text
    .replaceAll('{{round}}', `${round}`)
    .replaceAll('{{feedback}}', () => feedback.map((one) => one.text).join(' | '));
}

function longText(bytes: number): string {
  const line = 'All work and no play makes a crew a dull crew.\n';
  return line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
}

/** The scripts that tests have set for scripted crews, kept in Redis. */
export interface Scripts {
  get(crew: string): Promise<readonly ScriptedTask[] | undefined>;
  /** Rejects with `ZodError` if the script is invalid. */
  set(crew: string, tasks: Script): Promise<void>;
}

export function createScripts(redis: Redis, prefix: string): Scripts {
  const key = `${prefix}scripts`;
  return {
    async get(crew) {
      const text = await redis.hget(key, crew);
      return text === null ? undefined : script.parse(JSON.parse(text));
    },
    async set(crew, tasks) {
      await redis.hset(key, crew, JSON.stringify(script.parse(tasks)));
    },
  };
}
