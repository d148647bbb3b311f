import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { type Running, supervise } from '../../../src/sandbox/demo/supervisor.ts';

/** A process that is ready at once, and lives until it is ended. */
function startProcess(): Running & { readonly pid: number | undefined } {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  const ended = once(child, 'exit').then(([code, signal]) => String(signal ?? `exit code ${code}`));
  const end = (signal: NodeJS.Signals) => void child.kill(signal);
  return {
    pid: child.pid,
    ended,
    kill: () => end('SIGKILL'),
    async stop() {
      end('SIGTERM');
      await ended;
    },
  };
}

/** A supervised process; `fails` says which of its starts do. */
async function supervised({ fails = () => false }: { fails?: (start: number) => boolean } = {}) {
  const told: string[] = [];
  const processes: ReturnType<typeof startProcess>[] = [];
  let starts = 0;
  const start = async () => {
    starts += 1;
    if (fails(starts)) throw new Error('It did not start.');
    const process = startProcess();
    processes.push(process);
    return process;
  };
  const bot = await supervise({ name: 'The bot', start, tell: (text) => told.push(text), pausesMs: [0, 1, 2] });
  onTestFinished(() => bot.stop());
  return { bot, told, processes, starts: () => starts };
}

it('The demo starts a process again that ends by itself, and says so', async () => {
  const { told, processes } = await supervised();
  processes[0]?.kill();
  await expect.poll(() => processes).toHaveLength(2);
  expect(told).toEqual(['The bot ended (SIGKILL). The demo starts it again.']);
});

it('The demo kills a process on demand, and says how long it was away', async () => {
  const { bot, told, processes } = await supervised();
  for (const _ of Array(6)) expect(await bot.kill()).toMatch(/^The bot was killed\. It was back after \d\.\d s\.$/);
  expect(processes).toHaveLength(7);
  expect(await processes[5]?.ended).toBe('SIGKILL');
  expect(told).toEqual([]);
});

it('The demo gives up on a process that ends several times in a row, and says where to look', async () => {
  const { bot, told, processes, starts } = await supervised({ fails: (start) => start > 2 });
  processes[0]?.kill();
  await expect.poll(() => processes).toHaveLength(2);
  processes[1]?.kill();
  await expect.poll(() => told).toHaveLength(3);
  expect(told.at(-1)).toBe(
    'The bot ended 4 times in a row, so the demo doesn’t start it any more. The terminal says why; Ctrl-C ends the demo.',
  );
  expect(starts()).toBe(4);
  expect(await bot.kill()).toBe('The bot isn’t running.');
});

it('The demo does not start again what is stopped, fails where the first start does, and says what didn’t start again', async () => {
  const { bot, processes, told } = await supervised();
  await bot.stop();
  expect(await processes[0]?.ended).toBe('SIGTERM');
  expect(processes).toHaveLength(1);
  expect(told).toEqual([]);
  await expect(supervised({ fails: () => true })).rejects.toThrow('It did not start.');
  const once = await supervised({ fails: (start) => start > 1 });
  expect(await once.bot.kill()).toBe('The bot was killed, and didn’t start again.');
});
