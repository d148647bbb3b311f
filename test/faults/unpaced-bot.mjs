// The bot as dist/main.js starts it, with one difference: the workspace of the tests has no rate limits, and so the bot
// keeps none. At Slack's pace a hundred histories would take an hour.

/** @type {typeof import('../../src/app/bot.ts')} */
const { startBot } = await import(new URL('../../dist/app/bot.js', import.meta.url).href);
/** @type {typeof import('../../src/config/config.ts')} */
const { readConfig } = await import(new URL('../../dist/config/config.js', import.meta.url).href);
/** @type {typeof import('../../src/logging.ts')} */
const { createLog } = await import(new URL('../../dist/logging.js', import.meta.url).href);

const config = readConfig(process.env);
if (!config.ok) throw new Error(config.refusal.join('\n'));
const log = createLog({ level: config.value.logLevel, readable: false });
process.on('unhandledRejection', (error) => log.error({ err: error }, 'a promise was rejected and nobody was told'));

// It ends with the process that started it, however that ends.
process.stdin.resume().on('end', () => process.exit());

const fast = { everyMs: 1, burst: 1_000 };
const bot = await startBot(config.value, log, { rates: { posting: fast, updating: fast } });
process.on('SIGTERM', async () => {
  await bot.stop();
  process.exit(0);
});
