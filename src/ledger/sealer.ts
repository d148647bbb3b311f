import type { Logger } from 'pino';
import { StoreUnavailable } from '../core/ports.ts';
import type { Millis } from '../core/time.ts';
import type { RedisClient } from '../redis/call.ts';
import { enterRepeats } from '../redis/ledger/refusals.ts';
import { takeTurn } from '../redis/ledger/sealing.ts';
import { type PostText, postDaily } from './daily-post.ts';
import { deriveSigners } from './note/keys.ts';
import { printSealed } from './print-sealed.ts';
import { KnownLedger, learnLedger, sealNew } from './seal.ts';
import { UntrustedLedger } from './sealed-tree.ts';

const EVERY_MS = 60_000;
/** A process that takes its turn every minute isn't kept from it by its own last turn. */
const TURN_SHARE = 0.75;

/** What an operator should be told of. */
interface SealerState {
  /** The ledger in Redis isn't what was sealed, or can't be read: this process seals nothing. */
  isStopped: boolean;
  /** How many entries could not be sealed, in any process. */
  setAside: number;
}

interface SealerOptions {
  /** Newest first. */
  secrets: readonly string[];
  auditDays: number;
  auditLog: 'off' | 'stdout';
  /** Posts the latest checkpoint once a day, and troubles of the ledger; null if that isn't wanted. */
  post: PostText | null;
  observe?: (state: SealerState) => void;
  everyMs?: Millis;
}

export interface RunningSealer {
  /** Resolves when a seal in progress has ended. */
  stop(): Promise<void>;
}

/**
 * Seals new entries once a minute, in one of the processes that share a Redis. With nothing new, that costs each process one
 * command a minute, and one of them two others, or up to four with what is to be printed and posted.
 */
export function startSealer(redis: RedisClient, log: Logger, options: SealerOptions): RunningSealer {
  const { secrets, auditDays, auditLog, post, observe = () => {}, everyMs = EVERY_MS } = options;
  const signers = deriveSigners(secrets);
  const known = new KnownLedger();
  const state: SealerState = { isStopped: false, setAside: 0 };
  let trouble = '';

  const tellSetAside = async (setAside: number) => {
    if (setAside > state.setAside) {
      log.error({ setAside }, 'some entries of the ledger can not be sealed, and were set aside');
      await tell(
        `:warning: *Audit* – ${setAside} entries of the ledger could not be sealed, and were set aside. ${SEE}`,
      );
    }
    state.setAside = setAside;
  };

  const tell = async (text: string) => {
    try {
      await post?.(text);
    } catch (error) {
      log.warn({ err: error }, 'could not post a trouble of the ledger');
    }
  };

  /** Each trouble is told once. */
  const stopFor = async (error: unknown) => {
    if (error instanceof StoreUnavailable) {
      log.warn({ err: error }, 'could not seal the ledger; trying again in a minute');
      return;
    }
    state.isStopped = true;
    const text = String(error);
    if (text === trouble) return;
    trouble = text;
    log.error({ err: error }, 'could not seal the ledger; trying again every minute');
    if (error instanceof UntrustedLedger)
      await tell(`:rotating_light: *Audit* – The ledger is no longer sealed. ${error.message} ${SEE}`);
  };

  const learn = async () => {
    await learnLedger(redis, { signers, auditDays, known }).catch(stopFor);
    observe(state);
  };

  /** What can't be entered must not keep the rest from being sealed. */
  const enterRefusals = async () => {
    try {
      await enterRepeats(redis, { auditDays, entryKeys: signers.map(({ entryKey }) => entryKey) });
    } catch (error) {
      log.warn({ err: error }, 'could not enter how often people were refused; trying again in a minute');
    }
  };

  /** Resolves to the time of this turn, if this process has sealed in it. */
  const seal = async (): Promise<Millis | null> => {
    try {
      const turn = await takeTurn(redis, Math.floor(everyMs * TURN_SHARE));
      if (!turn.isOurs) return null;
      await tellSetAside(turn.setAside);
      await enterRefusals();
      await sealNew(redis, { signers, auditDays, known }, turn);
      trouble = '';
      state.isStopped = false;
      return turn.now;
    } catch (error) {
      await stopFor(error);
      return null;
    } finally {
      observe(state);
    }
  };

  const publish = async (now: Millis) => {
    try {
      if (auditLog === 'stdout') await printSealed(redis, log);
      if (post) await postDaily(redis, log, { post, signers, now });
    } catch (error) {
      const passes = error instanceof StoreUnavailable;
      log[passes ? 'warn' : 'error'](
        { err: error },
        'could not print or post what is sealed; trying again in a minute',
      );
    }
  };

  const tick = async () => {
    const now = await seal();
    if (now !== null) await publish(now);
  };

  let sealing = learn();
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

const SEE = 'What to do is in the README of Signoff, under *Alerts*.';
