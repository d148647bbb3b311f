import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Report } from './report.ts';

const BUDGETS = z.array(
  z.strictObject({
    part: z.string(),
    /** The name of a figure that is a count: times depend on the machine. */
    figure: z.string(),
    /** Some more than usual, since windows of time fall differently in each run. */
    most: z.number(),
    unit: z.string(),
  }),
);

type Budget = z.infer<typeof BUDGETS>[number];

/** The counts that the bot has to keep to, from the file beside this one. */
export function readBudgets(): Budget[] {
  return BUDGETS.parse(JSON.parse(readFileSync(new URL('budgets.json', import.meta.url), 'utf8')));
}

/** One sentence for each budget that is exceeded or wasn't measured. */
export function exceededBudgets(budgets: readonly Budget[], parts: Report['parts']): string[] {
  return budgets.flatMap(({ part, figure: name, most, unit }) => {
    const figure = parts[part]?.figures.find((each) => each.name === name);
    if (figure === undefined) return [`${part}, ${name}: not measured.`];
    const value = Math.round(figure.value * 10) / 10;
    return value <= most ? [] : [`${part}, ${name}: ${value} ${unit}, but the budget is ${most}.`];
  });
}
