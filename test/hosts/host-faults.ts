import { setTimeout as pause } from 'node:timers/promises';
import type { SeededRandom } from '../soak/seeded-random.ts';
import type { HostsWorld } from './hosts-world.ts';
import type { Machine, RedisMachine } from './redis-hosts.ts';

/** One failure, perhaps with a planned failover, that the topology is meant to survive. */
export interface HostFault {
  what: string;
  /** Lets it happen, and heals it; resolves once the failed host is back. */
  happen(world: HostsWorld): Promise<string>;
}

const SHORTEST_MS = 3_000;
const LONGEST_MS = 10_000;
const FAILOVER_AFTER_MS = 1_000;

/** Who it happens to, by what they are at that moment. */
const VICTIMS = ['master', 'master', 'replica', 'sentinel', 'bot'] as const;
const KINDS = [
  ...(['isolate', 'isolate', 'split', 'split', 'split', 'one-way', 'one-way'] as const),
  ...(['kill', 'kill', 'freeze', 'freeze', 'failover', 'failover'] as const),
] as const;

/** Chooses the next fault. All random choices are made here, so a seed always leads to the same ones. */
export function nextHostFault(random: SeededRandom): HostFault {
  const kind = random.oneOf(KINDS);
  const victim = random.oneOf(VICTIMS);
  const other = random.oneOf(VICTIMS);
  const [turn, otherTurn] = [random.between(0, 11), random.between(0, 11)];
  const forMs = random.between(SHORTEST_MS, LONGEST_MS);
  const isPlannedToo = random.between(1, 3) === 1;
  const one = (world: HostsWorld) => machineOf(world, { kind: victim, turn });
  /** A planned failover besides, unless Redis itself has failed. */
  const meanwhile = async (world: HostsWorld) => {
    if (!isPlannedToo || victim === 'master' || victim === 'replica') return pause(forMs);
    await pause(FAILOVER_AFTER_MS);
    await world.redisHosts.failOver(otherTurn).catch(() => {});
    await pause(forMs - FAILOVER_AFTER_MS);
  };
  const also = isPlannedToo && victim !== 'master' && victim !== 'replica' ? ', with a planned failover' : '';
  const seconds = `${(forMs / 1_000).toFixed(1)} s`;
  switch (kind) {
    case 'isolate':
      return {
        what: `a ${victim} is cut off from everybody for ${seconds}${also}`,
        async happen(world) {
          const { host } = await one(world);
          await world.network.isolate(host);
          await meanwhile(world);
          await world.network.heal();
          return host.name;
        },
      };
    case 'split':
      return {
        what: `the master and a bot are cut off from all others for ${seconds}`,
        async happen(world) {
          const master = await machineOf(world, { kind: 'master', turn });
          const bot = await machineOf(world, { kind: 'bot', turn: otherTurn });
          const side = [master.host, bot.host];
          const rest = hostsOf(world).filter((host) => !side.includes(host));
          await world.network.split(side, rest);
          await pause(forMs);
          await world.network.heal();
          return side.map(({ name }) => name).join(' and ');
        },
      };
    case 'one-way':
      return {
        what: `what a ${victim} sends to a ${other} vanishes for ${seconds}${also}`,
        async happen(world) {
          const from = await one(world);
          const to = await machineOf(world, { kind: other, turn: otherTurn });
          if (from.host !== to.host) await world.network.cut(from.host, to.host);
          await meanwhile(world);
          await world.network.heal();
          return `${from.host.name} to ${to.host.name}`;
        },
      };
    case 'kill':
      return {
        what: `a ${victim} is killed for ${seconds}${also}`,
        async happen(world) {
          const machine = await one(world);
          await machine.kill();
          await meanwhile(world);
          await machine.restart();
          return machine.host.name;
        },
      };
    case 'freeze':
      return {
        what: `a ${victim} hangs for ${seconds}${also}`,
        async happen(world) {
          const machine = await one(world);
          machine.pause();
          await meanwhile(world);
          machine.resume();
          return machine.host.name;
        },
      };
    case 'failover':
      return {
        what: 'a planned failover',
        async happen(world) {
          await world.redisHosts.failOver(turn);
          await pause(SHORTEST_MS);
          return '';
        },
      };
  }
}

const hostsOf = ({ redisHosts, botMachines }: HostsWorld) =>
  [...redisHosts.servers, ...redisHosts.sentinels, ...botMachines].map(({ host }) => host);

async function machineOf(
  { redisHosts, botMachines }: HostsWorld,
  { kind, turn }: { kind: (typeof VICTIMS)[number]; turn: number },
): Promise<Machine> {
  const { servers, sentinels } = redisHosts;
  const masters = await redisHosts.masters();
  const isMaster = ({ host }: RedisMachine) => masters.some((master) => master.host === host);
  const replicas = servers.filter((server) => !isMaster(server));
  // Where there are no sentinels, the replicas elect with the masters.
  const all = { master: masters, replica: replicas, sentinel: sentinels.length > 0 ? sentinels : replicas };
  const among: readonly Machine[] = kind === 'bot' ? botMachines : all[kind];
  const machine = among[turn % among.length];
  if (!machine) throw new Error(`there is no ${kind}`);
  return machine;
}
