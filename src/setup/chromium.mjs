import { isExecutable, isRoot, lastLines, onPath, run, SetupError, say } from './commands.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const MAC_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

// Without these every emoji of a page is an empty box.
const FONTS = ['fonts-liberation', 'fonts-noto-color-emoji'];

/**
 * The path of a Chromium or Chrome that runs on this machine: `CHROMIUM_PATH`, else the one on PATH or in macOS'
 * applications, else one installed with apt-get where this user may do that.
 * @returns {Promise<string>}
 * @throws {SetupError} with one sentence that says what to install
 */
export async function ensureChromium() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen !== undefined && chosen !== '') {
    if (isExecutable(chosen)) return chosen;
    throw new SetupError('CHROMIUM_PATH names no program: set it to the path of a Chromium or Chrome, or unset it.');
  }
  const path = (await findChromium()) ?? (await installChromium());
  if (path !== undefined) return path;
  throw new SetupError(
    'The browser tests need a Chromium or Chrome on this machine: install one (for example `apt-get install chromium` or `brew install --cask chromium`), name it in CHROMIUM_PATH, or leave these tests out with `npm run test:fast`.',
  );
}

/** Ubuntu's `chromium-browser` may be a stub that only says that a snap is missing, so a candidate has to answer. */
async function findChromium() {
  const candidates = [...NAMES.map((name) => onPath(name)), ...MAC_PATHS.filter(isExecutable)];
  for (const path of candidates) {
    if (path !== undefined && (await run(path, ['--version'])).ok) return path;
  }
  return undefined;
}

async function installChromium() {
  if (!canInstall()) return undefined;
  say('Installing Chromium from the system’s packages (a minute or two, once) …');
  await install(['chromium', ...FONTS]);
  return findChromium();
}

/** Sees to it that pages show emoji, where that can be told and done; a page without them is still a page. */
export async function ensureEmojiFont() {
  if (!canInstall() || onPath('fc-list') === undefined) return;
  const { output } = await run('fc-list', [':lang=und-zsye']);
  if (output.trim() !== '') return;
  say('Installing a font with emoji from the system’s packages (once) …');
  await install(FONTS);
}

const canInstall = () => isRoot() && onPath('apt-get') !== undefined;

/** @param {string[]} packages */
async function install(packages) {
  const patient = ['-o', 'DPkg::Lock::Timeout=300'];
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  const command = [...patient, 'install', '-y', '--no-install-recommends', ...packages];
  if ((await run('apt-get', command, options)).ok) return;
  // The package lists are missing or too old.
  await run('apt-get', [...patient, 'update'], options);
  const { ok, output } = await run('apt-get', command, options);
  if (!ok) say(lastLines(output));
}
