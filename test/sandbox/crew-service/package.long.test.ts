import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { CHECKOUT } from '../../../src/setup/commands.mjs';
import { ensureRedisServer } from '../../../src/setup/system-programs.mjs';
import { endNpx, installPacked } from '../packed-package.ts';
import { crewCaller } from './crew-caller.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const TOKEN = 'org-token';
const START_MS = 60_000;

/** An empty folder with nothing but the packed package. */
let folder: string;
let withRedis: string;

beforeAll(async () => {
  folder = await installPacked('crew-service');
  withRedis = [dirname(await ensureRedisServer()), process.env.PATH].join(delimiter);
});
const started: ChildProcess[] = [];
afterEach(() => Promise.all(started.splice(0).map((child) => end(child))));
afterAll(() => rm(folder, { recursive: true }));

async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill(signal);
  return (await exited)[0];
}

/** Starts the command as npm has linked it, with an own Redis. */
async function start(crewFile: string, env: NodeJS.ProcessEnv = {}) {
  const command = join(folder, 'node_modules/.bin/crew-service');
  const child = spawn(command, ['--port', '0', '--crews', crewFile], {
    cwd: folder,
    env: { PATH: withRedis, CREW_SERVICE_TOKEN: TOKEN, LOG_LEVEL: 'warn', ...env },
  });
  started.push(child);
  let said = '';
  for (const output of [child.stdout, child.stderr])
    output.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const baseUrl = await until(
    'its crew',
    () => {
      if (child.exitCode !== null) throw new Error(said);
      return /(http:\S+)/.exec(said)?.[1];
    },
    START_MS,
  );
  const call = crewCaller(baseUrl, TOKEN);
  const outcomeOf = (id: unknown) =>
    until('its end', async () => {
      const { body } = await call.get(`/status/${id}`);
      return body.status === 'completed' || body.status === 'error' ? body : undefined;
    });
  return {
    child,
    said: () => said,
    inputs: () => call.get('/inputs'),
    outcomeOf,
    async run(inputs: object) {
      const { body } = await call.post('/kickoff', { inputs });
      return { id: body.kickoff_id, outcome: await outcomeOf(body.kickoff_id) };
    },
  };
}

it('the package has its programs and their types, and nothing of this repository', async () => {
  const installed = join(folder, 'node_modules/@signoff/crew-service');
  expect((await readdir(installed)).toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist',
    'examples',
    'package.json',
  ]);
  const files = await readdir(join(installed, 'dist'), { recursive: true });
  expect(files.filter((file) => /(?<!\.d)\.ts$|test/.test(file))).toEqual([]);
  for (const file of files.filter((name) => /\.m?js$/.test(name))) {
    const code = await readFile(join(installed, 'dist', file), 'utf8');
    expect(code, file).not.toContain(CHECKOUT);
    const imported = [...code.matchAll(/^(?:import|export) .*?from "([^"]+)"/gm)].map(([, name = '']) => name);
    expect(
      imported.filter((name) => !/^(?:\.|pino$)/.test(name) && !isBuiltin(name)),
      file,
    ).toEqual([]);
  }
  expect(await readdir(join(folder, 'node_modules'))).not.toContain('tsx');
});

/** Those in TypeScript of the package's README. */
async function writeExamples(to: string): Promise<void> {
  const readme = await readFile(join(folder, 'node_modules/@signoff/crew-service/README.md'), 'utf8');
  const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)];
  expect(examples).toHaveLength(3);
  for (const [index, [, code = '']] of examples.entries()) await writeFile(join(to, `example-${index}.ts`), code);
}

it('a crew that was made with `new` is one that the compiler takes, like the examples of the README, and runs, also after the service was killed', async () => {
  const made = await run('npx', ['crew-service', 'new', 'leaflet'], { cwd: folder });
  expect(made.stdout).toContain(`npx crew-service --crews ${join(folder, 'crews/leaflet.ts')}`);
  await writeExamples(join(folder, 'crews'));
  const tsc = join(CHECKOUT, 'node_modules/typescript/bin/tsc');
  const checked = run(process.execPath, [tsc, '-p', 'crews'], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  expect((await checked).stdout).toBe('');

  const first = await start('crews/leaflet.ts');
  expect(await first.inputs()).toMatchObject({ status: 200, body: { inputs: ['topic'] } });
  const { id, outcome } = await first.run({ topic: 'tea' });
  expect(outcome).toMatchObject({ status: 'completed', result: { output: 'Published: About tea' } });
  await end(first.child, 'SIGKILL');

  const second = await start('crews/leaflet.ts');
  expect(await second.outcomeOf(id)).toEqual(outcome);
  expect(await end(second.child)).toBe(0);
});

it('a crew may use the TypeScript of its day, packages and files of its own, and errors name the lines that it has', async () => {
  await mkdir(join(folder, 'other'), { recursive: true });
  await writeFile(
    join(folder, 'other/size.ts'),
    'export interface Size { cups: number }\nexport enum Kind { Green, Black }\n',
  );
  const lines = [
    `import { defineCrew } from '@signoff/crew-service';`,
    `import { z } from 'zod';`,
    `import { Kind, Size } from './size.js';`,
    ``,
    `interface Pot {`,
    `  lid?: true;`,
    `}`,
    `const one = <const Sizes extends readonly Size[]>(sizes: Sizes) => sizes[0]!;`,
    `const size = one([{ cups: 2 }]) satisfies Size;`,
    `function pour(pot: Pot): never { throw new Error(new Error().stack!.split('\\n')[1]); }`,
    `export const crews = [`,
    `  defineCrew({ name: 'tea', inputs: { kind: z.string() } }).task('pour', {`,
    `    agent: 'A', run: ({ inputs }) => inputs.kind === 'none' ? pour({}) : \`\${size.cups} of \${Kind.Black}\`,`,
    `  }),`,
    `];`,
  ];
  await writeFile(join(folder, 'other/tea.ts'), lines.join('\n'));
  const service = await start('other/tea.ts');
  expect((await service.run({ kind: 'black' })).outcome).toMatchObject({ result: { output: '2 of 1' } });
  expect((await service.run({ kind: 'none' })).outcome.error).toMatch(/at pour \(.*other\/tea\.ts:10:/);
});

it('SIGTERM to npx leaves nothing running: neither the service nor its Redis, and no crews', async () => {
  const args = ['crew-service', '--port', '0', '--crews', 'crews/leaflet.ts'];
  await endNpx(folder, { args, env: { ...process.env, PATH: withRedis }, ready: 'leaflet: http' });
});

it('without a redis-server it says what to do', async () => {
  const node = join(folder, 'only-node');
  await mkdir(node);
  await run('ln', ['-s', process.execPath, join(node, 'node')]);
  await expect(start('crews/leaflet.ts', { PATH: node })).rejects.toThrow(
    'The crew service needs a Redis: name one with --redis or REDIS_URL, or install redis-server.',
  );
});

it('code may start the service, with crews that it defines', async () => {
  const program = `
    import { defineCrew } from '@signoff/crew-service';
    import { startCrewService } from '@signoff/crew-service/service';
    const crews = [defineCrew({ name: 'hello', inputs: {} }).task('greet', { agent: 'A', run: () => 'Hello' })];
    await startCrewService({ crews, tokens: { organisation: 'x' }, redisUrl: '/nowhere.sock' }).catch((error) => console.log(error.message));`;
  await writeFile(join(folder, 'host.mjs'), program);
  const { stdout } = await run(process.execPath, ['host.mjs'], { cwd: folder });
  expect(stdout).toBe("The crew service can't reach Redis at /nowhere.sock.\n");
});
