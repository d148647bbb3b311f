import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CHECKOUT } from '../../src/setup/commands.mjs';

let clone: string;

/** A checkout without a build, whose programs have a few lines. */
beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'signoff-clone-'));
  for (const path of ['src/setup', 'src/tsconfig.json', 'tsconfig.json', 'package.json', 'package-lock.json']) {
    await cp(join(CHECKOUT, path), join(clone, path), { recursive: true });
  }
  await symlink(join(CHECKOUT, 'node_modules'), join(clone, 'node_modules'));
  for (const tool of ['webhook', 'audit', 'report', 'policy', 'doctor', 'mcp'])
    await write(`src/tools/${tool}/main.ts`, 'export {};\n');
});

afterAll(() => rm(clone, { recursive: true, force: true }));

async function write(path: string, content: string) {
  await mkdir(dirname(join(clone, path)), { recursive: true });
  await writeFile(join(clone, path), content);
}

const npmStart = (env: NodeJS.ProcessEnv = {}) =>
  spawn('npm', ['start', '--silent'], { cwd: clone, env: { ...process.env, ...env } });

async function outcomeOf(child: ReturnType<typeof npmStart>) {
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { stdout, stderr, code };
}

// npm starts scripts in a shell, which passes no signals on unless it becomes the program (`exec`).
it('npm start builds the bot, and passes it SIGTERM and its exit code', async () => {
  await write(
    'src/main.ts',
    `process.on('SIGTERM', () => { console.log('drained'); process.exit(7); });
    setInterval(() => {}, 1_000);
    console.log('ready');\n`,
  );
  const child = npmStart();
  child.stdout.once('data', () => child.kill('SIGTERM'));
  const { stdout, stderr, code } = await outcomeOf(child);
  expect([stdout, code]).toEqual(['ready\ndrained\n', 7]);
  expect(stderr).toContain('Building dist/');
});

it('npm start reads .env, but variables that are already set win', async () => {
  await write('src/main.ts', 'console.log(process.env.CREW_NAME, process.env.CREW_CHANNEL);\n');
  await write('.env', 'CREW_NAME=from-file\nCREW_CHANNEL=from-file\n');
  const { stdout } = await outcomeOf(npmStart({ CREW_NAME: 'from-shell' }));
  expect(stdout).toBe('from-shell from-file\n');
});

it('npm start does not start sources that do not compile', async () => {
  await write('src/main.ts', `const port: number = 'three thousand';\nconsole.log(port);\n`);
  const { stdout, stderr, code } = await outcomeOf(npmStart());
  expect([stdout, code]).toEqual(['', 1]);
  expect(stderr).toContain(`Type 'string' is not assignable to type 'number'`);
});
