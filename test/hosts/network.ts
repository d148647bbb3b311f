import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestContext } from 'vitest';
import { isRoot, onPath, run } from '../../src/setup/commands.mjs';
import type { ServerHost } from '../../src/setup/redis-process.ts';

// Hosts on this machine: each is a network namespace with an address of its own on one bridge. All that is needed is root and
// the program `ip`.

/** A machine of its own, as far as its network goes. */
export interface Host extends ServerHost {
  readonly name: string;
}

/** Hosts that reach each other until a test cuts the ways between them. */
export interface Network {
  /** The test itself: where Slack, the crews and the load balancer are. */
  readonly world: Host;
  addHost(name: string): Promise<Host>;
  /**
   * Whatever one host sends to the other vanishes from now on, also on open connections, and no error tells of it. The other
   * direction goes on.
   */
  cut(from: Host, to: Host): Promise<void>;
  /** Cuts both directions between each host of one side and each of the other. */
  split(side: readonly Host[], other: readonly Host[]): Promise<void>;
  /** Nobody reaches this host, and it reaches nobody. */
  isolate(host: Host): Promise<void>;
  /** All ways are open again. */
  heal(): Promise<void>;
  /** Removes the hosts with all that still runs there. */
  remove(): Promise<void>;
}

/** Begins the names of everything that is made, followed by the id of this process. */
const PREFIX = 'so';
const OCTETS = { from: 1, below: 255 };
const WORLD_NUMBER = 254;
/** A bot that waits for a core looks like one that waits for Redis, and two cores bear two networks full of servers. */
const MOST_NETWORKS = 2;
const LOOK_EVERY_MS = 500;
/** Nobody has this address, so the bridge hands such a packet to nobody who would take it. */
const NOBODY = '02:00:00:00:00:01';

/** Why there can be no hosts here, in a sentence; null if there can. */
async function whyNoHosts(): Promise<string | null> {
  if (!isRoot()) return 'Hosts are network namespaces, which only root can make.';
  if (onPath('ip') === undefined) return 'Hosts are network namespaces: install the program `ip` (package iproute2).';
  const name = `${PREFIX}-${process.pid}-try-${randomInt(1_000_000)}`;
  const made = await run('ip', ['netns', 'add', name]);
  if (made.ok) await run('ip', ['netns', 'del', name]);
  return made.ok ? null : `Hosts are network namespaces, which can't be made here: ${made.output.trim()}`;
}

/** Leaves a test out where there can be no hosts, and says why. */
export async function needsHosts({ skip }: Pick<TestContext, 'skip'>): Promise<void> {
  const reason = await whyNoHosts();
  if (reason === null) return;
  console.info(`A test was left out. ${reason}`);
  skip(reason);
}

/**
 * Starts with no host but the world, once few other networks are left on this machine. What a run that crashed has left behind is
 * removed first.
 */
