import { setTimeout as pause } from 'node:timers/promises';
import { SHARDS } from '../../src/redis/keys.ts';
import type { Errand } from './errand.ts';
import { gather } from './evidence.ts';
import type { FaultWorld } from './fault-world.ts';
import { type Judgement, judge } from './judge.ts';

/** Longer than any claim or lease, so that whatever a dead process held is free. */
export const CLAIMS_END_SECONDS = 61;
/** Two whole looks of a bot at its due queue: the first one may have begun before. */
const TWO_LOOKS = 2 * SHARDS.length;
const LOOKS_WITHIN_MS = 60_000;
/** Where a bot's looks can't be seen, because it doesn't use the proxy. It looks once a second. */
const UNSEEN_LOOKS_MS = 2_500;
const MOST_JUMPS = 20;
const LOOK_EVERY_MS = 20;
/** Whoever does so many things gets nowhere. */
const MOST_DEEDS = 200;

/** Brings errands to their ends and judges them. `tend` is called again and again, to start what should run. */
export async function settle(
  world: FaultWorld,
  errands: readonly Errand[],
  tend: () => Promise<void> = async () => {},
): Promise<Judgement[]> {
  const before = errands.map(({ diary }) => diary.length);
  const isInVain = () => errands.some(({ diary }, i) => diary.length - (before[i] ?? 0) > MOST_DEEDS);
  for (let jumps = 0; ; ) {
    await tend();
    const outcomes = await stepAll(errands);
    if (outcomes.includes('acted') && !isInVain()) continue;
    const judgements = await judgeAll(world, errands);
    const isFine =
      outcomes.every((each) => each === 'done') && judgements.every(({ violations }) => violations.length === 0);
    if (isFine) return judgements;
    if (jumps >= MOST_JUMPS || isInVain())
      return judgements.map((each, i) => (outcomes[i] === 'done' ? each : stalled(each)));
    if (!(await comesToRest(world, errands))) continue;
    for (const errand of errands) await errand.loseHope('window');
    if ((await stepAll(errands)).includes('acted')) continue;
    jumps += 1;
    await letTimePass(world);
    if (jumps % 3 === 0) for (const errand of errands) await errand.loseHope('news');
  }
}

async function stepAll(errands: readonly Errand[]) {
  const outcomes: ('acted' | 'waits' | 'done')[] = [];
  for (const errand of errands) outcomes.push(await errand.step());
  return outcomes;
}

async function judgeAll(world: FaultWorld, errands: readonly Errand[]): Promise<Judgement[]> {
  const evidence = await gather(world);
  return errands.map((errand) => judge(evidence, errand));
}

/** Waits until somebody can act, or until nobody does anything any more; true for the latter. */
async function comesToRest(world: FaultWorld, errands: readonly Errand[]): Promise<boolean> {
  const quiet = world.untilQuiet().then(() => true);
  while (!(await Promise.race([quiet, pause(LOOK_EVERY_MS, false)])))
    if ((await stepAll(errands)).includes('acted')) return false;
  return true;
}

/** A minute passes for Redis. Resolves when a bot has changed something, or each of them has found nothing due. */
async function letTimePass({ clock, bots }: FaultWorld): Promise<void> {
  const looking = bots.filter((bot) => bot.isAlive()).map(({ redis }) => ({ redis, before: redis.looks() }));
  clock.putForward(CLAIMS_END_SECONDS);
  const before = performance.now();
  const limitMs = looking.some(({ before }) => before === 0) ? UNSEEN_LOOKS_MS : LOOKS_WITHIN_MS;
  while (performance.now() - before < limitMs) {
    await pause(LOOK_EVERY_MS);
    if (bots.some((bot) => bot.redis.lastChangeAt() > before)) return;
    if (looking.every(({ redis, before }) => redis.looks() - before >= TWO_LOOKS)) return;
  }
}

function stalled(judgement: Judgement): Judgement {
  return {
    ...judgement,
    violations: ['nothing happens any more, and the errand is not done', ...judgement.violations],
  };
}

/** Everything that is known of an errand that went wrong. */
export async function historyOf(world: FaultWorld, errand: Errand): Promise<string> {
  const logs = world.bots.map((bot) => `${bot.name}:\n${bot.printed().slice(-6_000)}`);
  return ['What they did:', ...errand.diary, 'What they see:', await errand.screen(), ...logs].join('\n');
}
