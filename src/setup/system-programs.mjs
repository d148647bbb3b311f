// The programs that npm has no package of: a redis-server, a Chromium, Python, a JDK with Maven and Go, each fetched from the system's
// packages where it is missing and can be installed. Otherwise one sentence says what to install.
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CACHE, isExecutable, isRoot, lastLines, onPath, run, SetupError, say } from './commands.mjs';

const UNPACKED = join(CACHE, 'redis');

// redis-tools has the programs; the libraries are the ones that few machines have.
const DEBIAN_PACKAGES = ['redis-tools', 'libjemalloc2', 'liblzf1', 'libatomic1'];

// Debian's redis-check-rdb and redis-server are one binary that acts according to the name it is called by.
// `exec` keeps the process id, so that signals reach the server itself.
const LAUNCHER = `#!/bin/sh
here=$(dirname "$0")
for folder in "$here"/usr/lib/*-linux-*; do
  LD_LIBRARY_PATH="$folder\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
done
export LD_LIBRARY_PATH
exec "$here/usr/bin/redis-server" "$@"
`;

/**
 * The path of a `redis-server` that runs on this machine: the one on PATH, or one unpacked from Debian's or Ubuntu's
 * packages into .cache/ (no root needed), or one installed with the system's package manager.
 * Several processes may call this at once.
 * @returns {Promise<string>}
 * @throws {SetupError} with one sentence that says what to install
 */
export async function ensureRedisServer() {
  const installed = onPath('redis-server', 'valkey-server');
  if (installed !== undefined) return installed;
  const unpacked = join(UNPACKED, 'redis-server');
  if (isExecutable(unpacked)) return unpacked;

  if (onPath('apt-get') !== undefined && onPath('dpkg') !== undefined && (await unpackFromDebian())) return unpacked;
  await installWithPackageManager();
  const now = onPath('redis-server', 'valkey-server');
  if (now !== undefined) return now;
  throw new SetupError(
    'Signoff needs a redis-server on this machine: install Redis (for example `apt-get install redis-server`, `brew install redis` or `apk add redis`) and run this again.',
  );
}

async function unpackFromDebian() {
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(`${UNPACKED}-`);
  try {
    say('Fetching a redis-server from the system’s packages into .cache/ (a second, once) …');
    if (!(await download(draft))) return false;
    const packages = (await readdir(draft)).filter((file) => file.endsWith('.deb'));
    for (const file of packages) {
      if (!(await run('dpkg', ['-x', file, '.'], { cwd: draft })).ok) return false;
    }
    await rename(join(draft, 'usr/bin/redis-check-rdb'), join(draft, 'usr/bin/redis-server'));
    await writeFile(join(draft, 'redis-server'), LAUNCHER);
    await chmod(join(draft, 'redis-server'), 0o755);
    await chmod(draft, 0o755);
    if (!(await run(join(draft, 'redis-server'), ['--version'])).ok) return false;
    await moveInto(draft);
    return true;
  } catch {
    return false;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Downloads the packages with the machine's package lists. A fresh container has none and this user may not be allowed
 * to update them, so the fallback is a private copy of the lists.
 * @param {string} folder
 */
async function download(folder) {
  const fetch = ['-o', 'APT::Sandbox::User=root', 'download', ...DEBIAN_PACKAGES];
  if ((await run('apt-get', fetch, { cwd: folder })).ok) return true;
  const state = join(folder, 'apt');
  await mkdir(join(state, 'lists/partial'), { recursive: true });
  await mkdir(join(state, 'cache/archives/partial'), { recursive: true });
  const own = ['-o', `Dir::State::Lists=${state}/lists`, '-o', `Dir::Cache=${state}/cache`];
  await run('apt-get', [...own, '-o', 'APT::Sandbox::User=root', 'update']);
  const fetched = await run('apt-get', [...own, ...fetch], { cwd: folder });
  await rm(state, { recursive: true, force: true });
  if (!fetched.ok) say(lastLines(fetched.output));
  return fetched.ok;
}

/**
 * Moves the finished folder into place atomically, unless another process was faster.
 * @param {string} draft
 */
async function moveInto(draft) {
  try {
    await rename(draft, UNPACKED);
  } catch {
    if (isExecutable(join(UNPACKED, 'redis-server'))) return;
    // Leftovers of an older checkout are in the way.
    await rm(UNPACKED, { recursive: true, force: true });
    await rename(draft, UNPACKED);
  }
}

async function installWithPackageManager() {
  if (onPath('brew') !== undefined) await run('brew', ['install', '--quiet', 'redis']);
  else if (!isRoot()) return;
  else if (onPath('apk') !== undefined) await run('apk', ['add', '--no-cache', 'redis']);
  else if (onPath('dnf') !== undefined) await run('dnf', ['install', '-y', 'redis']);
  else if (onPath('apt-get') !== undefined) {
    await run('apt-get', ['update']);
    await run('apt-get', ['install', '-y', '--no-install-recommends', 'redis-server']);
  }
}

// Debian's Chromium without the parts that make windows, which tests have none of: it starts in half the time.
const HEADLESS = 'chromium-headless-shell';

const NAMES = [HEADLESS, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

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
  await install([HEADLESS, ...FONTS]);
  return (await findChromium()) ?? (await install(['chromium', ...FONTS]).then(findChromium));
}

/** Installs an emoji font where it is missing and can be installed. Tests pass without one. */
export async function ensureEmojiFont() {
  if (!canInstall() || onPath('fc-list') === undefined) return;
  const { output } = await run('fc-list', [':lang=und-zsye']);
  if (output.trim() !== '') return;
  say('Installing an emoji font from the system’s packages (once) …');
  await install(FONTS);
}

/**
 * The path of a Python 3.10 or newer that runs on this machine: one on PATH, or one installed with the system's package manager.
 * @returns {Promise<string>}
 * @throws {SetupError} with one sentence that says what to install
 */
export async function ensurePython() {
  const path = (await findPython()) ?? (await installPython());
  if (path !== undefined) return path;
  throw new SetupError(
    'The tests of the package in Python need Python 3.10 or newer on this machine: install it (for example `apt-get install python3`, `brew install python` or `apk add python3`), or skip these tests with `npm run test:fast`.',
  );
}

/** Runs each: the `python3` of macOS may be a stub that only offers to install one, or older than the packages need. */
async function findPython() {
  for (const name of ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10']) {
    const path = onPath(name);
    const isNewEnough = ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))'];
    if (path !== undefined && (await run(path, isNewEnough)).ok) return path;
  }
  return undefined;
}

