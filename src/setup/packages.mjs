import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT, runLoudly, SetupError, say } from './commands.mjs';

/**
 * @typedef {{ version?: string, integrity?: string, dev?: boolean, devOptional?: boolean, optional?: boolean }} Locked
 */

/**
 * Installs what package-lock.json names unless it is there already, which costs a few milliseconds to see.
 * @param {{ development: boolean }} need `development: false` is content with production's packages alone
 * @throws {SetupError} when they can't be installed
 */
export async function ensurePackages(need) {
  if (packagesMatch(CHECKOUT, need)) return;
  say('Installing packages (npm ci) …');
  const install = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  for (const attempt of [1, 2]) {
    if ((await runLoudly('npm', install, { stdout: 'stderr' })) === 0) return;
    if (attempt === 1) say('npm ci failed; trying once more …');
  }
  throw new SetupError('The packages could not be installed: see what npm says above, then run this again.');
}

/**
 * Whether node_modules has each package that the lockfile names, in that version. Packages beyond it do no harm.
 * @param {string} folder
 * @param {{ development: boolean }} need
 */
export function packagesMatch(folder, { development }) {
  const locked = lockedPackages(join(folder, 'package-lock.json'));
  // npm writes this file when an installation is complete.
  const installed = lockedPackages(join(folder, 'node_modules/.package-lock.json'));
  if (locked === undefined || installed === undefined) return false;
  return Object.entries(locked).every(([path, entry]) => {
    const found = installed[path];
    if (found === undefined) return path === '' || isDispensable(entry, development);
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

/**
 * @param {Locked} entry
 * @param {boolean} development
 */
function isDispensable({ dev = false, devOptional = false, optional = false }, development) {
  // Optional packages of other platforms are never there.
  return optional || devOptional || (dev && !development);
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
