import { execFile } from 'node:child_process';
import { CHECKOUT } from '../../src/setup/commands.mjs';
import { programPath } from './program-path.ts';

/** How a program ended, and what it printed. */
export interface Ended {
  code: number;
  out: string;
  errors: string;
}

/** Runs `npm run audit -- …` with nothing in its environment but this. */
export function audit(args: string[], env: Record<string, string> = {}): Promise<Ended> {
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
