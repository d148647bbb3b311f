// The table of what a click and a webhook may enter, in budgets.json: read, compared with a measurement, and written.
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { enteredBy, type Trace } from './measure.ts';
import { SCENARIOS } from './scenarios.ts';

const FILE = new URL('budgets.json', import.meta.url);

const BUDGETS = z.record(
  z.string(),
  z.strictObject({
    /** The most files and functions that may be entered from the beginning up to the end of each stage. */
    stages: z.array(z.strictObject({ name: z.string(), files: z.number(), functions: z.number() })),
    /** How many functions of each file were entered by the end of each stage when the table was written. */
    entered: z.record(z.string(), z.array(z.number())),
  }),
);

/** By the names of the scenarios. */
export type Budgets = z.infer<typeof BUDGETS>;
type Budget = Budgets[string];

/**
 * What a new budget allows beyond the measured figures. Repeated measurements differ by two functions, when a cache is read
 * anew; the rest lets a fix add a few lines of its own without a new table.
 */
const MARGIN = { files: 1, functions: 10 };

/** At most this many files are named whose functions have become more. */
const MOST_GROWN = 5;

export function readBudgets(): Budgets {
  return BUDGETS.parse(JSON.parse(readFileSync(FILE, 'utf8')));
}

/** One paragraph for each stage that enters more than its budget allows, with what is new in it. */
export function exceededBudgets(budgets: Budgets, traces: ReadonlyMap<string, Trace>): string[] {
  return Object.entries(budgets).flatMap(([scenario, { stages, entered }]) =>
    stages.flatMap(({ name, ...most }, stage) => {
      const trace = traces.get(scenario);
      if (trace === undefined) return [`${scenario}, ${name}: not measured.`];
      const figures = figuresOf(stage, trace);
      if (figures.files <= most.files && figures.functions <= most.functions) return [];
      return [
        [
          `${scenario}, ${name}: ${figures.files} files (budget ${most.files}), ${figures.functions} functions (budget ${most.functions}).`,
          ...changesSince(entered, stage, trace),
        ].join('\n'),
      ];
    }),
  );
}

function changesSince(entered: Budget['entered'], stage: number, trace: Trace): string[] {
  const counts = [...enteredBy(stage, trace)].map(([path, functions]) => {
    const before = entered[path]?.[stage] ?? 0;
    return { path, before, now: functions.length };
  });
  const added = counts.filter(({ before }) => before === 0);
  const grown = counts
    .filter(({ before, now }) => before > 0 && now > before)
    .toSorted((a, b) => b.now - b.before - (a.now - a.before));
  return [
    ...added.map(({ path, now }) => `  new: ${path}, ${now} functions`),
    ...grown
      .slice(0, MOST_GROWN)
      .map(({ path, before, now }) => `  more: ${path}, ${before} functions before, now ${now}`),
  ];
}

export function figuresOf(stage: number, trace: Trace): { files: number; functions: number } {
  const files = [...enteredBy(stage, trace).values()];
  return { files: files.length, functions: files.reduce((sum, functions) => sum + functions.length, 0) };
}

/** The table after a measurement: a budget goes down with what is measured, never up. */
export function loweredBudgets(budgets: Budgets, traces: ReadonlyMap<string, Trace>): Budgets {
  return Object.fromEntries([...traces].map(([name, trace]) => [name, lowered(name, budgets[name], trace)]));
}

function lowered(scenario: string, before: Budget | undefined, trace: Trace): Budget {
  const names = SCENARIOS[scenario]?.stages ?? [];
  const paths = [...new Set(trace.map(({ path }) => path))];
  return {
    stages: names.map((name, stage) => {
      const figures = figuresOf(stage, trace);
      const most = before?.stages[stage];
      return {
        name,
        files: Math.min(most?.files ?? Number.POSITIVE_INFINITY, figures.files + MARGIN.files),
        functions: Math.min(most?.functions ?? Number.POSITIVE_INFINITY, figures.functions + MARGIN.functions),
      };
    }),
    entered: Object.fromEntries(
      paths.map((path) => [path, names.map((_, stage) => enteredBy(stage, trace).get(path)?.length ?? 0)]),
    ),
  };
}

/** With a line for each stage and each file, so that changes can be read. */
export function writeBudgets(budgets: Budgets): void {
  const scenarios = Object.entries(budgets).map(([scenario, { stages, entered }]) => {
    const stageLines = stages.map(({ name, files, functions }) => {
      return `      { "name": ${JSON.stringify(name)}, "files": ${files}, "functions": ${functions} }`;
    });
    const fileLines = Object.entries(entered).map(([path, counts]) => `      "${path}": [${counts.join(', ')}]`);
    return `  "${scenario}": {
    "stages": [
${stageLines.join(',\n')}
    ],
    "entered": {
${fileLines.join(',\n')}
    }
  }`;
  });
  writeFileSync(FILE, `{\n${scenarios.join(',\n')}\n}\n`);
}
