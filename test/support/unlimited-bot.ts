import { startBot } from '../../src/bot/bot.ts';
import { readConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/logging.ts';
import { NO_RATE_LIMITS } from './no-rate-limits.ts';

// The bot as src/main.ts starts it, but without Slack's rate limits, which the workspaces of these tests don't have
// either: at Slack's rates a hundred runs would take an hour.
const config = readConfig(process.env);
if (!config.ok) throw new Error(config.refusal.join('\n'));
const log = createLog({ level: config.value.logLevel, readable: false });
process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));

// It ends with the process that started it, however that ends.
process.stdin.resume().on('end', () => process.exit());

const bot = await startBot(config.value, log, {
  version: 'unlimited',
  rates: NO_RATE_LIMITS,
});
process.on('SIGTERM', async () => {
  await bot.stop();
  process.exit(0);
});
