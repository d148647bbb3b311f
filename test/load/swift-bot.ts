import { startBot } from '../../src/bot.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/logging.ts';

/** A bot in a process of its own, for a workspace that has no rate limits: else Slack's would be all that is measured. */
const config = readConfig(process.env);
if (!config.ok) throw new Error(config.refusal.join('\n'));
const log = createLog({ level: config.value.logLevel, readable: false });
const swift = { everyMs: 1, burst: 1_000 };
const bot = await startBot(config.value, log, { rates: { posting: swift, updating: swift } });
process.on('SIGTERM', async () => {
  await bot.stop();
  process.exit(0);
});
