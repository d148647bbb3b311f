import { startBot } from './app/bot.ts';
import { CannotStart } from './app/start-up-checks.ts';
import { readConfig } from './config/config.ts';
import { createLog } from './logging.ts';

/** Ends the process even if its shutdown hangs. */
const LAST_RESORT_MS = 10_000;

const config = readConfig(process.env);
if (!config.ok) {
  console.error(["Signoff can't start:", ...config.refusal.map((problem) => `- ${problem}`)].join('\n'));
  process.exit(1);
}

const log = createLog({ level: config.value.logLevel, readable: process.stdout.isTTY === true });

process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled promise rejection'));

try {
  const bot = await startBot(config.value, log);
  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    log.info('stopping: finishing what is in progress');
    setTimeout(() => process.exit(1), LAST_RESORT_MS).unref();
    await bot.stop();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  console.error(`Signoff can't start: ${error.message}`);
  process.exit(1);
}
