import type { BotChild } from './bot-child.ts';
import type { CrewChannel } from './crew-channels.ts';
import type { FaultWorld } from './fault-world.ts';

/** A change that a bot makes in the outside world. */
export type Effect = { to: 'redis' } | { to: 'slack'; method: string } | { to: 'crew'; route: CrewRoute };

/** Where a bot is killed: just before or just after the n-th effect of a kind. */
export type KillPoint = Effect & { nth: number; when: 'before' | 'after' };

const CREW_ROUTES = ['inputs', 'kickoff', 'status', 'resume'] as const;
type CrewRoute = (typeof CREW_ROUTES)[number];

export function nameOf(point: KillPoint): string {
  return `just ${point.when} ${kindOf(point)} number ${point.nth}`;
}

export function kindOf(effect: Effect): string {
  return effect.to === 'redis' ? 'change of Redis' : effect.to === 'slack' ? effect.method : `/${effect.route}`;
}

/** Lets the counterpart kill the bot that reaches this point. The result names it once that has happened. */
export async function armKill(
  world: FaultWorld,
  { crewChannel, point, onKilled }: { crewChannel: CrewChannel; point: KillPoint; onKilled: () => void },
): Promise<() => BotChild | null> {
  let killed: BotChild | null = null;
  const kill = async (bot: BotChild) => {
    killed = bot;
    onKilled();
    await bot.kill();
  };
  const { nth, when } = point;
  const meanwhile = () => kill(busiestOf(world));
  switch (point.to) {
    case 'redis': {
      const countdown = { left: nth };
      for (const bot of world.bots) bot.redis.arm({ countdown, when, meanwhile: () => kill(bot) });
      break;
    }
    case 'slack': {
      const kind = when === 'before' ? 'drop' : 'apply-then-drop';
      world.slack.faults.add({ method: point.method, nth, effect: { kind, meanwhile } });
      break;
    }
    case 'crew': {
      const fault = { route: point.route, skip: nth - 1, apply: when === 'after', respond: 'disconnect' } as const;
      await world.crews.sandbox.addFault({ ...fault, crew: crewChannel.crew, meanwhile });
    }
  }
  return () => killed;
}

/** The caller has just stored its claim in Redis. */
function busiestOf({ bots }: FaultWorld): BotChild {
  const [busiest] = [...bots].sort((a, b) => b.redis.lastChangeAt() - a.redis.lastChangeAt());
  if (!busiest) throw new Error('there is no bot to be killed');
  return busiest;
}

/** All effects so far, oldest first for each counterpart. */
export async function effectsSoFar(world: FaultWorld): Promise<Effect[]> {
  const calls = world.slack.calls().filter(({ direction }) => direction === 'from-app');
  const requests = await world.crews.sandbox.requests();
  return [
    ...world.bots.flatMap((bot) => bot.redis.changes().map((): Effect => ({ to: 'redis' }))),
    ...calls.map(({ name: method }): Effect => ({ to: 'slack', method })),
    ...requests.flatMap(({ route: asked }): Effect[] => {
      const route = CREW_ROUTES.find((each) => each === asked);
      return route ? [{ to: 'crew', route }] : [];
    }),
  ];
}

/** Every point at which a bot can be killed in a history of these effects. */
export function killPointsIn(effects: Effect[]): KillPoint[] {
  const counts = new Map<string, number>();
  return effects.flatMap((effect) => {
    const kind = kindOf(effect);
    const nth = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, nth);
    return (['before', 'after'] as const).map((when): KillPoint => ({ ...effect, nth, when }));
  });
}
