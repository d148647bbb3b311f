import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { CACHE, CHECKOUT } from '../../src/setup/commands.mjs';

const run = promisify(execFile);

/** Packs a package of the sandbox with npm, and returns a folder that has it installed and nothing else. */
export async function installPacked(name: 'crew-service' | 'slack-workspace'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  const file = await inCopyOf(join('src/sandbox', name), async (cwd) => {
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd });
    return stdout.trim().split('\n').at(-1);
  });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--silent'];
  await run('npm', ['install', ...quietly, `./${file}`], { cwd: folder });
  return folder;
}

/** npm builds before it packs: in a copy of the sources, since other tests use what is built in `src`. */
async function inCopyOf<T>(sources: string, use: (copy: string) => Promise<T>): Promise<T> {
  await mkdir(CACHE, { recursive: true });
  // It finds the packages of this checkout.
  const copy = await mkdtemp(join(CACHE, 'package-'));
  try {
    await cp(join(CHECKOUT, 'tsconfig.json'), join(copy, 'tsconfig.json'));
    const isSource = (path: string) => basename(path) !== 'dist';
    await cp(join(CHECKOUT, sources), join(copy, sources), { recursive: true, filter: isSource });
    return await use(join(copy, sources));
  } finally {
    await rm(copy, { recursive: true });
  }
}
