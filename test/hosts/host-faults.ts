import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import type { SeededRandom } from '../soak/seeded-random.ts';
import type { HostsWorld } from './hosts-world.ts';
import type { Host } from './network.ts';
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

/** The roles by which faults choose their victims. */
const VICTIMS = ['master', 'master', 'replica', 'sentinel', 'bot'] as const;
const KINDS = [
  ...(['isolate', 'die', 'split', 'split', 'split', 'one-way', 'one-way'] as const),
  ...(['kill', 'freeze', 'freeze', 'failover', 'failover'] as const),
] as const;

/** Chooses the next fault. All random choices are made here, so a seed always leads to the same ones. */
export function nextHostFault(random: SeededRandom): HostFault {
  const kind = random.oneOf(KINDS);
  const victim = random.oneOf(VICTIMS);
  const other = random.oneOf(VICTIMS);
  const [turn, otherTurn] = [random.between(0, 11), random.between(0, 11)];
  const forMs = random.between(SHORTEST_MS, LONGEST_MS);
  const isPlannedToo = random.between(1, 3) === 1 && victim !== 'master' && victim !== 'replica';
  const one: Victim = { kind: victim, turn };
  const two: Victim = { kind: other, turn: otherTurn };
  const lasting: Lasting = { forMs, failover: isPlannedToo ? otherTurn : null };
  switch (kind) {
    case 'isolate':
      return isolation(one, lasting);
    case 'die':
      return death(one, lasting);
    case 'split':
      return split({ kind: 'bot', turn: otherTurn }, { ...lasting, failover: null });
    case 'one-way':
      return oneWayCut(one, two, lasting);
    case 'kill':
      return kill(one, lasting);
    case 'freeze':
      return freeze(one, lasting);
    case 'failover':
      return plannedFailover(turn);
  }
}

/** A machine, by its role when the fault happens; `turn` chooses among several. */
export interface Victim {
  kind: (typeof VICTIMS)[number];
  turn: number;
}

interface Lasting {
  forMs: number;
  /** Chooses the master that is replaced by an operator meanwhile; null for none. */
  failover: number | null;
}

function isolation(victim: Victim, lasting: Lasting): HostFault {
  return {
    what: `a ${victim.kind} is cut off from everybody${wordsOf(lasting)}`,
    async happen(world) {
      const { host } = await machineOf(world, victim);
      await world.network.isolate(host);
      await lasts(world, lasting);
      await world.network.heal();
      return host.name;
    },
  };
}

/** No connection is closed, and what is on its disk comes back. */
export function death(victim: Victim, lasting: Lasting): HostFault {
  return {
    what: `the host of a ${victim.kind} dies${wordsOf(lasting)}`,
    async happen(world) {
      const machine = await machineOf(world, victim);
      await world.network.isolate(machine.host);
      await machine.kill();
      await lasts(world, lasting);
      await world.network.heal();
      await machine.restart();
      return machine.host.name;
    },
  };
}

function split(bot: Victim, lasting: Lasting): HostFault {
  return {
    what: `a master and a bot are cut off from all others but the world${wordsOf(lasting)}`,
    async happen(world) {
      const side = await Promise.all([machineOf(world, { ...bot, kind: 'master' }), machineOf(world, bot)]);
      await cutOff(
        world,
        side.map(({ host }) => host),
      );
      await lasts(world, lasting);
      await world.network.heal();
      return side.map(({ host }) => host.name).join(' and ');
    },
  };
}

/** Cuts some hosts off from all others, but not from the world. */
export function cutOff(world: HostsWorld, side: readonly Host[]): Promise<void> {
  const rest = hostsOf(world).filter((host) => !side.includes(host));
  return world.network.split(side, rest);
}

function oneWayCut(one: Victim, two: Victim, lasting: Lasting): HostFault {
  return {
    what: `what a ${one.kind} sends to a ${two.kind} vanishes${wordsOf(lasting)}`,
    async happen(world) {
      const [from, to] = await Promise.all([machineOf(world, one), machineOf(world, two)]);
      if (from.host !== to.host) await world.network.cut(from.host, to.host);
      await lasts(world, lasting);
      await world.network.heal();
      return `${from.host.name} to ${to.host.name}`;
    },
  };
}

function kill(victim: Victim, lasting: Lasting): HostFault {
  return {
    what: `a ${victim.kind} is killed${wordsOf(lasting)}`,
    async happen(world) {
      const machine = await machineOf(world, victim);
      await machine.kill();
      await lasts(world, lasting);
      await machine.restart();
      return machine.host.name;
    },
  };
}

function freeze(victim: Victim, lasting: Lasting): HostFault {
  return {
    what: `a ${victim.kind} hangs${wordsOf(lasting)}`,
    async happen(world) {
      const machine = await machineOf(world, victim);
      machine.pause();
      await lasts(world, lasting);
      machine.resume();
      return machine.host.name;
    },
  };
}

export function plannedFailover(turn: number): HostFault {
  return {
    what: 'a planned failover',
    async happen(world) {
      const hasHappened = await world.redisHosts.failOver(turn);
      await pause(SHORTEST_MS);
      return hasHappened ? 'nobody failed' : 'the failover was given up';
    },
  };
}

async function lasts(world: HostsWorld, { forMs, failover }: Lasting): Promise<void> {
  if (failover === null) return pause(forMs);
  await pause(FAILOVER_AFTER_MS);
  // Refused where the failure keeps the servers from it.
  const failingOver = world.redisHosts.failOver(failover).catch(() => false);
  await pause(forMs - FAILOVER_AFTER_MS);
  await failingOver;
}

function wordsOf({ forMs, failover }: Lasting): string {
  return ` for ${(forMs / 1_000).toFixed(1)} s${failover === null ? '' : ', with a planned failover'}`;
}

const hostsOf = ({ redisHosts, botMachines }: HostsWorld) =>
  [...redisHosts.servers, ...redisHosts.sentinels, ...botMachines].map(({ host }) => host);

export async function machineOf({ redisHosts, botMachines }: HostsWorld, { kind, turn }: Victim): Promise<Machine> {
  const { servers, sentinels } = redisHosts;
  // On a busy machine, servers may have taken the master for dead by themselves.
  const masters = await eventually(
    async () => {
      const found = await redisHosts.masters();
      return found.length > 0 ? found : undefined;
    },
    async () => 'there is no master',
  );
  const isMaster = ({ host }: RedisMachine) => masters.some((master) => master.host === host);
  const replicas = servers.filter((server) => !isMaster(server));
  // Where there are no sentinels, the replicas elect with the masters.
  const all = { master: masters, replica: replicas, sentinel: sentinels.length > 0 ? sentinels : replicas };
  const among: readonly Machine[] = kind === 'bot' ? botMachines : all[kind];
  const machine = among[turn % among.length];
  if (!machine) throw new Error(`there is no ${kind}`);
  return machine;
}
