import { isExecutable, isRoot, lastLines, onPath, run, SetupError, say } from './commands.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const MAC_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

// Without these, emoji render as empty boxes.
const FONTS = ['fonts-liberation', 'fonts-noto-color-emoji'];

/**
 * The path of a Chromium or Chrome that runs on this machine: `CHROMIUM_PATH`, or the first one found on PATH or among
 * the macOS applications, or one installed with apt-get if this user may do that.
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
    'The browser tests need a Chromium or Chrome on this machine: install one (for example `apt-get install chromium` or `brew install --cask chromium`), set CHROMIUM_PATH to its path, or skip these tests with `npm run test:fast`.',
  );
}

/** Runs each candidate: Ubuntu's `chromium-browser` may be a stub that only reports a missing snap. */
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

/** Installs an emoji font where it is missing and can be installed. Tests pass without one. */
export async function ensureEmojiFont() {
  if (!canInstall() || onPath('fc-list') === undefined) return;
  const { output } = await run('fc-list', [':lang=und-zsye']);
  if (output.trim() !== '') return;
  say('Installing an emoji font from the system’s packages (once) …');
  await install(FONTS);
}

const canInstall = () => isRoot() && onPath('apt-get') !== undefined;

/** @param {string[]} packages */
async function install(packages) {
  const patient = ['-o', 'DPkg::Lock::Timeout=300'];
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  const command = [...patient, 'install', '-y', '--no-install-recommends', ...packages];
  if ((await run('apt-get', command, options)).ok) return;
  // The package lists may be missing or out of date.
  await run('apt-get', [...patient, 'update'], options);
  const { ok, output } = await run('apt-get', command, options);
  if (!ok) say(lastLines(output));
}
