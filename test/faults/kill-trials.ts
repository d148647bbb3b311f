import type { BotChild } from './bot-child.ts';
import { armKill, type KillPoint, nameOf } from './kill-point.ts';
import type { PolicyName } from './policies.ts';
import type { Trial } from './run-trials.ts';
import { CLAIMS_END_SECONDS } from './settle.ts';

/** A scenario in which a bot is killed at this point. If it was the only one, it is started again a minute later. */
export function killAt(point: KillPoint, policy: PolicyName, onKilled: () => void): Trial {
  let killed: () => BotChild | null = () => null;
  return {
    name: `killed ${nameOf(point)} (${policy})`,
    policy,
    async arm(world, { crewChannel }) {
      killed = await armKill(world, { crewChannel, point, onKilled });
    },
    async tend({ bots, clock }) {
      for (const bot of bots.filter((each) => !each.isAlive())) {
        const isOurs = bot === killed();
        if (isOurs && bots.length > 1) continue;
        if (isOurs) clock.putForward(CLAIMS_END_SECONDS);
        // The trial before may have killed another one after it was over.
        await bot.start();
      }
    },
  };
}
