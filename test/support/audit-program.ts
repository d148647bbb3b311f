import { execFile } from 'node:child_process';
import { parseArgs } from 'node:util';
import { CHECKOUT } from '../../src/setup/commands.mjs';
import { cutLine } from '../../src/slack/ui/text/escape.ts';
import { AUDIT_OPTIONS, audit as carryOut, parseAuditCommand } from '../../src/tools/audit/audit.ts';
import { CannotAudit } from '../../src/tools/ledger-command.ts';
import { ledgerSettings, personOf, wordsOfSlack } from '../../src/tools/ledger-environment.ts';
import { programPath } from './program-path.ts';

/** How a program ended, and what it printed. */
export interface Ended {
  code: number;
  out: string;
  errors: string;
}

/**
 * Carries out `npm run audit -- …` in this process, with nothing in its environment but this. Starting Node.js for each command
 * takes longer than the command, so only stories, which the program itself words, are told by a process of their own.
 */
export async function audit(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  if (args[0] === 'who') return auditProgram(args, env);
  const [out, errors]: [string[], string[]] = [[], []];
  const remark = (text: string) => void errors.push(`${text}\n`);
  const parsed = parseArgs({ args, options: AUDIT_OPTIONS, allowPositionals: true });
  try {
    const command = parseAuditCommand(parsed, Date.now());
    if (command === null) throw new Error(`npm run audit has no ${args.join(' ')}`);
    const code = await carryOut(command, {
      settings: ledgerSettings(env),
      story: () => Promise.reject(new Error('A story is told by the program.')),
      words: (ids) => wordsOfSlack(ids, { env, unknown: () => remark('Slack could not be asked for names.') }),
      personOf: (text) => personOf('by', text, env),
      foreign: cutLine,
      remark,
      write: async (text) => void out.push(text),
      now: Date.now(),
    });
    return { code, out: out.join(''), errors: errors.join('') };
  } catch (error) {
    if (!(error instanceof CannotAudit)) throw error;
    return { code: 2, out: out.join(''), errors: `${errors.join('')}${error.message}\n` };
  }
}

/** Runs the program `npm run audit -- …` likewise. */
export function auditProgram(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  return run([programPath('audit'), ...args], env);
}

/** Runs `npm run report -- …` likewise. */
export function report(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  return run([programPath('report'), ...args], env);
}

/** Runs a script with Node.js. Default: in this checkout. */
export function run(args: string[], env: Record<string, string> = {}, cwd = CHECKOUT): Promise<Ended> {
  return new Promise((done) => {
    const options = { cwd, env, maxBuffer: 2 ** 26 };
    execFile(process.execPath, args, options, (error, out, errors) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, out, errors }),
    );
  });
}
