// Runs a program of this checkout, and first makes what it needs, so that it works on a fresh clone:
//   node src/setup/run.mjs PROGRAM [ARGUMENT …]
// A program of production (dist/….js) or of a package of the sandbox (src/sandbox/…/dist/….js) is built if a source has changed.
// Others (….ts) run from source, and start what is built. The program runs in this process: it gets the signals, and its exit
// code is that of this process. --help needs none of that.
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensurePackages, ensureSandboxBuilt } from './checkout.mjs';
import { CHECKOUT, SetupError, say } from './commands.mjs';
import { ensureRedisServer } from './system-programs.mjs';
import { helpFor } from './usage.mjs';

const [program = '', ...args] = process.argv.slice(2);
const path = join(CHECKOUT, program);
const help = helpFor(program, args);

try {
  if (help !== null) console.log(help);
  else await runProgram();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  process.exitCode = 1;
}

async function runProgram() {
  if (program.startsWith('dist/')) {
    await ensureBuilt();
    loadEnvironmentFile();
  } else if (program.includes('/dist/')) {
    await ensureSandboxBuilt();
    if (program.includes('crew-service')) await offerRedis();
    // Their paths are relative to where npm was called.
    process.chdir(process.env.INIT_CWD ?? process.cwd());
  } else {
    await ensurePackages({ development: true });
    await ensureBuilt();
    await ensureSandboxBuilt();
    const { register } = await import('tsx/esm/api');
    // Not its `paths`: at run time, packages of the sandbox are what was built of them.
    register({ tsconfig: false });
  }
  process.argv = [process.execPath, path, ...args];
  await import(pathToFileURL(path).href);
}

/** The crew service starts the redis-server on PATH, unless it is told of another one. */
async function offerRedis() {
  if (process.env.REDIS_URL || args.some((arg) => /^(?:new$|--help$|-h$|--redis)/.test(arg))) return;
  process.env.PATH = [dirname(await ensureRedisServer()), process.env.PATH].join(delimiter);
}

/** Variables that are already set win over `.env`. */
function loadEnvironmentFile() {
  const file = join(CHECKOUT, '.env');
  if (!existsSync(file)) return;
  if (process.loadEnvFile === undefined) throw new SetupError('Reading .env needs Node.js 20.12 or newer.');
  process.loadEnvFile(file);
}
