import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
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

/**
 * Starts the installed command by npx, ends npx with SIGTERM once the command says `ready`, and resolves once nothing is left of what it
 * has started. Rejects after 15 seconds.
 */
export async function endNpx(
  folder: string,
  { args, env, ready }: { args: readonly string[]; env: NodeJS.ProcessEnv; ready: string },
): Promise<void> {
  // Whatever npx starts inherits it.
  const mark = `NPX_TEST_MARK=${randomUUID()}`;
  const npx = spawn('npx', args, {
    cwd: folder,
    env: { ...env, NPX_TEST_MARK: mark.slice('NPX_TEST_MARK='.length) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  await new Promise<void>((resolve) => {
    npx.once('exit', () => resolve());
    npx.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes(ready)) resolve();
    });
  });
  const running = await processesWith(mark);
  if (running.length < 2) throw new Error(`npx and the command are not both running: ${running}\n${said}`);
  npx.kill('SIGTERM');
  const until = Date.now() + 15_000;
  for (let left = running; left.length > 0; left = await processesWith(mark)) {
    if (Date.now() > until) throw new Error(`After SIGTERM to npx, these are left:\n${left.join('\n')}`);
    await pause(100);
  }
}

/** The command lines of the processes with this in their environment. */
async function processesWith(mark: string): Promise<string[]> {
  const found: string[] = [];
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const of = (file: string) => readFile(`/proc/${id}/${file}`, 'utf8').catch(() => '');
    if ((await of('environ')).split('\0').includes(mark)) found.push((await of('cmdline')).replaceAll('\0', ' '));
  }
  return found;
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