async function installPython() {
  if (!canInstall()) return undefined;
  say('Installing Python from the system’s packages (once) …');
  await install(['python3', 'python3-venv']);
  return findPython();
}

/** Installs the module venv where the system has it apart from Python. */
export async function installPythonVenv() {
  if (canInstall()) await install(['python3-venv']);
}

/**
 * Makes sure that `java` and `mvn` are on PATH.
 * @throws {SetupError} with one sentence that says what to install
 */
export async function ensureJava() {
  // A JRE has no compiler, and `mvn` may find no Java.
  const works = async () =>
    (await runOnPath('javac', ['--release', '17', '-version'])).ok && (await runOnPath('mvn', ['-version'])).ok;
  if (await installUnless(works, ['default-jdk-headless', 'maven'])) return;
  throw new SetupError(
    'The tests of apps in Java need a JDK of Java 17 or newer and Maven on this machine: install them (for example `apt-get install default-jdk maven` or `brew install openjdk maven`), or skip these tests with `npm test`.',
  );
}

/**
 * Makes sure that a `go` is on PATH that fetches newer ones itself where a module needs them: https://go.dev/doc/toolchain
 * @throws {SetupError} with one sentence that says what to install
 */
export async function ensureGo() {
  const works = async () => {
    const [, minor] = /go1\.(\d+)/.exec((await runOnPath('go', ['version'])).output) ?? [];
    return Number(minor) >= 21;
  };
  if (await installUnless(works, ['golang-go'])) return;
  throw new SetupError(
    'The tests of apps in Go need Go 1.21 or newer on this machine: install it (for example from https://go.dev/dl or with `brew install go`), or skip these tests with `npm test`.',
  );
}

/**
 * @param {string} name
 * @param {string[]} args
 */
async function runOnPath(name, args) {
  const path = onPath(name);
  return path === undefined ? { ok: false, output: '' } : run(path, args);
}

/**
 * Whether something works, if need be after these packages of the system are installed.
 * @param {() => Promise<boolean>} works
 * @param {string[]} packages
 */
async function installUnless(works, packages) {
  if (await works()) return true;
  if (!canInstall()) return false;
  say(`Installing ${packages.join(' and ')} from the system’s packages (once) …`);
  await install(packages);
  return works();
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
