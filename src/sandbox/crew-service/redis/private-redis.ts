// A Redis of the service's own, if no other one is named. Its data stay in a folder; the server ends with the service.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants, mkdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { settlesWithin } from '../waiting.ts';

export type PrivateRedis = { readonly url: string; end(): Promise<void> };

// The server ends when its input does: with this process, however that ends.
const UNTIL_INPUT_ENDS = '"$@" & cat > /dev/null; kill $!; wait $!';

const START_MS = 10_000;

/** The time that the server of a killed service may take to end. */
const PREDECESSOR_MS = 3_000;

/** Rejects with a sentence that says what to do if there is no redis-server, or another service uses the one of the folder. */
export async function startPrivateRedis(folder: string, { PATH = '' }: NodeJS.ProcessEnv): Promise<PrivateRedis> {
  const program = await redisServerOn(PATH);
  await mkdir(folder, { recursive: true });
  const url = join(folder, 'redis.sock');
  if (!(await within(PREDECESSOR_MS, async () => !(await accepts(url)))))
    throw new Error(`Another crew service works with the Redis in ${folder}: stop it, or name a Redis with --redis.`);
  const files = ['--dir', folder, '--unixsocket', url, '--logfile', join(folder, 'redis.log')];
  const durability = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];
  const args = [program, ...files, ...durability, '--port', '0', '--maxmemory-policy', 'noeviction'];
  // In a group of its own, as Ctrl-C is for the service, which still needs it then.
  const child = spawn('/bin/sh', ['-c', UNTIL_INPUT_ENDS, 'sh', ...args], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  if (await within(START_MS, () => accepts(url))) return { url, end: () => endOf(child) };
  await endOf(child);
  throw new Error(`${program} didn't start: ${await lastLineOf(join(folder, 'redis.log'))}`);
}

async function redisServerOn(path: string): Promise<string> {
  for (const name of ['redis-server', 'valkey-server'])
    for (const folder of path.split(delimiter)) {
      const program = join(folder, name);
      const isExecutable = await access(program, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isExecutable) return program;
    }
  throw new Error('The crew service needs a Redis: name one with --redis or REDIS_URL, or install redis-server.');
}

function accepts(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function within(ms: number, isSo: () => Promise<boolean>): Promise<boolean> {
  const until = performance.now() + ms;
  while (!(await isSo())) {
    if (performance.now() > until) return false;
    await pause(5);
  }
  return true;
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.stdin?.end();
  await settlesWithin(PREDECESSOR_MS, ended);
}

async function lastLineOf(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => 'it wrote no log.');
  return text.trimEnd().split('\n').at(-1) ?? '';
}
