import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { RELEASE, RENEW, TAKE } from './lease-scripts.ts';
import { hasEnded, type ProcessIdentity, thisProcess } from './process-identity.ts';

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

/** Of another service in this very process, only its renewals tell. */
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
