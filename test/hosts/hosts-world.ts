import { type FaultWorld, startFaultWorld } from '../faults/fault-world.ts';
import type { PolicyName } from '../faults/policies.ts';
import { createNetwork, type Host, type Network } from './network.ts';
import { type Machine, type RedisHosts, startRedisHosts, type Topology } from './redis-hosts.ts';

/** Two bots and the servers of their Redis, each on a host of its own; Slack, the crews and the load balancer are the world. */
export interface HostsWorld extends FaultWorld {
  network: Network;
  redisHosts: RedisHosts;
  botMachines: readonly BotMachine[];
}

/** A bot on its host. */
export interface BotMachine extends Machine {
  /** What `/readyz` answers: 200, 503, or null where nothing comes back. */
  readiness(): Promise<number | null>;
}

export interface HostsOptions {
  topology: Topology;
  minReplicas: number;
  /** Of each crew, in their order. */
  policies: readonly PolicyName[];
}

const BOTS = 2;
const READYZ_MS = 3_000;

/** As many worlds at a time as two cores can bear: a bot that waits for a core looks like one that waits for Redis. */
const WORLDS = 2;
const places: Promise<void>[] = Array.from({ length: WORLDS }, () => Promise.resolve());

/** Waits its turn. Resolves to what gives the place to the next world. */
async function takePlace(): Promise<() => void> {
  const previous = places.shift();
  let leave = () => {};
  places.push(
    new Promise((resolve) => {
      leave = resolve;
    }),
  );
  await previous;
  return leave;
}

/** Resolves once Redis is whole and both bots are ready; before that, it waits until few other worlds are running. */
export async function startHostsWorld(options: HostsOptions): Promise<HostsWorld> {
  const leave = await takePlace();
  try {
    const world = await startParts(options);
    return { ...world, stop: () => world.stop().finally(leave) };
  } catch (error) {
    leave();
    throw error;
  }
}

async function startParts({ topology, minReplicas, policies }: HostsOptions): Promise<HostsWorld> {
  const network = await createNetwork();
  const ends: (() => Promise<void>)[] = [() => network.remove()];
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const redisHosts = await startRedisHosts(topology, network);
    ends.push(() => redisHosts.stop());
    const hosts: Host[] = [];
    for (let n = 1; n <= BOTS; n++) hosts.push(await network.addHost(`bot-${n}`));
    const world = await startFaultWorld({
      ...{ policies, crewChannels: policies.length, bots: BOTS, balance: 'in-turn' },
      hosts: { world: network.world, bots: hosts },
      env: { REDIS_URL: redisHosts.url, REDIS_MIN_REPLICAS: String(minReplicas) },
    });
    ends.push(() => world.stop());
    const botMachines = hosts.map((host, i) => machineOf(world, host, i));
    await Promise.all(world.bots.map((bot) => bot.start()));
    return { ...world, network, redisHosts, botMachines, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function machineOf({ bots, addresses }: FaultWorld, host: Host, index: number): BotMachine {
  const bot = bots[index];
  if (!bot) throw new RangeError(`there is no bot ${index}`);
  return {
    host,
    kill: () => bot.kill(),
    restart: () => bot.start(),
    pause: () => bot.signal('SIGSTOP'),
    resume: () => bot.signal('SIGCONT'),
    readiness: () =>
      fetch(`${addresses[index]}/readyz`, { signal: AbortSignal.timeout(READYZ_MS) }).then(
        ({ status }) => status,
        () => null,
      ),
  };
}
