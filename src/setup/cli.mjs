// The entry point of every npm script. It works on a fresh clone: each task first installs and builds what it needs.
// Imports are lazy so that `npm start` adds nothing to the bot's own start-up time.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CHECKOUT, SetupError, say } from './commands.mjs';

const [task = '', ...args] = process.argv.slice(2);

try {
  await perform(task, args);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  process.exitCode = 1;
}

/**
 * @param {string} task
 * @param {string[]} args
 */
function perform(task, args) {
  switch (task) {
    case 'run':
      return runProgram(args);
    case 'build':
      return buildAll();
    case 'check':
      return checkAll();
    case 'test':
      return testAll(args);
    case 'test:fast':
      return testFast(args);
    default:
      throw new SetupError(`Unknown task "${task}": see the scripts in package.json.`);
  }
}

/**
 * Runs a program in this process, so that it receives signals and sets the exit code itself. `dist/….js` is built first,
 * `src/….ts` runs from source.
 * @param {string[]} args
 */
async function runProgram([program = '', ...args]) {
  const path = join(CHECKOUT, program);
  process.argv = [process.execPath, path, ...args];
  if (program.startsWith('dist/')) await prepareProduction();
  else await prepareSources();
  await import(pathToFileURL(path).href);
}

async function prepareProduction() {
  await ensureBuilt();
  loadEnvironmentFile();
}

async function ensureBuilt() {
  const { build, isBuilt } = await import('./build.mjs');
  const { ensurePackages } = await import('./packages.mjs');
  const built = isBuilt();
  await ensurePackages({ development: !built });
  if (!built) await build();
}

/** Variables that are already set win over `.env`. */
function loadEnvironmentFile() {
  const file = join(CHECKOUT, '.env');
  if (!existsSync(file)) return;
  if (process.loadEnvFile === undefined) throw new SetupError('Reading .env needs Node.js 20.12 or newer.');
  process.loadEnvFile(file);
}

/** Programs that run from source are the sandbox's, and those start the production build of the bot. */
async function prepareSources() {
  await prepareDevelopment();
  await ensureBuilt();
  const { register } = await import('tsx/esm/api');
  register();
}

async function prepareDevelopment() {
  const { ensurePackages } = await import('./packages.mjs');
  await ensurePackages({ development: true });
}

async function buildAll() {
  await prepareDevelopment();
  const { build } = await import('./build.mjs');
  await build();
}

async function checkAll() {
  await prepareDevelopment();
  const { check } = await import('./checks.mjs');
  await check();
}

/** @param {string[]} args */
async function testAll(args) {
  await checkAll();
  const { ensureChromium, ensureEmojiFont } = await import('./chromium.mjs');
  process.env.CHROMIUM_PATH = await ensureChromium();
  await ensureEmojiFont();
  await test(args);
}

/** @param {string[]} args */
async function testFast(args) {
  await checkAll();
  await test(['--project=here', '--exclude=**/*.slow.test.ts', ...args]);
}

/** @param {string[]} args */
async function test(args) {
  const { ensureRedisServer } = await import('./redis-server.mjs');
  await ensureRedisServer();
  await buildAll();
  const { runTests } = await import('./tests.mjs');
  process.exitCode = await runTests(args);
}
