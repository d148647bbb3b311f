import type { Logger } from 'pino';
import { StoreUnavailable } from '../core/ports.ts';
import type { Millis } from '../core/time.ts';
import type { RedisClient } from '../redis/connection/call.ts';
import { takeTurn } from '../redis/ledger/sealing.ts';
import { type PostCheckpoint, postDaily } from './daily-post.ts';
import { deriveSigners } from './note/keys.ts';
import { printSealed } from './print-sealed.ts';
import { sealNew } from './seal.ts';

const EVERY_MS = 60_000;
/** A process that takes its turn every minute isn't kept from it by its own last turn. */
const TURN_SHARE = 0.75;

interface SealerOptions {
  /** Newest first. */
  secrets: readonly string[];
  auditDays: number;
  auditLog: 'off' | 'stdout';
  /** Posts the latest checkpoint once a day; null if it isn't wanted. */
  postCheckpoint: PostCheckpoint | null;
  everyMs?: Millis;
}

export interface RunningSealer {
  /** Resolves when a seal in progress has ended. */
  stop(): Promise<void>;
}

/**
 * Seals new entries once a minute, in one of the processes that share a Redis. With nothing new, that costs each process one
 * command a minute, and one of them another, or up to three with what is to be printed and posted.
 */
export function startSealer(redis: RedisClient, log: Logger, options: SealerOptions): RunningSealer {
  const { secrets, auditDays, auditLog, postCheckpoint: post, everyMs = EVERY_MS } = options;
  const signers = deriveSigners(secrets);

  const seal = async () => {
    const turn = await takeTurn(redis, Math.floor(everyMs * TURN_SHARE));
    if (!turn.isOurs) return;
    await sealNew(redis, { signers, auditDays }, turn);
    if (auditLog === 'stdout') await printSealed(redis, log);
    if (post) await postDaily(redis, log, { post, now: turn.now });
  };

  const tick = async () => {
    try {
      await seal();
    } catch (error) {
      const passes = error instanceof StoreUnavailable;
      log[passes ? 'warn' : 'error']({ err: error }, 'could not seal the ledger; trying again in a minute');
    }
  };

  let sealing = Promise.resolve();
  const timer = setInterval(() => {
    sealing = sealing.then(tick);
  }, everyMs).unref();

  return {
    async stop() {
      clearInterval(timer);
      await sealing;
    },
  };
}
