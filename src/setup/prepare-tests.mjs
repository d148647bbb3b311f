// Makes what tests need, on a fresh clone too: packages, a build, a redis-server and, for `all` of them, a Chromium and Python.
//   node src/setup/prepare-tests.mjs [all]
import { ensureBuilt, ensurePackages } from './checkout.mjs';
import { SetupError, say } from './commands.mjs';
import { ensurePythonPackages, FOR_TESTS } from './python.mjs';
import { ensureChromium, ensureEmojiFont, ensureRedisServer } from './system-programs.mjs';

const forAll = process.argv[2] === 'all';

try {
  await ensurePackages({ development: true });
  if (forAll) {
    await ensureChromium();
    await ensureEmojiFont();
    await ensurePythonPackages('python', FOR_TESTS);
  }
  await ensureRedisServer();
  await ensureBuilt();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  process.exitCode = 1;
}
