// The lease by which only one service at a time works on a Redis prefix.
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';

/** The right of one service to work on what is stored under a prefix. */
export interface Lease {
  /** Resolves if another service has taken it, which can only happen after this one couldn't renew it in time. */
  readonly lost: Promise<Error>;
  release(): Promise<void>;
}

type Holder = ProcessIdentity & { readonly id: string; readonly since: string };

const LEASE_MS = 10_000;
const RENEWED_EVERY_MS = 2_500;

/**
 * Takes the lease. If another service has it that may no longer run, this waits until its lease runs out or is renewed;
 * from a process of this machine that has ended, the lease is taken at once.
 * Rejects if another service works with this prefix.
 */
export async function takeLease(redis: Redis, prefix: string, logger: Logger): Promise<Lease> {
  const holder: Holder = { id: randomUUID(), since: new Date().toISOString(), ...thisProcess() };
  const mine = JSON.stringify(holder);
  const keys = [`${prefix}lease`, `${prefix}lease-number`] as const;
  const number = await taken();
  let isRenewing = false;
  let report: (error: Error) => void = () => {};
  const lost = new Promise<Error>((resolve) => {
    report = resolve;
  });
  const timer = setInterval(renew, RENEWED_EVERY_MS);
  redis.on('ready', renew);

  async function taken(): Promise<number> {
    let endedHolder = '';
    let lastTtlMs = Number.POSITIVE_INFINITY;
    for (;;) {
      const answer = await redis.eval(TAKE, 2, ...keys, mine, LEASE_MS, endedHolder);
      if (!Array.isArray(answer)) return Number(answer);
      const [text, ttlMs] = answer;
      const other = storedHolder(text);
      if (hasEnded(other)) endedHolder = text;
      else if (isRunningBeside(other, holder) || ttlMs > lastTtlMs) throw new Error(heldBy(other, prefix));
      else await pause(Math.min(ttlMs + 1, 500));
      lastTtlMs = ttlMs;
    }
  }

  async function renew(): Promise<void> {
    if (isRenewing) return;
    isRenewing = true;
    try {
      const renewed = await redis.eval(RENEW, 2, ...keys, mine, LEASE_MS, number);
      if (renewed !== 1) report(new Error(`Another crew service has taken over the Redis prefix "${prefix}".`));
    } catch (error) {
      logger.debug({ error: String(error) }, 'lease not renewed');
    } finally {
      isRenewing = false;
    }
  }

  return {
    lost,
    async release() {
      clearInterval(timer);
      redis.off('ready', renew);
      await redis.eval(RELEASE, 1, keys[0], mine);
    },
  };
}

/** Returns true if the other service runs in this very process, where only renewals tell of it. */
function isRunningBeside(other: Holder, { pid, pidSpace }: Holder): boolean {
  return other.pidSpace === pidSpace && other.pid !== pid;
}

function heldBy({ host, pid, since }: Holder, prefix: string): string {
  return (
    `Another crew service works with the Redis prefix "${prefix}": process ${pid} on ${host}, since ${since}. ` +
    'Stop it, or give this one a Redis of its own.'
  );
}

// Unchecked cast: only this file writes the lease.
function storedHolder(text: string): Holder {
  return JSON.parse(text);
}

// Each new holder gets the next number, so that one that was away too long learns of another in between, even if that
// one has ended.
// KEYS: lease, number. ARGV: new holder, ttl in ms, holder that has ended ('' = none).
// Returns the number, or the other holder and for how many ms it still has the lease.
const TAKE = `
  local holder = redis.call('GET', KEYS[1])
  if holder and holder ~= ARGV[3] then return { holder, redis.call('PTTL', KEYS[1]) } end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return redis.call('INCR', KEYS[2])`;

// A lease without a holder is taken again, unless another one had it meanwhile. All keys may have been removed.
// KEYS: lease, number. ARGV: holder, ttl in ms, its number. Returns 1, or 0 if the lease is lost.
const RENEW = `
  local holder = redis.call('GET', KEYS[1])
  if holder and holder ~= ARGV[1] then return 0 end
  if (redis.call('GET', KEYS[2]) or ARGV[3]) ~= ARGV[3] then return 0 end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  redis.call('SET', KEYS[2], ARGV[3])
  return 1`;

// KEYS: lease. ARGV: holder.
const RELEASE = `
  if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
  return 1`;

/** Names a process so that another one on the same machine can tell whether it still runs. */
type ProcessIdentity = {
  readonly host: string;
  readonly pid: number;
  /** The space in which `pid` has this meaning: a machine since its last start, or one of its containers. */
  readonly pidSpace: string;
  /** In the kernel's clock ticks, as a later process may get the same `pid`; undefined where that can't be read. */
  readonly startedAtTick: string | undefined;
};

function thisProcess(): ProcessIdentity {
  const startedAtTick = statOf(process.pid)?.startedAtTick;
  return { host: hostname(), pid: process.pid, pidSpace: pidSpace(), startedAtTick };
}

/** Returns true if a process has ended, as far as this one can know: it can't know of a process elsewhere. */
function hasEnded({ pid, startedAtTick, ...other }: ProcessIdentity): boolean {
  if (other.pidSpace !== pidSpace()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
  const now = statOf(pid);
  if (now === undefined || startedAtTick === undefined) return false;
  // A zombie has ended, but nobody has asked how.
  return now.state === 'Z' || now.startedAtTick !== startedAtTick;
}

/** Linux only; elsewhere the name of the host has to do. */
function pidSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** Linux only. The name in front may contain spaces: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function statOf(pid: number): { state: string | undefined; startedAtTick: string | undefined } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: afterName[0], startedAtTick: afterName[19] };
  } catch {
    return undefined;
  }
}
