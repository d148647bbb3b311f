// Folders in .cache/ that take long to make and are made once: environments, packages and builds.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CACHE, lastLines, run, SetupError, say } from './commands.mjs';

/**
 * A complete folder in .cache/, made by `make` if there is none for this `need`. Those for other needs are removed. Several processes
 * may call this at once.
 * @param {string} name the folder's name begins with it
 * @param {unknown} need all that the content depends on, as JSON
 * @param {(folder: string) => Promise<void>} make fills the folder, which has its final path: a virtual environment can't be moved
 * @returns {Promise<string>}
 */
export async function ensureFolder(name, need, make) {
  const key = createHash('sha256').update(JSON.stringify(need)).digest('hex').slice(0, 16);
  const folder = join(CACHE, `${name}-${key}`);
  await mkdir(CACHE, { recursive: true });
  while (!(await isComplete(folder))) {
    // The process that takes the lock makes the folder; others wait until it is complete.
    const lock = `${folder}.lock`;
    if (!(await takeLock(lock))) {
      await delay(500);
      continue;
    }
    try {
      // Another process may have completed it just before it gave the lock back.
      if (await isComplete(folder)) break;
      await removeAll(name);
      await mkdir(folder);
      await make(folder);
      await writeFile(join(folder, 'complete'), '');
    } finally {
      await rm(lock, { recursive: true, force: true });
    }
  }
  return folder;
}

/** A lock that is older than any installation was left behind by a process that was killed. */
const LONGEST_INSTALLATION_MS = 20 * 60_000;

/** @param {string} lock */
async function takeLock(lock) {
  try {
    await mkdir(lock);
    return true;
  } catch {
    const takenAt = await stat(lock).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    );
    if (Date.now() - takenAt > LONGEST_INSTALLATION_MS) await rm(lock, { recursive: true, force: true });
    return false;
  }
}

/**
 * Folders of this name: they are large, and either incomplete or for other needs.
 * @param {string} name
 */
async function removeAll(name) {
  const isOne = new RegExp(`^${name}-[0-9a-f]{16}$`);
  const folders = (await readdir(CACHE)).filter((each) => isOne.test(each));
  for (const folder of folders) await rm(join(CACHE, folder), { recursive: true, force: true });
}

/** @param {string} folder */
async function isComplete(folder) {
  return readFile(join(folder, 'complete')).then(
    () => true,
    () => false,
  );
}

const PAUSES_MS = [5_000, 15_000];

/**
 * Runs a program that downloads something. Registries and networks fail now and then, so it is tried again after pauses.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, failure: string, pausesMs?: readonly number[] }} options `failure`: one sentence for people
 * @throws {SetupError} with that sentence
 */
export async function download(command, args, { cwd, failure, pausesMs = PAUSES_MS }) {
  const options = cwd === undefined ? {} : { cwd };
  for (let attempt = 0; ; attempt++) {
    const { ok, output } = await run(command, args, options);
    if (ok) return;
    say(lastLines(output));
    const pauseMs = pausesMs[attempt];
    if (pauseMs === undefined) throw new SetupError(failure);
    say(`${command} failed; retrying …`);
    await delay(pauseMs);
  }
}
