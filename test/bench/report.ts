import { readFileSync } from 'node:fs';
import { z } from 'zod';

const FIGURE = z.object({
  name: z.string(),
  value: z.number(),
  unit: z.string(),
  better: z.enum(['more', 'less']),
  ratio: z.object({ value: z.number(), to: z.string() }).exactOptional(),
  goal: z.object({ text: z.string(), met: z.boolean() }).exactOptional(),
  note: z.string().exactOptional(),
});

const REPORT = z.object({
  at: z.string(),
  node: z.string(),
  cores: z.number(),
  pinned: z.boolean(),
  durable: z.boolean(),
  rounds: z.number(),
  /** Reasons to doubt the times. */
  warnings: z.array(z.string()),
  /** Parts that could not be measured, and why. */
  failures: z.array(z.string()),
  parts: z.record(z.string(), z.object({ seconds: z.number(), figures: z.array(FIGURE) })),
});

/** Everything that one run measured, as it is written to a file. */
export type Report = z.infer<typeof REPORT>;

/** @throws where the file is no report */
export function readReport(file: string): Report {
  return REPORT.parse(JSON.parse(readFileSync(file, 'utf8')));
}
