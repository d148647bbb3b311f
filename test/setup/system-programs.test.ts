import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ensureChromium, ensureGo, ensureJava, ensurePython } from '../../src/setup/system-programs.mjs';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signoff-browser-'));
  vi.stubEnv('CHROMIUM_PATH', '');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

async function program(name: string, script: string) {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

it('uses the browser that CHROMIUM_PATH names', async () => {
  const path = await program('my-browser', 'exit 0');
  vi.stubEnv('CHROMIUM_PATH', path);
  expect(await ensureChromium()).toBe(path);
});

it('says what is wrong with CHROMIUM_PATH before anything is installed', async () => {
  vi.stubEnv('CHROMIUM_PATH', join(folder, 'missing'));
  await expect(ensureChromium()).rejects.toThrow('CHROMIUM_PATH names no program');
});

it('skips a browser on PATH that does not run', async () => {
  await program('chromium-browser', 'echo "install the snap" >&2; exit 1');
  const chrome = await program('google-chrome', 'echo Chrome');
  vi.stubEnv('PATH', folder);
  expect(await ensureChromium()).toBe(chrome);
});

it('says in one sentence what to install when it can neither find nor install a browser', async () => {
  vi.stubEnv('PATH', folder);
  await expect(ensureChromium()).rejects.toThrow(/^The browser tests need a Chromium or Chrome on this machine: .*\.$/);
});

it('skips a python3 on PATH that does not run, and says what to install when it can’t', async () => {
  await program('python3', 'echo "install the tools" >&2; exit 1');
  vi.stubEnv('PATH', folder);
  await expect(ensurePython()).rejects.toThrow(/^The tests of the package in Python need Python 3\.10 .*\.$/);
});

it('says in one sentence what to install when `go` is too old to fetch a newer one', async () => {
  await program('go', 'echo "go version go1.19.8 linux/amd64"');
  vi.stubEnv('PATH', folder);
  await expect(ensureGo()).rejects.toThrow(/^The tests of apps in Go need Go 1\.21 or newer .*\.$/);
});

it('says in one sentence what to install when Java can’t compile', async () => {
  await program('javac', 'echo "error: release version 17 not supported" >&2; exit 2');
  await program('mvn', 'echo "Apache Maven 3.8.7"');
  vi.stubEnv('PATH', folder);
  await expect(ensureJava()).rejects.toThrow(
    /^The tests of apps in Java need a JDK of Java 17 or newer and Maven .*\.$/,
  );
});

it('takes a `go` and a Java with Maven that are recent enough', async () => {
  await program('go', 'echo "go version go1.21.0 linux/amd64"');
  await program('javac', 'exit 0');
  await program('mvn', 'exit 0');
  vi.stubEnv('PATH', folder);
  await ensureGo();
  await ensureJava();
});
