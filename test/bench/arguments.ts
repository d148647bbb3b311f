import { parseOptions, UsageError } from '../../src/setup/usage.mjs';

/** What `npm run bench -- …` was asked for. */
export interface Arguments {
  /** The parts to measure; empty for all. */
  parts: string[];
  /** Only the counts, with small numbers, against the budgets. */
  short: boolean;
  durable: boolean;
  /** 100,000 pending approvals, too. */
  large: boolean;
  rounds: number;
  /** Where the report goes; null for the usual place. */
  json: string | null;
  /** An earlier report. */
  compare: string | null;
}

const OPTIONS = {
  short: { type: 'boolean', default: false },
  durable: { type: 'boolean', default: false },
  large: { type: 'boolean', default: false },
  rounds: { type: 'string', default: '3' },
  json: { type: 'string' },
  compare: { type: 'string' },
} as const;

/** @throws {UsageError} */
export function parseArguments(argv: readonly string[], known: readonly string[]): Arguments {
  const { values, positionals } = parseOptions(argv, OPTIONS, 'words');
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new UsageError(`There is no bench ${unknown.join(', ')}; there are ${known.join(', ')}.`);
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new UsageError('--rounds takes a whole number from 1.');
  const { short, durable, large, json = null, compare = null } = values;
  if (short && positionals.length > 0)
    throw new UsageError('--short measures the counts of all parts: leave the names out.');
  return { parts: positionals, short, durable, large, rounds, json, compare };
}
