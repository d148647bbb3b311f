// The one entry of every npm script. It works on a fresh clone: each task first installs and builds what it needs.
// Only what a task needs is imported, because `npm start` should cost nothing beyond the bot's own start.
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
 * Runs a program in this very process, so that signals and exit codes are its own: `dist/….js` is built first,
 * `src/….ts` runs from the source.
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

/** What is set already wins over `.env`. */
function loadEnvironmentFile() {
  const file = join(CHECKOUT, '.env');
  if (!existsSync(file)) return;
  if (process.loadEnvFile === undefined) throw new SetupError('Reading .env needs Node.js 20.12 or newer.');
  process.loadEnvFile(file);
}

/** What runs from the source is the sandbox, which starts the bot as it runs in production. */
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
  await test(['--project=fast', ...args]);
}

/** @param {string[]} args */
async function test(args) {
  const { ensureRedisServer } = await import('./redis-server.mjs');
  await ensureRedisServer();
  await buildAll();
  const { runTests } = await import('./tests.mjs');
  process.exitCode = await runTests(args);
}