export async function createNetwork(): Promise<Network> {
  for (;;) {
    await removeLeftBehind();
    if ((await bridges()).length < MOST_NETWORKS) break;
    await pause(LOOK_EVERY_MS);
  }
  const { bridge, octet } = await createBridge();
  const addressOf = (number: number) => `10.77.${octet}.${number}`;
  const world: Host = { name: 'world', address: addressOf(WORLD_NUMBER), command: [] };
  const hosts: Host[] = [];
  const cuts = new Map<string, readonly string[]>();
  const namespaceOf = ({ name }: Host) => `${PREFIX}-${process.pid}-${octet}-${name}`;
  const onHost = (host: Host, ...command: string[]) =>
    host === world ? ip(...command) : ip('-n', namespaceOf(host), ...command);
  const deviceOf = (host: Host) => (host === world ? bridge : 'eth0');

  async function cut(from: Host, to: Host): Promise<void> {
    // A fixed neighbour, unlike a route, leaves the address reachable, so that the sender hears of no error.
    const way = [to.address, 'dev', deviceOf(from)];
    const key = `${from.name} ${to.name}`;
    if (cuts.has(key)) return;
    cuts.set(key, way);
    await onHost(from, 'neigh', 'replace', ...way, 'lladdr', NOBODY, 'nud', 'permanent');
  }

  async function split(side: readonly Host[], other: readonly Host[]): Promise<void> {
    const pairs = side.flatMap((one) => other.map((two) => [one, two] as const));
    await Promise.all(pairs.flatMap(([one, two]) => [cut(one, two), cut(two, one)]));
  }

  return {
    world,
    async addHost(name) {
      const number = hosts.length + 1;
      const host: Host = { name, address: addressOf(number), command: [] };
      const namespace = namespaceOf(host);
      await ip('netns', 'add', namespace);
      const port = portOf(octet, number);
      await ip('link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
      await ip('link', 'set', port, 'master', bridge, 'up');
      await ip('-n', namespace, 'addr', 'add', `${host.address}/24`, 'dev', 'eth0');
      for (const device of ['lo', 'eth0']) await ip('-n', namespace, 'link', 'set', device, 'up');
      const reachable = { ...host, command: ['ip', 'netns', 'exec', namespace] };
      hosts.push(reachable);
      return reachable;
    },
    cut,
    split,
    isolate: (host) =>
      split(
        [host],
        [world, ...hosts].filter((other) => other !== host),
      ),
    async heal() {
      const healed = [...cuts];
      cuts.clear();
      await Promise.all(
        healed.map(([key, way]) => {
          const from = [world, ...hosts].find(({ name }) => key.startsWith(`${name} `));
          return from && onHost(from, 'neigh', 'del', ...way);
        }),
      );
    },
    async remove() {
      // A connection that is still to be closed keeps a namespace, and what is in it, long after its end.
      for (const [i] of hosts.entries()) await ip('link', 'del', portOf(octet, i + 1));
      for (const host of hosts.splice(0)) await removeNamespace(namespaceOf(host));
      await ip('link', 'del', bridge);
    },
  };
}

/** Makes a bridge with a subnet that no other network of this machine has. */
async function createBridge(): Promise<{ bridge: string; octet: number }> {
  for (;;) {
    const octet = randomInt(OCTETS.from, OCTETS.below);
    const bridge = `${PREFIX}-${process.pid}-${octet}`;
    const { output } = await run('ip', ['-o', '-4', 'addr']);
    if (output.includes(` 10.77.${octet}.`)) continue;
    await ip('link', 'add', bridge, 'type', 'bridge');
    await ip('addr', 'add', `10.77.${octet}.${WORLD_NUMBER}/24`, 'dev', bridge);
    await ip('link', 'set', bridge, 'up');
    return { bridge, octet };
  }
}

async function removeLeftBehind(): Promise<void> {
  const namespaces = (await run('ip', ['netns', 'list'])).output.split('\n').map((line) => line.split(' ')[0] ?? '');
  for (const name of namespaces.filter(isLeftBehind)) await removeNamespace(name);
  for (const name of (await bridges()).filter(isLeftBehind)) await run('ip', ['link', 'del', name]);
  const ports = await linksOf('veth');
  const octets = (await bridges()).map((name) => name.split('-').at(-1));
  for (const name of ports.filter((port) => !octets.includes(port.split('-')[1])))
    await run('ip', ['link', 'del', name]);
}

async function removeNamespace(name: string): Promise<void> {
  const { output } = await run('ip', ['netns', 'pids', name]);
  for (const id of output.split('\n').map(Number)) if (id > 0) endProcess(id);
  await run('ip', ['netns', 'del', name]);
}

/** Lists the bridges of all networks of such tests on this machine. */
const bridges = () => linksOf('bridge');

/** The bridge's end of the cable to a host. */
const portOf = (octet: number, host: number) => `${PREFIX}-${octet}-${host}`;

async function linksOf(type: 'bridge' | 'veth'): Promise<string[]> {
  const { output } = await run('ip', ['-o', 'link', 'show', 'type', type]);
  const names = output.split('\n').map((line) => line.split(/: |@/)[1] ?? '');
  return names.filter((name) => name.startsWith(`${PREFIX}-`));
}

/** Whether the process that made it is gone. */
function isLeftBehind(name: string): boolean {
  const [prefix, id] = name.split('-');
  return prefix === PREFIX && Number(id) > 0 && !isRunning(Number(id));
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false;
  }
}

function endProcess(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

async function ip(...command: string[]): Promise<void> {
  const { ok, output } = await run('ip', command);
  if (!ok) throw new Error(`ip ${command.join(' ')}: ${output.trim()}`);
}
