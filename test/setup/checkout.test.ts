import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { packagesMatch } from '../../src/setup/checkout.mjs';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signoff-packages-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Packages = Record<string, { version: string; dev?: boolean; optional?: boolean }>;

async function checkout(locked: Packages, installed?: Packages) {
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...locked } }));
  if (installed === undefined) return;
  await mkdir(join(folder, 'node_modules'));
  await writeFile(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }));
}

const everything = () => packagesMatch(folder, { development: true });
const production = () => packagesMatch(folder, { development: false });

it('alerts that packages were never installed', async () => {
  await checkout({ 'node_modules/zod': { version: '4.6.7' } });
  expect(everything()).toBe(false);
});

it('accepts exactly what the lockfile names', async () => {
  await checkout({ 'node_modules/zod': { version: '4.6.7' } }, { 'node_modules/zod': { version: '4.6.7' } });
  expect(everything()).toBe(true);
});

it('alerts a different version after the lockfile was updated', async () => {
  await checkout({ 'node_modules/zod': { version: '4.6.8' } }, { 'node_modules/zod': { version: '4.6.7' } });
  expect(everything()).toBe(false);
});

it('needs development packages only for development', async () => {
  await checkout({ 'node_modules/vitest': { version: '4.1.12', dev: true } }, {});
  expect(everything()).toBe(false);
  expect(production()).toBe(true);
});

it('does not expect optional packages of other platforms', async () => {
  await checkout({ 'node_modules/fsevents': { version: '2.3.3', optional: true } }, {});
  expect(everything()).toBe(true);
});
