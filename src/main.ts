import manifest from '../package.json' with { type: 'json' };
import { type Bot, startBot } from './bot/bot.ts';
import { CannotStart } from './bot/start-up.ts';
import { readConfig } from './config/config.ts';
import { whereToBegin } from './config/environment.ts';
import { createLog } from './logging.ts';
import { Outages } from './redis/outages.ts';
import { parseOptions, readCommandLine } from './setup/usage.mjs';

// The entry point of the bot: reads the settings, starts the bot, and stops it on a signal.

/** Ends the process even if its shutdown hangs, before an operator's tools do after ten seconds. */
const LAST_RESORT_MS = 8_000;

readCommandLine('dist/main.js', (args) => parseOptions(args, {}));

const config = readConfig(process.env);
if (!config.ok) {
  const problems = [...whereToBegin(process.env, new URL('../', import.meta.url)), ...config.refusal];
  console.error(["Signoff can't start:", ...problems.map((problem) => `- ${problem}`)].join('\n'));
  process.exit(1);
}

const outages = new Outages();
const atExit = (write: () => void) => void process.on('exit', write);
const log = createLog({ level: config.value.logLevel, readable: process.stdout.isTTY === true, atExit, outages });

process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled promise rejection'));

let bot: Bot | null = null;
let isStopping = false;

async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  if (!bot) process.exit(0);
  log.info('stopping: finishing what is in progress');
  setTimeout(() => process.exit(1), LAST_RESORT_MS).unref();
  await bot.stop();
  process.exit(0);
}

// Signals count during the start, too, which may wait for Slack: the first process of a container ignores a signal without a
// listener.
process.on('SIGTERM', stop);
process.on('SIGINT', stop);

try {
  bot = await startBot(config.value, log, { version: manifest.version, outages });
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  console.error(`Signoff can't start: ${error.message}`);
  process.exit(1);
}
