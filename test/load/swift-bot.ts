import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startBot } from '../../src/app/bot.ts';
import { readConfig } from '../../src/config/config.ts';
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

// What is held can only be told from what is not collected yet after a collection.
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
process.on('SIGUSR2', () => {
  collectGarbage();
  log.info('collected');
});
