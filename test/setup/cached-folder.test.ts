import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { download, ensureFolder } from '../../src/setup/cached-folder.mjs';
import { CACHE } from '../../src/setup/commands.mjs';

const name = `test-of-folders-${process.pid}`;
const foldersOfTest = async () => (await readdir(CACHE)).filter((each) => each.startsWith(name));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signoff-cached-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  for (const each of await foldersOfTest()) await rm(join(CACHE, each), { recursive: true });
});

it('a folder in the cache is made once for everybody who needs it at the same time', async () => {
  let made = 0;
  const make = async (path: string) => {
    made += 1;
    await writeFile(join(path, 'content'), 'made');
  };
  const [first, second] = await Promise.all([ensureFolder(name, 'need', make), ensureFolder(name, 'need', make)]);
  expect(second).toBe(first);
  expect(await ensureFolder(name, 'need', make)).toBe(first);
  expect(made).toBe(1);
  expect(await readFile(join(first, 'content'), 'utf8')).toBe('made');
});

it('a folder that could not be completed is made anew, and one for another need takes its place', async () => {
  const failing = ensureFolder(name, 'one', async (path) => {
    await writeFile(join(path, 'half'), '');
    throw new Error('out of space');
  });
  await expect(failing).rejects.toThrow('out of space');
  const one = await ensureFolder(name, 'one', async () => undefined);
  expect(await readdir(one)).toEqual(['complete']);
  const other = await ensureFolder(name, 'another', async () => undefined);
  expect(await foldersOfTest()).toEqual([basename(other)]);
});

it('a download is tried three times, and then a sentence says what failed', async () => {
  const tries = join(folder, 'tries');
  const script = `echo try >> ${tries}; [ "$(wc -l < ${tries})" -ge "$0" ]`;
  const options = { failure: 'The packages could not be fetched.', pausesMs: [0, 0] };
  await download('sh', ['-c', script, '3'], options);
  expect((await readFile(tries, 'utf8')).split('\n')).toHaveLength(4);
  await rm(tries);
  await expect(download('sh', ['-c', script, '4'], options)).rejects.toThrow(/^The packages could not be fetched\.$/);
  expect((await readFile(tries, 'utf8')).split('\n')).toHaveLength(4);
});
