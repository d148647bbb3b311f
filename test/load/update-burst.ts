import { setTimeout as pause } from 'node:timers/promises';
import { buttonsIn } from '../support/slack-server.ts';
import { eventually, type LoadWorld, startLoadWorld } from './load-world.ts';

/** How bots told in Slack what a burst of decisions has changed, under its real rates. */
export interface UpdateBurst {
  bots: number;
  decisions: number;
  /** Updates that Slack took from the first click until every card and every thread was true. */
  updates: number;
  seconds: number;
  perSecond: number;
  /** These updates by what Slack's rate allows in that time; where it rejects some, of the time after the last wait. */
  ofAllowed: number;
  /** Updates that Slack rejected as too fast. */
  rejections: number;
  /** How long it was until Slack took an update again, after each of them, in seconds. */
  waitsS: number[];
}

const CHANNELS = 8;
const DECISIONS_PER_SECOND = 12;
/** Tier 3: https://docs.slack.dev/apis/web-api/rate-limits#tiers */
const EVERY_MS = 60_000 / 50;
/** How many updates the bots make at once after a quiet time. */
const BURST = 20;
/** Longer than a call to Slack takes that is on its way. */
const CALL_MS = 2_500;
const WITHIN_MS = 600_000;

/** @param reject which updates Slack rejects after the first click, and how long it says to wait each time */
export async function updateBurst({
  bots,
  decisions,
  reject = { nth: [], waitS: 0 },
}: {
  bots: number;
  decisions: number;
  reject?: { nth: number[]; waitS: number };
}): Promise<UpdateBurst> {
  const load = await startLoadWorld({ bots, rateLimits: 'real', channels: CHANNELS });
  try {
    await load.start(decisions);
    const cards = await load.cards(decisions, WITHIN_MS);
    await comesToRest(load);
    const before = updatesOf(load).length;
    const effect = { kind: 'rate-limited', retryAfterSeconds: reject.waitS } as const;
    for (const nth of reject.nth) load.world.slack.faults.add({ method: 'chat.update', nth, effect });
    const beganAt = Date.now();
    await Promise.all(
      cards.map(async (card, i) => {
        await pause((i * 1_000) / DECISIONS_PER_SECOND);
        const { status } = await load.approve(card, load.bots[i % bots]?.port);
        if (status !== 200) throw new Error(`a click was answered with ${status}`);
      }),
    );
    await load.completed(decisions, WITHIN_MS);
    await eventually('cards that say so', WITHIN_MS, async () => {
      const now = buttonsIn(load.world.slack.messages(), 'Approve').length;
      return { done: now === 0, now };
    });
    return { bots, decisions, ...figuresOf(updatesOf(load).slice(before), { beganAt, waitS: reject.waitS }) };
  } finally {
    await load.stop();
  }
}

function updatesOf({ world }: LoadWorld) {
  return world.slack.calls().filter(({ name }) => name === 'chat.update');
}

function figuresOf(
  calls: ReturnType<typeof updatesOf>,
  { beganAt, waitS }: { beganAt: number; waitS: number },
): Omit<UpdateBurst, 'bots' | 'decisions'> {
  const updates = calls.filter(({ outcome }) => outcome === 'ok');
  const rejections = calls.filter(({ error }) => error === 'ratelimited');
  const waitsS = rejections.map(({ at }) => {
    const next = updates.find((update) => update.at > at + CALL_MS);
    return next ? (next.at - at) / 1_000 : 0;
  });
  const endedAt = updates.at(-1)?.at ?? beganAt;
  const ms = endedAt - beganAt;
  const last = rejections.at(-1);
  const since = last ? { at: last.at + waitS * 1_000, burst: 1 } : { at: beganAt, burst: BURST };
  const allowed = since.burst + (endedAt - since.at) / EVERY_MS;
  return {
    updates: updates.length,
    seconds: Math.round(ms / 1_000),
    perSecond: Math.round((updates.length / ms) * 100_000) / 100,
    ofAllowed: Math.round((updates.filter(({ at }) => at >= since.at).length / allowed) * 100) / 100,
    rejections: rejections.length,
    waitsS,
  };
}

/** Waits until nothing is left to post or update, and until the bots may make a whole burst of updates. */
async function comesToRest({ world }: LoadWorld): Promise<void> {
  let made = -1;
  await eventually('the bots to come to rest', WITHIN_MS, async () => {
    const before = made;
    made = world.slack.calls().length;
    if (made !== before) await pause(5_000);
    return { done: made === before, now: made };
  });
  await pause(BURST * EVERY_MS);
}
