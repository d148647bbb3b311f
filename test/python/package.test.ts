import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { CACHE, run } from '../../src/setup/commands.mjs';
import { ensurePythonPackages, FOR_TESTS, PYTHON_PACKAGE } from '../../src/setup/python.mjs';
import { ensureRedisServer } from '../../src/setup/system-programs.mjs';

let python: string;
beforeAll(async () => {
  python = await ensurePythonPackages('python', FOR_TESTS);
});

it.each([
  ['keeps its style', ['ruff', 'check', '--no-cache']],
  ['is formatted', ['ruff', 'format', '--check', '--no-cache']],
  ['is typed throughout', ['mypy', '--cache-dir', join(CACHE, 'mypy')]],
  ['passes its own tests', ['pytest', '-m', 'not frameworks']],
])('the package in Python %s', async (_, args) => {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', REDIS_SERVER: await ensureRedisServer() };
  const { ok, output } = await run(python, ['-m', ...args], { cwd: PYTHON_PACKAGE, env });
  expect(ok, output).toBe(true);
});
