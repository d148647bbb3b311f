import { join } from 'node:path';
import type { BenchProgram } from '../bench/programs.ts';

/** The programs that tests start in processes of their own, and their entry points. */
export const PROGRAMS = {
  bot: 'src/main.ts',
  'unlimited-bot': 'test/support/unlimited-bot.ts',
  webhook: 'src/webhook.ts',
  mcp: 'src/mcp.ts',
  policy: 'src/policy.ts',
  audit: 'src/audit.ts',
  report: 'src/report.ts',
  doctor: 'src/doctor.ts',
  'do-everything-once': 'test/redis/do-everything-once.ts',
} as const;

export type Program = keyof typeof PROGRAMS;

/** The bundle of a program. */
export function programPath(program: Program | BenchProgram): string {
  const folder = process.env.TEST_PROGRAMS;
  if (folder === undefined) throw new Error('The programs are not bundled: call setup() of bundle-programs.ts first.');
  return join(folder, `${program}.mjs`);
}
