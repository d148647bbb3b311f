import { expect, it } from 'vitest';
import { run } from '../../src/setup/commands.mjs';
import { ensurePythonPackages, NEWEST_FRAMEWORKS, OLDEST_FRAMEWORKS, PYTHON_PACKAGE } from '../../src/setup/python.mjs';

/** Each of a hundred processes imports CrewAI, which takes a busy machine long. */
const ENOUGH_MS = 40 * 60_000;

it.each([
  ['the newest CrewAI and LangChain', 'python-newest', NEWEST_FRAMEWORKS, []],
  ['the oldest CrewAI', 'python-oldest', OLDEST_FRAMEWORKS, ['--ignore', 'tests/frameworks/test_langchain.py']],
])(
  'the package in Python keeps its promises with %s',
  async (_, name, need, args) => {
    const python = await ensurePythonPackages(name, need);
    const pytest = ['-m', 'pytest', '-m', 'frameworks', 'tests/frameworks', ...args];
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
    const { ok, output } = await run(python, pytest, { cwd: PYTHON_PACKAGE, env });
    expect(ok, output).toBe(true);
  },
  ENOUGH_MS,
);
