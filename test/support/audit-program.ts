import { execFile } from 'node:child_process';
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

/** Runs a script with Node.js. */
export function run(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((done) => {
    const options = { env, maxBuffer: 2 ** 26 };
    execFile(process.execPath, args, options, (error, out, errors) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, out, errors }),
    );
  });
}
