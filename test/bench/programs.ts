import { join } from 'node:path';
import { CHECKOUT } from '../../src/setup/commands.mjs';

/** The programs that benches start in processes of their own beside the bot, and their entry points. */
export const BENCH_PROGRAMS = {
  stubs: 'test/bench/stubs/main.ts',
  'bare-http': 'test/bench/baselines/bare-http.ts',
  'bare-bolt': 'test/bench/baselines/bare-bolt.ts',
  'lean-bolt': 'test/bench/baselines/lean-bolt.ts',
} as const;

export type BenchProgram = keyof typeof BENCH_PROGRAMS;

/** The bot as `npm start` runs it, with Slack's real rates. */
export const PRODUCTION_BUILD = join(CHECKOUT, 'dist/main.js');
