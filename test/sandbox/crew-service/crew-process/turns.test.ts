import { setImmediate as tick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createTurns } from '../../../../src/sandbox/crew-service/crew-process/turns.ts';

const { signal } = new AbortController();

/** Runs begin as `a1`, `a2`, …, those that have begun before as `A1`, `A2`, …, and `end` ends one of them. */
function playground(limits: { atOnce: number; ofOneCrew: number }) {
  const turns = createTurns(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    async ask(...runs: string[]) {
      for (const run of runs) {
        const [crew = ''] = run;
        const progress = crew === crew.toLowerCase() ? 'new' : 'begun';
        const turn = turns.wait({ crew: crew.toLowerCase(), progress }, signal);
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

  it('begin after those that people have decided about, of whichever crew, in their order', async () => {
    const { begun, ask, end } = playground({ atOnce: 1, ofOneCrew: 1 });
    await ask('a1', 'a2', 'b1', 'A3', 'B2', 'A4');
    for (let ended = 0; ended < 5; ended++) await end(begun[ended] ?? '');
    expect(begun).toEqual(['a1', 'A3', 'B2', 'A4', 'a2', 'b1']);
  });

  it('go on only as far as their crew may, which leaves room for new ones of others', async () => {
    const { begun, ask } = playground({ atOnce: 2, ofOneCrew: 1 });
    await ask('A1', 'A2', 'b1');
    expect(begun).toEqual(['A1', 'b1']);
  });

  it('begin at last, also where others are decided about without end', async () => {
    const { begun, ask, end } = playground({ atOnce: 1, ofOneCrew: 1 });
    await ask('A0', 'b1', 'b2');
    for (let count = 0; begun.length < 120; count++) {
      await ask('A0');
      await end(begun.at(-1) ?? '');
      expect(count).toBeLessThan(200);
    }
    expect(begun.filter((run) => run !== 'A0')).toEqual(['b1', 'b2']);
    expect(begun.indexOf('b1')).toBeGreaterThan(40);
  });

  it('lose their place when nobody waits for it any more', async () => {
    const turns = createTurns({ atOnce: 1, ofOneCrew: 1 });
    const end = await turns.wait({ crew: 'a', progress: 'new' }, signal);
    const leaving = new AbortController();
    const left = turns.wait({ crew: 'a', progress: 'new' }, leaving.signal);
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    const next = turns.wait({ crew: 'b', progress: 'new' }, signal);
    end();
    expect(await next).toBeTypeOf('function');
  });
});
