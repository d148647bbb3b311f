// Whether this checkout has its packages and an up-to-date build; each is made where it is missing. Looking takes milliseconds.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { CHECKOUT, runLoudly, SetupError, say } from './commands.mjs';

/**
 * @typedef {{ version?: string, integrity?: string, dev?: boolean, devOptional?: boolean, optional?: boolean, link?: boolean }} Locked
 */

/**
 * Installs the packages of package-lock.json unless they are already there.
 * @param {{ development: boolean }} need `development: false` needs only production's packages
 * @throws {SetupError} when npm fails twice
 */
export async function ensurePackages(need) {
  if (packagesMatch(CHECKOUT, need)) return;
  say('Installing packages (npm ci) …');
  const install = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  for (const attempt of [1, 2]) {
    if ((await runLoudly('npm', install, { stdout: 'stderr' })) === 0) return;
    if (attempt === 1) say('npm ci failed; retrying …');
  }
  throw new SetupError('The packages could not be installed: see the output of npm above, then run this again.');
}

/** What is built: from the sources in `folder`, except those in `except`. */
const BOT = { folder: 'src', except: ['sandbox', 'setup', 'python'], dist: 'dist', args: /** @type {string[]} */ ([]) };
/** The packages that are published. */
export const SANDBOX_FOLDERS = ['crew-service', 'slack-workspace'].map((name) => join('src/sandbox', name));
const SANDBOX = SANDBOX_FOLDERS.map((folder) => {
  return { folder, except: ['dist'], dist: join(folder, 'dist'), args: ['--workspace', folder] };
});

/**
 * Builds the bot unless it is up to date with the sources and with the packages, of which it has copies.
 * @throws {SetupError} when the sources don't compile; dist/ is left untouched
 */
export async function ensureBuilt() {
  const built = isBuilt(BOT);
  await ensurePackages({ development: !built });
  if (!built) await build(BOT);
}

/**
 * The same for the crew service and the Slack workspace.
 * @throws {SetupError} when the sources don't compile
 */
export async function ensureSandboxBuilt() {
  await ensurePackages({ development: true });
  for (const part of SANDBOX) if (!isBuilt(part)) await build(part);
}

/** @param {typeof BOT} part */
async function build({ dist, args }) {
  say(`Building ${dist}/ …`);
  const code = await runLoudly('npm', ['run', '--silent', 'build', ...args], { stdout: 'stderr' });
  if (code !== 0) throw new SetupError('The sources do not compile: see the errors above.');
}

/**
 * Whether node_modules has every package of the lockfile, in that version. Extra packages are fine.
 * @param {string} folder
 * @param {{ development: boolean }} need
 */
export function packagesMatch(folder, { development }) {
  const locked = lockedPackages(join(folder, 'package-lock.json'));
  // npm writes this file once an installation is complete.
  const installed = lockedPackages(join(folder, 'node_modules/.package-lock.json'));
  if (locked === undefined || installed === undefined) return false;
  return Object.entries(locked).every(([path, entry]) => {
    const found = installed[path];
    if (found === undefined) return isOfCheckout(path) || mayBeMissing(entry, development);
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

/**
 * The checkout itself, or one of its workspaces: nothing to install.
 * @param {string} path
 */
function isOfCheckout(path) {
  return !path.startsWith('node_modules/') && !path.includes('/node_modules/');
}

/**
 * @param {Locked} entry
 * @param {boolean} development
 */
function mayBeMissing({ dev = false, devOptional = false, optional = false, link = false }, development) {
  // Optional packages of other platforms are never installed, and only the sandbox imports workspaces by their names.
  return optional || devOptional || ((dev || link) && !development);
}

/**
 * @param {string} file
 * @returns {Record<string, Locked> | undefined}
 */
function lockedPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** @param {typeof BOT} part */
function isBuilt(part) {
  const builtAt = modifiedAt(join(part.dist, 'main.js'));
  return builtAt !== undefined && builtAt >= Math.max(newestSource(part), modifiedAt('package-lock.json') ?? 0);
}

/**
 * When a source last changed, in epoch milliseconds. Adding or removing a file changes its folder.
 * @param {typeof BOT} part
 */
function newestSource({ folder, except }) {
  const paths = readdirSync(join(CHECKOUT, folder), { encoding: 'utf8', recursive: true });
  const sources = paths.filter((path) => !except.includes(path.split(sep, 1)[0] ?? ''));
  return Math.max(...sources.map((path) => statSync(join(CHECKOUT, folder, path)).mtimeMs));
}

/** @param {string} file */
function modifiedAt(file) {
  return statSync(join(CHECKOUT, file), { throwIfNoEntry: false })?.mtimeMs;
}
