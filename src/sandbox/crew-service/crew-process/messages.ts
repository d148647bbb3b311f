// The messages between the service and a process with the code of crews, as lines of JSON.
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { TaskDescription } from '../crew-description.ts';
import { CREW_NAME } from '../define-crew.ts';
import type { TaskAttempt } from '../executions/crew-code.ts';
import { isDeeperThan, type Json, type JsonObject } from '../json.ts';
import { script } from '../sandbox-api/scripted-crew.ts';

/** The service's requests to a process with crew code. Each request gets one answer, with its `id`. */
export type Request =
  | { readonly type: 'load'; readonly file: string; readonly options: JsonObject }
  | { readonly type: 'check'; readonly crew: string; readonly inputs: JsonObject }
  | {
      readonly type: 'perform';
      readonly crew: string;
      readonly attempt: TaskAttempt;
      readonly done: readonly (readonly [number, Json])[];
    };

export type ToProcess =
  | (Request & { readonly id: number })
  /** The report with this number is stored. */
  | { readonly type: 'stored'; readonly reported: number }
  | { readonly type: 'abort'; readonly id: number; readonly reason: string };

/** More than any output needs, far less than what overflows the stack. */
const DEEPEST = 500;

const json = z.custom<Json>(
  (value) => value !== undefined && !isDeeperThan(value as Json, DEEPEST),
  'is nested too deeply',
);

const id = z.number().int();
const tokens = z.number().int().nonnegative();

const report = z.object({
  thought: z.string(),
  tool: z.string().exactOptional(),
  toolInput: z.string().exactOptional(),
  result: z.string().exactOptional(),
});

/** The messages of a process with crew code. Such code isn't trusted, so that all of it is checked. */
export const fromProcess = z.discriminatedUnion('type', [
  z.object({ type: z.literal('answer'), id, value: json }),
  z.object({ type: z.literal('error'), id, message: z.string() }),
  z.object({
    ...{ type: z.literal('step'), id, reported: id, report, value: json },
    number: z.number().int().nonnegative(),
    usage: z.object({ promptTokens: tokens, completionTokens: tokens }).optional(),
  }),
  z.object({ type: z.literal('tell'), id, reported: id, report }),
  z.object({ type: z.literal('stray'), message: z.string() }),
]);

export type FromProcess = z.infer<typeof fromProcess>;

const text = z.string();

const question = z.object({
  message: text,
  outcomes: z.array(z.object({ name: text, next: text.optional() })),
  defaultOutcome: text.optional(),
});

const task: z.ZodType<TaskDescription> = z.object({
  ...{ name: text, agent: text, role: text, goal: text, description: text, expectedOutput: text },
  ...{ humanInput: z.boolean(), finishes: z.boolean() },
  timeLimitMs: z.number().positive().optional(),
  retries: z.number().int().nonnegative().optional(),
  group: z.number().int().optional(),
  isConditional: z.boolean().optional(),
  method: z.object({ next: text.optional(), humanFeedback: question.optional() }).optional(),
});

const nameAndInputs = { name: text.regex(CREW_NAME), inputNames: z.array(text) };

export const describedCrews = z.array(
  z.discriminatedUnion('kind', [
    z.object({
      ...nameAndInputs,
      kind: z.literal('coded'),
      tasks: z.array(task).min(1, 'is a crew without tasks'),
    }),
    z.object({ ...nameAndInputs, kind: z.literal('scripted'), script }),
  ]),
);

export type DescribedCrew = z.infer<typeof describedCrews>[number];

type Lines = {
  readonly from: Readable;
  /** In characters. */
  readonly longest: number;
  readonly take: (line: string) => void;
  /** A line is longer than that. Nothing is read any more. */
  readonly tooLong: () => void;
};

/** Reads a stream line by line, keeping at most one line in memory. */
export function readLines({ from, longest, take, tooLong }: Lines): void {
  let parts: string[] = [];
  let length = 0;
  const receive = (chunk: string) => {
    const [first = '', ...rest] = chunk.split('\n');
    for (const [index, text] of [first, ...rest].entries()) {
      if (index > 0) {
        take(parts.join(''));
        parts = [];
        length = 0;
      }
      parts.push(text);
      length += text.length;
    }
    if (length <= longest) return;
    from.off('data', receive);
    from.destroy();
    tooLong();
  };
  from.setEncoding('utf8').on('data', receive);
}
