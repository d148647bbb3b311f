import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT, runLoudly, SetupError, say } from './commands.mjs';

const SOURCES = join(CHECKOUT, 'src');
const TSC = join(CHECKOUT, 'node_modules/typescript/bin/tsc');
const LOCKFILE = join(CHECKOUT, 'package-lock.json');
const STAMP = join(CHECKOUT, 'dist/.built');

// Not part of production: test/boundaries/ keeps the two apart.
const NOT_BUILT = ['sandbox', 'setup'];

/** Whether dist/ is up to date with the sources and with the packages, of which it has copies. */
export function isBuilt() {
  const builtAt = modifiedAt(STAMP);
  return builtAt !== undefined && builtAt >= Math.max(newestSource(SOURCES, NOT_BUILT), modifiedAt(LOCKFILE) ?? 0);
}

/**
 * Type-checks production's sources and bundles them into dist/.
 * @throws {SetupError} when they don't compile; dist/ is left untouched
 */
export async function build() {
  say('Building dist/ …');
  const startedAt = new Date();
  const code = await runLoudly(process.execPath, [TSC, '-p', 'src/tsconfig.json'], { stdout: 'stderr' });
  if (code !== 0) throw new SetupError('The sources do not compile: see the errors above.');
  // In a process of its own: the bot may start in this one.
  if ((await runLoudly(process.execPath, ['src/setup/bundle.mjs'], { stdout: 'stderr' })) !== 0)
    throw new SetupError('The sources could not be bundled: see the errors above.');
  // Stamped with the start, so that a file saved during the build counts as newer.
  writeFileSync(STAMP, '');
  utimesSync(STAMP, startedAt, startedAt);
}

/**
 * When anything in a folder last changed, in epoch milliseconds. Adding or removing a file changes its folder.
 * @param {string} folder
 * @param {string[]} [without]
 * @returns {number}
 */
function newestSource(folder, without = []) {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !without.includes(name));
  const times = entries.map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? newestSource(path) : statSync(path).mtimeMs;
  });
  return Math.max(statSync(folder).mtimeMs, ...times);
}

/** @param {string} file */
function modifiedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
