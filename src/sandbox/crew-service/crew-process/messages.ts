import { z } from 'zod';
import type { TaskAttempt } from '../executions/crew-code.ts';
import { isDeeperThan, type Json, type JsonObject } from '../json.ts';

/** What the service asks of a process with crew code. Each request gets one answer, with its `id`. */
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
  /** What was reported with this number is stored. */
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

/** What a process with crew code says. Such code isn't trusted, so that all of it is checked. */
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
