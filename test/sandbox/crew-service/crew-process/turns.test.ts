import { setImmediate as tick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createTurns } from '../../../../src/sandbox/crew-service/crew-process/turns.ts';

const { signal } = new AbortController();

/** Runs begin as `a1`, `a2`, …, and `end` ends one of them. */
function playground(limits: { atOnce: number; ofOneCrew: number }) {
  const turns = createTurns(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    async ask(...runs: string[]) {
      for (const run of runs) {
        const turn = turns.wait(run.slice(0, 1), signal);
        void turn.then((end) => {
          begun.push(run);
          ends.set(run, end);
        });
      }
      await tick();
    },
    async end(run: string) {
      ends.get(run)?.();
      await tick();
    },
  };
}

describe('runs at once', () => {
  it('wait for their turn, and crews take turns, however many runs one of them has', async () => {
    const { begun, ask, end } = playground({ atOnce: 2, ofOneCrew: 2 });
    await ask('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1');
    expect(begun).toEqual(['a1', 'a2']);
    for (const run of ['a1', 'a2', 'a3', 'b1', 'c1']) await end(run);
    expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2']);
  });

  it('of one crew leave room for others', async () => {
    const { begun, ask, end } = playground({ atOnce: 4, ofOneCrew: 2 });
    await ask('a1', 'a2', 'a3', 'b1');
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('lose their place when nobody waits for it any more', async () => {
    const turns = createTurns({ atOnce: 1, ofOneCrew: 1 });
    const end = await turns.wait('a', signal);
    const leaving = new AbortController();
    const left = turns.wait('a', leaving.signal);
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    const next = turns.wait('b', signal);
    end();
    expect(await next).toBeTypeOf('function');
  });
});
