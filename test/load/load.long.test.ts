import { expect, it } from 'vitest';
import { clickBurst } from './click-burst.ts';
import { memory } from './memory.ts';
import { sharing } from './sharing.ts';
import { stepFlood } from './step-flood.ts';

it('a burst of clicks is acknowledged before the crew answers any of them, and each is delivered once', async () => {
  const burst = await clickBurst({ executions: 20, approvalsEach: 3, clicks: 20, resumes: 'held' });
  expect(burst).toMatchObject({ openApprovals: 60, acknowledged: 20, delivered: 20, lost: 0, doubled: 0 });
});

it('agent steps cost one write and one update per window, not one each', async () => {
  const { accepted, keptSteps, seconds, ...flood } = await stepFlood({ steps: 500, perMinute: 5_000 });
  const windows = Math.ceil(seconds / 3) + 1;
  expect([accepted, keptSteps]).toEqual([500, 200]);
  expect(flood.updates).toBeLessThanOrEqual(2 * windows);
  expect(flood.recordWrites).toBeLessThanOrEqual(6 * windows);
});

it('bots share the work', async () => {
  const bots = 2;
  const ratios: number[] = [];
  for (const _ of Array(3)) {
    const shared = await sharing({ bots, executions: 24 });
    expect(shared).toMatchObject({ delivered: 24, doubled: 0 });
    expect(Math.min(...shared.crewCalls)).toBeGreaterThan((48 / bots) * 0.4);
    ratios.push(shared.slackRatio);
  }
  // About 1 alone. What runs beside this test may hold a bot up once, and the other one then does more.
  const [, median] = ratios.sort((a, b) => a - b);
  expect(median).toBeGreaterThan(0.4);
});

it("a bot without incoming requests takes over work that another one can't do at once", async () => {
  const shared = await sharing({ bots: 2, executions: 40, entryBots: 1, crew: 'slow' });
  expect(shared).toMatchObject({ delivered: 40, doubled: 0 });
  expect(shared.crewCalls[1]).toBeGreaterThan(6);
});

it('ended executions leave nothing in memory', async () => {
  const { executions, refsLeft } = await memory({ rounds: 1, executionsEach: 20, mostHeapMb: 96 });
  expect(executions).toBe(20);
  // The shards of the last eight are known, and each connection that is kept alive may hold the last request that it carried.
  expect(Math.max(...refsLeft)).toBeLessThan(10);
});
