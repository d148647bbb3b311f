import { type FaultWorld, startFaultWorld } from '../faults/fault-world.ts';
import type { PolicyName } from '../faults/policies.ts';
import { createNetwork, type Host, type Network } from './network.ts';
import { type Machine, type RedisHosts, startRedisHosts, type Topology } from './redis-hosts.ts';

/** Two bots and the servers of their Redis, each on a host of its own; Slack, the crews and the load balancer are the world. */
export interface HostsWorld extends FaultWorld {
  network: Network;
  redisHosts: RedisHosts;
  botMachines: readonly BotMachine[];
  minReplicas: number;
}

/** A bot on its host. */
export interface BotMachine extends Machine {
  /** Resolves to the status of `/readyz`: 200, 503, or null where nothing comes back. */
  readiness(): Promise<number | null>;
}

export interface HostsOptions {
  topology: Topology;
  minReplicas: number;
  /** One for each crew, in their order. */
  policies: readonly PolicyName[];
}

const BOTS = 2;
const READYZ_MS = 3_000;

/** Resolves once Redis is whole and both bots are ready. */
export async function startHostsWorld({ topology, minReplicas, policies }: HostsOptions): Promise<HostsWorld> {
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
    return { ...world, network, redisHosts, botMachines, minReplicas, stop };
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
