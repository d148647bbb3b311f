import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const CHECKOUT = resolve(fileURLToPath(new URL('../..', import.meta.url)));

let clone: string;

/** A checkout with our launcher and a program of a few lines. */
beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'signoff-clone-'));
  for (const path of ['src/setup', 'src/tsconfig.json', 'tsconfig.json', 'package.json', 'package-lock.json']) {
    await cp(join(CHECKOUT, path), join(clone, path), { recursive: true });
  }
  await symlink(join(CHECKOUT, 'node_modules'), join(clone, 'node_modules'));
  await write('src/tsconfig.json', JSON.stringify({ ...TSCONFIG, files: ['main.ts'] }));
});

afterAll(() => rm(clone, { recursive: true, force: true }));

const TSCONFIG = { extends: '../tsconfig.json', compilerOptions: { rootDir: '.' }, include: [] };

async function write(path: string, text: string) {
  await mkdir(dirname(join(clone, path)), { recursive: true });
  await writeFile(join(clone, path), text);
}

type Outcome = { stdout: string; stderr: string; code: number | null };

function launch(args: string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, ['src/setup/cli.mjs', ...args], { cwd: clone, env: { ...process.env, ...env } });
}

async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (text) => {
    stdout += text;
  });
  child.stderr?.on('data', (text) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  return { stdout, stderr, code };
}

const start = (args: string[] = [], env?: Record<string, string>) =>
  outcomeOf(launch(['run', 'dist/main.js', ...args], env));

describe('npm start', () => {
  beforeEach(() => write('src/main.ts', `console.log('started with', process.argv.slice(2).join(' '));\n`));

  it('builds the bot if there is no build yet, and says so on stderr', async () => {
    await rm(join(clone, 'dist'), { recursive: true, force: true });
    const { stdout, stderr, code } = await start(['research']);
    expect(stderr).toContain('Building dist/');
    expect(stdout).toBe('started with research\n');
    expect(code).toBe(0);
  });

  it('starts straight from an existing build', async () => {
    await start();
    expect((await start()).stderr).not.toContain('Building');
  });

  it('rebuilds after a source has changed', async () => {
    await start();
    await write('src/main.ts', `console.log('changed');\n`);
    const future = new Date(Date.now() + 1_000);
    await utimes(join(clone, 'src/main.ts'), future, future);
    expect((await start()).stdout).toBe('changed\n');
  });

  it('does not start sources that do not compile', async () => {
    await write('src/main.ts', `const port: number = 'three thousand';\nconsole.log(port);\n`);
    const { stdout, stderr, code } = await start();
    expect(stdout).toBe('');
    expect(stderr).toContain(`Type 'string' is not assignable to type 'number'`);
    expect(stderr.trimEnd()).toMatch(/The sources do not compile: see the errors above\.$/);
    expect(code).toBe(1);
  });

  it('exits with the exit code of the bot', async () => {
    await write('src/main.ts', 'process.exit(7);\n');
    expect((await start()).code).toBe(7);
  });

  // npm starts scripts in a shell, which doesn't pass signals on unless it becomes the program (`exec`).
  it.each([
    { how: 'the launcher', command: process.execPath, args: ['src/setup/cli.mjs', 'run', 'dist/main.js'] },
    { how: 'npm', command: 'npm', args: ['start', '--silent'] },
  ])('passes a SIGTERM to $how on to the bot, which shuts down gracefully', async ({ command, args }) => {
    const waits = `process.on('SIGTERM', () => { console.log('drained'); process.exit(0); });
      setInterval(() => {}, 1_000);
      console.log('ready');\n`;
    await write('src/main.ts', waits);
    const child = spawn(command, args, { cwd: clone });
    child.stdout.once('data', () => child.kill('SIGTERM'));
    expect(await outcomeOf(child)).toMatchObject({ stdout: 'ready\ndrained\n', code: 0 });
  });

  it('reads .env, but variables that are already set win', async () => {
    await write('src/main.ts', 'console.log(process.env.CREW_NAME, process.env.CREW_CHANNEL);\n');
    await write('.env', 'CREW_NAME=from-file\nCREW_CHANNEL=from-file\n');
    const { stdout } = await start([], { CREW_NAME: 'from-shell' });
    await rm(join(clone, '.env'));
    expect(stdout).toBe('from-shell from-file\n');
  });
});

it('runs a sandbox program from source, without .env', async () => {
  await write('src/main.ts', '');
  await write('.env', 'CREW_NAME=from-file\n');
  await write(
    'src/sandbox/demo/main.ts',
    `const name: string = process.env.CREW_NAME ?? 'nobody';\nconsole.log(name);\n`,
  );
  const { stdout } = await outcomeOf(launch(['run', 'src/sandbox/demo/main.ts']));
  await rm(join(clone, '.env'));
  expect(stdout).toBe('nobody\n');
});

it('names an unknown task in one line', async () => {
  const { stderr, code } = await outcomeOf(launch(['tset']));
  expect(stderr).toBe('Unknown task "tset": see the scripts in package.json.\n');
  expect(code).toBe(1);
});
