// Makes what tests need, on a fresh clone too: packages, a build, a redis-server and, for `browser`, a Chromium.
//   node src/setup/prepare-tests.mjs [browser]
import { ensureBuilt, ensurePackages } from './checkout.mjs';
import { SetupError, say } from './commands.mjs';
import { ensureChromium, ensureEmojiFont, ensureRedisServer } from './system-programs.mjs';

const withBrowser = process.argv[2] === 'browser';

try {
  await ensurePackages({ development: true });
  if (withBrowser) {
    await ensureChromium();
    await ensureEmojiFont();
  }
  await ensureRedisServer();
  await ensureBuilt();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  process.exitCode = 1;
}
