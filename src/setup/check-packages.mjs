// Packs the packages of the sandbox, and has publint and attw look at what npm would publish: whether others can import it, with its types.
//   npm run check:packages
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureSandboxBuilt, SANDBOX_FOLDERS } from './checkout.mjs';
import { CACHE, CHECKOUT, lastLines, run, runLoudly, SetupError, say } from './commands.mjs';

try {
  await ensureSandboxBuilt();
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'packed-'));
  try {
    for (const name of SANDBOX_FOLDERS) await check(await pack(name, folder));
  } finally {
    await rm(folder, { recursive: true });
  }
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  process.exitCode = 1;
}

/**
 * @param {string} source
 * @param {string} folder
 * @returns the path of the packed package
 */
async function pack(source, folder) {
  // It is built already, and npm would build it once more.
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
  const { ok, output } = await run('npm', args, { cwd: join(CHECKOUT, source) });
  if (!ok) throw new SetupError(`${source} can't be packed: ${lastLines(output)}`);
  return join(folder, output.trim().split('\n').at(-1) ?? '');
}

/** @param {string} file */
async function check(file) {
  const bin = join(CHECKOUT, 'node_modules/.bin');
  const checks = { publint: ['run', '--strict', file], attw: ['--profile', 'esm-only', '--no-emoji', file] };
  for (const [program, args] of Object.entries(checks))
    if ((await runLoudly(join(bin, program), args)) !== 0)
      throw new SetupError(`${program} finds ${file} unfit to be published: see above.`);
}
