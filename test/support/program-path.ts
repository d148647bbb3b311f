import { join } from 'node:path';
import type { BenchProgram } from '../bench/programs.ts';

/** The programs that tests start in processes of their own, and their entry points. */
export const PROGRAMS = {
  bot: 'src/main.ts',
  'unlimited-bot': 'test/support/unlimited-bot.ts',
  webhook: 'src/tools/webhook/main.ts',
  mcp: 'src/tools/mcp/main.ts',
  policy: 'src/tools/policy/main.ts',
  audit: 'src/tools/audit/main.ts',
  report: 'src/tools/report/main.ts',
  doctor: 'src/tools/doctor/main.ts',
  'do-everything-once': 'test/redis/do-everything-once.ts',
} as const;

export type Program = keyof typeof PROGRAMS;

/** The bundle of a program. */
export function programPath(program: Program | BenchProgram): string {
  const folder = process.env.TEST_PROGRAMS;
  if (folder === undefined) throw new Error('The programs are not bundled: call setup() of bundle-programs.ts first.');
  return join(folder, `${program}.mjs`);
}
