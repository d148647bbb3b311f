// Virtual environments of Python in .cache/, with packages from PyPI and the package of this repository.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { download, ensureFolder } from './cached-folder.mjs';
import { CHECKOUT, lastLines, run, SetupError, say } from './commands.mjs';
import { ensurePython, installPythonVenv } from './system-programs.mjs';

/** The package for agents in Python. */
export const PYTHON_PACKAGE = join(CHECKOUT, 'src/python');

/** What the package's own tests need. */
export const FOR_TESTS = { extras: ['test'], takes: 'half a minute' };

/** CrewAI and LangChain, and the client of crew services of `crewai-tools` without all that its other tools need. */
export const NEWEST_FRAMEWORKS = {
  extras: ['test', 'crewai', 'langchain'],
  packages: ['crewai==1.15.30', 'langchain==1.5.2', 'langgraph==1.2.24'],
  bare: ['crewai-tools==1.15.30'],
  takes: 'two minutes',
};

/** The oldest CrewAI that the package takes. */
export const OLDEST_FRAMEWORKS = {
  extras: ['test', 'crewai'],
  packages: ['crewai==1.14.3'],
  bare: ['crewai-tools==1.14.3'],
  takes: 'two minutes',
};

/**
 * The path of a `python` that has this repository's package, with these of its extras, and other packages. The environment is made
 * anew when any of that changes. Several processes may call this at once.
 * @param {string} name of the folder in .cache/
 * @param {{ extras: readonly string[], packages?: readonly string[], bare?: readonly string[], takes: string }} need `bare`: packages without what they
 *   depend on; `takes`: how long the installation takes, for people
 * @returns {Promise<string>}
 * @throws {SetupError} with one sentence that says what to install
 */
export async function ensurePythonPackages(name, { extras, packages = [], bare = [], takes }) {
  const python = await ensurePython();
  const project = await readFile(join(PYTHON_PACKAGE, 'pyproject.toml'), 'utf8');
  const { output: version } = await run(python, ['--version']);
  const folder = await ensureFolder(name, [CHECKOUT, project, extras, packages, bare, version], async (made) => {
    say(`Installing packages of Python into .cache/ (${takes}, once) …`);
    await makeEnvironment(python, made);
    const installed = join(made, 'bin/python');
    await install(installed, ['-e', `${PYTHON_PACKAGE}[${extras.join(',')}]`, ...packages]);
    if (bare.length > 0) await install(installed, ['--no-deps', ...bare]);
  });
  return join(folder, 'bin/python');
}

/**
 * @param {string} python
 * @param {readonly string[]} packages
 */
async function install(python, packages) {
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages];
  await download(python, pip, {
    failure:
      'The packages of Python could not be installed from PyPI: see the output of pip above, then run this again.',
  });
}

/**
 * @param {string} python
 * @param {string} folder
 */
export async function makeEnvironment(python, folder) {
  const make = () => run(python, ['-m', 'venv', '--clear', folder]);
  if ((await make()).ok) return;
  // Debian has the module in a package of its own.
  await installPythonVenv();
  const { ok, output } = await make();
  if (ok) return;
  say(lastLines(output));
  throw new SetupError(
    'The tests of the package in Python need the module venv: install it (for example `apt-get install python3-venv`), or skip these tests with `npm run test:fast`.',
  );
}
