import { expect, it } from 'vitest';
import { TRIALS_TIMEOUT_MS } from '../support/sample.ts';
import { countsLine } from './counts-line.ts';
import { type Effect, type KillPoint, nameOf } from './kill-point.ts';
import { killAt } from './kill-trials.ts';
import type { PolicyName } from './policies.ts';
import { runSideBySide } from './run-trials.ts';

const WORLDS = 3;

const CHANGE: Effect = { to: 'redis' };
const POST: Effect = { to: 'slack', method: 'chat.postMessage' };
const UPDATE: Effect = { to: 'slack', method: 'chat.update' };
const RESUME: Effect = { to: 'crew', route: 'resume' };

/** The effects of scenarios from the first click on a card on, as a run without faults counts them. */
const EFFECTS: { policy: PolicyName; effect: Effect; from: number; to: number }[] = [
  { policy: 'quorum', effect: CHANGE, from: 13, to: 40 },
  { policy: 'quorum', effect: POST, from: 3, to: 4 },
  { policy: 'quorum', effect: UPDATE, from: 1, to: 6 },
  { policy: 'quorum', effect: RESUME, from: 1, to: 2 },
  { policy: 'undo', effect: CHANGE, from: 12, to: 44 },
  { policy: 'undo', effect: POST, from: 3, to: 8 },
  { policy: 'undo', effect: UPDATE, from: 1, to: 10 },
  { policy: 'undo', effect: RESUME, from: 1, to: 2 },
  { policy: 'rejecting', effect: CHANGE, from: 13, to: 46 },
  { policy: 'rejecting', effect: POST, from: 3, to: 8 },
  { policy: 'rejecting', effect: UPDATE, from: 1, to: 4 },
  { policy: 'rejecting', effect: RESUME, from: 1, to: 2 },
  { policy: 'closing', effect: CHANGE, from: 13, to: 20 },
  { policy: 'closing', effect: POST, from: 3, to: 3 },
  { policy: 'closing', effect: UPDATE, from: 1, to: 2 },
];

/** Just after a change is just before the next one, or just before or after what lies between them. */
const POINTS = EFFECTS.flatMap(({ policy, effect, from, to }) =>
  Array.from({ length: to - from + 1 }, (_, i) => i + from).flatMap((nth) =>
    (effect === CHANGE ? (['before'] as const) : (['before', 'after'] as const)).map((when) => ({
      policy,
      point: { ...effect, nth, when } satisfies KillPoint,
    })),
  ),
);

it.concurrent(
  'loses no vote, no decision that can be undone and no timer, killed around them and started again a minute later',
  () => killEverywhere(1),
  TRIALS_TIMEOUT_MS,
);

it.concurrent(
  'loses no vote, no decision that can be undone and no timer, killed around them while another bot goes on',
  () => killEverywhere(2),
  TRIALS_TIMEOUT_MS,
);

/** Each point once, in turns with one bot and beside another one. */
async function killEverywhere(bots: 1 | 2): Promise<void> {
  const own = POINTS.filter(({ point: { nth, when } }) => (nth + bots) % 2 === (when === 'before' ? 0 : 1));
  const killed: string[] = [];
  const trials = own.map(({ policy, point }) => killAt(point, policy, () => killed.push(nameOf(point))));
  const outcomes = await runSideBySide(WORLDS, trials, { bots });
  const counts = countsLine(outcomes.map(({ findings }) => findings));
  console.info(
    `${killed.length} kills around votes and timers in ${trials.length} scenarios, ${bots} at work: ${counts}`,
  );
  expect(outcomes.map(({ report }) => report).join('')).toBe('');
  // Updates may be coalesced, so not every point comes in every run.
  expect(killed.length).toBeGreaterThanOrEqual(trials.length / 2);
}
