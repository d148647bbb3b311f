import { expect, it } from 'vitest';
import { someOfEach, TRIALS_TIMEOUT_MS, TRIES_ALL } from '../support/sample.ts';
import { countsLine } from './counts-line.ts';
import { startFaultWorld } from './fault-world.ts';
import { effectsSoFar, type KillPoint, killPointsIn, kindOf } from './kill-point.ts';
import { killAt } from './kill-trials.ts';
import { type Outcome, runSideBySide, scenarioAt, startAll } from './run-trials.ts';
import { settle } from './settle.ts';

/** Worlds side by side, which wait most of the time. */
const WORLDS = TRIES_ALL ? 3 : 1;
/** Effects that occur in every run of the main job. */
const ALWAYS = ['change of Redis', '/kickoff', '/resume', 'chat.postMessage', 'chat.update', 'views.open'];
/** A slow rehearsal polls more often. That must not add points. */
const MOST_OF_A_KIND = 60;

it.concurrent(
  'loses nothing, killed at any point of the main job and started again a minute later',
  () => killEverywhere(1),
  TRIALS_TIMEOUT_MS,
);

it.concurrent(
  'loses nothing, killed at any point of the main job while another bot goes on',
  () => killEverywhere(2),
  TRIALS_TIMEOUT_MS,
);

/**
 * One scenario for each point of the main job, at which a bot dies, alone or beside another one.
 */
async function killEverywhere(bots: 1 | 2): Promise<void> {
  const all = await rehearsal();
  const points = someOfEach(all, (point) => kindsOf(point, all, bots));
  const killed = new Set<KillPoint>();
  const trials = points.map((point) => killAt(point, 'everybody', () => killed.add(point)));
  const outcomes = await runSideBySide(WORLDS, trials, { bots });
  console.info(
    `${killed.size} kills in ${outcomes.length} scenarios, ${bots} at work: ${countsLine(outcomes.map(({ findings }) => findings))}`,
  );
  expect(reportOf(outcomes)).toBe('');
  // Updates may be coalesced and inputs cached, so not every point comes in every run. Of each kind, the early ones do.
  const kinds = new Set(points.filter((point) => !isLate(point, all)).map(kindOf));
  for (const point of killed) kinds.delete(kindOf(point));
  expect([...kinds].filter((kind) => ALWAYS.includes(kind))).toEqual([]);
}

/**
 * One bot alone is killed at some of the effects, one beside another bot at the others; of each counterpart also at one that
 * comes late. Just before an effect is just after the previous one, so that either is tried.
 */
function kindsOf(point: KillPoint, all: readonly KillPoint[], bots: 1 | 2): string[] {
  const kind = kindOf(point);
  if (isLate(point, all)) return (point.to === 'redis') === (bots === 1) ? [`late to ${point.to}`] : [];
  return ALWAYS.indexOf(kind) % 2 === bots % 2 ? [kind] : [];
}

function isLate(point: KillPoint, all: readonly KillPoint[]): boolean {
  const most = Math.max(...all.filter((each) => kindOf(each) === kindOf(point)).map(({ nth }) => nth));
  return point.nth > Math.ceil(most / 2);
}

/** Both tests kill at points of the same one. */
function rehearsal(): Promise<KillPoint[]> {
  rehearsed ??= rehearse();
  return rehearsed;
}

let rehearsed: Promise<KillPoint[]> | null = null;

/** The points of a scenario without faults. */
async function rehearse(): Promise<KillPoint[]> {
  const world = await startFaultWorld({ crewChannels: 1, policies: ['everybody'] });
  try {
    await startAll(world);
    const [findings] = await settle(world, [scenarioAt(world, 0)]);
    expect(findings?.violations).toEqual([]);
    const effects = (await effectsSoFar(world)).filter(
      (effect) => effect.to !== 'slack' || effect.method !== 'auth.test',
    );
    expect(effects.map(kindOf)).toEqual(expect.arrayContaining(ALWAYS));
    return killPointsIn(effects)
      .filter(({ nth }) => nth <= MOST_OF_A_KIND)
      .filter(isTried);
  } finally {
    await world.stop();
  }
}

/**
 * Just after a change of Redis is just before the next one, or just before or after what lies between them. The tests of Redis
 * cut the connection at every change, so that `npm test` kills only at every second one.
 */
function isTried({ to, nth, when }: KillPoint): boolean {
  return to !== 'redis' || (when === 'before' && (TRIES_ALL || nth % 2 === 1));
}

function reportOf(outcomes: readonly Outcome[]): string {
  return outcomes.map(({ report }) => report).join('');
}
