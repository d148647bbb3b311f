import { expect, it } from 'vitest';
import { countsLine } from './counts-line.ts';
import { type FaultWorld, startFaultWorld } from './fault-world.ts';
import { type Effect, effectsSoFar, type KillPoint, killPointsIn, kindOf } from './kill-point.ts';
import { killAt } from './kill-trials.ts';
import type { PolicyName } from './policies.ts';
import { runSideBySide, scenarioAt, startAll } from './run-trials.ts';
import { everyNth, TRIALS_TIMEOUT_MS } from './sample.ts';
import type { Scenario } from './scenario.ts';
import { settle } from './settle.ts';

const WORLDS = 3;
const POLICIES: readonly PolicyName[] = ['quorum', 'undo', 'rejecting', 'closing'];
const KINDS = ['change of Redis', 'chat.postMessage', 'chat.update', '/resume'];

it.concurrent(
  'loses no vote, no decision that could be undone and no timer, killed at any point of them and started again',
  () => killEverywhere({ bots: 1, from: 5 }),
  TRIALS_TIMEOUT_MS,
);

it.concurrent(
  'loses no vote, no decision that could be undone and no timer, killed at any point of them beside another bot',
  () => killEverywhere({ bots: 2, from: 13 }),
  TRIALS_TIMEOUT_MS,
);

async function killEverywhere({ bots, from }: { bots: 1 | 2; from: number }): Promise<void> {
  const points = everyNth(16, await rehearse(), from);
  const killed: KillPoint[] = [];
  const trials = points.map(({ point, policy }) => killAt(point, policy, () => killed.push(point)));
  const outcomes = await runSideBySide(WORLDS, trials, { bots });
  const findings = outcomes.map((each) => each.findings);
  console.info(
    `${killed.length} kills around votes and timers in ${outcomes.length} scenarios, ${bots} at work: ${countsLine(findings)}`,
  );
  expect(outcomes.map(({ report }) => report).join('')).toBe('');
  expect(killed.length).toBeGreaterThan(points.length / 2);
}

/** The points of scenarios without faults, from the first request on. Those before are the main job's. */
async function rehearse(): Promise<{ point: KillPoint; policy: PolicyName }[]> {
  const world = await startFaultWorld({ crewChannels: POLICIES.length, policies: POLICIES });
  try {
    await startAll(world);
    const points: { point: KillPoint; policy: PolicyName }[] = [];
    for (const [i, policy] of POLICIES.entries()) {
      const own = await pointsOf(world, scenarioAt(world, i));
      points.push(...own.map((point) => ({ point, policy })));
    }
    return points;
  } finally {
    await world.stop();
  }
}

async function pointsOf(world: FaultWorld, scenario: Scenario): Promise<KillPoint[]> {
  const before = countsOf(await effectsSoFar(world));
  let atFirstCard: Map<string, number> | null = null;
  const [findings] = await settle(world, [scenario], async () => {
    if (scenario.clicks.length > 0) atFirstCard ??= countsOf(await effectsSoFar(world));
  });
  expect(findings?.violations).toEqual([]);
  const from = atFirstCard ?? before;
  const earlier = (counts: ReadonlyMap<string, number>, point: KillPoint) => counts.get(kindOf(point)) ?? 0;
  return killPointsIn(await effectsSoFar(world))
    .filter((point) => KINDS.includes(kindOf(point)) && point.nth > earlier(from, point))
    .map((point) => ({ ...point, nth: point.nth - earlier(before, point) }));
}

function countsOf(effects: readonly Effect[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const effect of effects) counts.set(kindOf(effect), (counts.get(kindOf(effect)) ?? 0) + 1);
  return counts;
}
