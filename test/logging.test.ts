import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createLog } from '../src/logging.ts';
import { defineScript, runScript } from '../src/redis/call.ts';
import { CHECKOUT } from '../src/setup/commands.mjs';
import { redisForTests } from './redis/store-under-test.ts';

let folder: string;

/** A bundle whose first line is line 3 of a source of ours, and whose second line is a package's. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signoff-bundle-'));
  await mkdir(join(folder, 'dist/chunks'), { recursive: true });
  const sources = ['../../src/worker/worker.ts', '../../node_modules/ioredis/src/redis.js'];
  const map = { version: 3, sources, names: [], mappings: 'AAEA;ACAA' };
  writeFileSync(join(folder, 'dist/chunks/client.js.map'), JSON.stringify(map));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Where the log says that an error with this stack comes from. */
function placeIn(...frames: string[]): string | null {
  const lines: string[] = [];
  const log = createLog({ level: 'info', readable: false, to: { write: (text) => lines.push(text) } });
  const error = new Error('Redis is away');
  error.stack = ['Error: Redis is away', ...frames.map((frame) => `    at ${frame}`)].join('\n');
  log.error({ err: error }, 'failed');
  return JSON.parse(lines.join('')).err.at;
}

describe('the place of an error in the log', () => {
  const bundled = (line: number) => `file://${folder}/dist/chunks/client.js:${line}:1`;

  it.each<[string, () => string]>([
    ['a function', () => `async Worker.run (${bundled(1)})`],
    ['no function', () => bundled(1)],
  ])('in a bundle is that of the source (%s)', (_, frame) => {
    expect(placeIn(frame())).toBe('src/worker/worker.ts:3');
  });

  it('is the first one of our own code', () => {
    const others = ['node:internal/process/task_queues:95:5', 'x (/app/node_modules/ioredis/dist/redis.js:1:1)'];
    expect(placeIn(...others, `Redis.x (${bundled(2)})`, `Worker.run (${bundled(1)})`)).toBe('src/worker/worker.ts:3');
    expect(placeIn(...others, `Redis.x (${bundled(2)})`)).toBeNull();
  });

  it('is the line of the file itself where nothing is bundled, or no source map is there', () => {
    expect(placeIn('run (/app/src/worker/worker.ts:12:3)')).toBe('src/worker/worker.ts:12');
    expect(placeIn('run (file:///app/dist/main.js:12:3)')).toBe('dist/main.js:12');
  });
});

describe('the log of a process that ends', () => {
  /** Logs a line, and ends as the code says. */
  const run = (ending: string) => {
    const program = `import { createLog } from './src/logging.ts';
      const log = createLog({ level: 'info', readable: false, atExit: (write) => process.on('exit', write) });
      const end = () => {
        log.info('last words');
        ${ending}
      };`;
    const args = ['--import', 'tsx', '--input-type=module', '--eval'];
    return {
      atOnce: () => spawn(process.execPath, [...args, `${program} end();`], { cwd: CHECKOUT }),
      onSignal: () =>
        spawn(
          process.execPath,
          [...args, `${program} setInterval(() => {}, 1e3); process.on('SIGTERM', end); log.info('ready');`],
          { cwd: CHECKOUT },
        ),
    };
  };

  it.each([
    ['by itself', ''],
    ['by exiting', 'process.exit(0);'],
    ['by an error that nothing catches', 'throw new Error("a fault");'],
  ])('%s has all lines', async (_, ending) => {
    const child = run(ending).atOnce();
    child.stderr.resume();
    expect(JSON.parse(await text(child.stdout)).msg).toBe('last words');
  });

  it('doesn’t keep it from ending if nobody reads any more', async () => {
    const child = run('process.exit(0);').onSignal();
    await once(child.stdout, 'data');
    child.stdout.destroy();
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

describe('what Redis refuses', () => {
  const { redis } = redisForTests();
  const levelOf = async (source: string) => {
    const lines: string[] = [];
    const log = createLog({ level: 'info', readable: false, to: { write: (text) => lines.push(text) } });
    const script = defineScript('refused', z.unknown(), source);
    const err = await runScript(redis(), script, { keys: ['k'] }).catch((error) => error);
    Reflect.deleteProperty(redis(), script.name);
    log.error({ err }, 'failed');
    return lines.map((line) => JSON.parse(line).level);
  };

  it.each([
    ['a script has a mistake', 'return nothing.at.all'],
    ['a script gives a command the wrong arguments', "return redis.call('HGET', KEYS[1])"],
    ['a key holds something else', "redis.call('SET', KEYS[1], '') return redis.call('HGET', KEYS[1], 'f')"],
  ])('is an error of ours where %s', async (_, source) => {
    expect(await levelOf(source)).toEqual([50]);
  });

  it('is a warning where it has no room', async () => {
    expect(await levelOf("return redis.error_reply('OOM command not allowed')")).toEqual([40]);
  });
});
