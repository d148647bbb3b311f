import { expect, it } from 'vitest';
import { run } from '../../src/setup/commands.mjs';
import { ensurePythonPackages, PYTHON_PACKAGE } from '../../src/setup/python.mjs';

const NEWEST = ['crewai==1.15.30', 'langchain==1.5.2', 'langgraph==1.2.24'];

/** Its client of crew services, without all that its other tools need. */
const TOOLS = ['crewai-tools==1.15.30'];

/** The oldest CrewAI that the package takes. */
const OLDEST = ['crewai==1.14.3'];

it.each([
  ['the newest CrewAI and LangChain', { extras: ['test', 'crewai', 'langchain'], packages: NEWEST, bare: TOOLS }, []],
  [
    'the oldest CrewAI',
    { extras: ['test', 'crewai'], packages: OLDEST, bare: ['crewai-tools==1.14.3'] },
    ['--ignore', 'tests/frameworks/test_langchain.py'],
  ],
] as const)('the package in Python keeps its promises with %s', async (what, need, args) => {
  const name = what.startsWith('the newest') ? 'python-newest' : 'python-oldest';
  const python = await ensurePythonPackages(name, { ...need, takes: 'two minutes' });
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', CREWAI_DISABLE_TELEMETRY: 'true' };
  const pytest = ['-m', 'pytest', '-m', 'frameworks', ...args];
  const { ok, output } = await run(python, pytest, { cwd: PYTHON_PACKAGE, env });
  expect(ok, output).toBe(true);
  // Nothing was left out.
  expect(output).not.toMatch(/skipped|no tests ran/);
});
