import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { StoreUnavailable } from '../../core/ports.ts';
import { backoffMs, durationInWords, MINUTE_MS, type Millis } from '../../core/values/time.ts';
import type { RedisClient } from '../../redis/call.ts';
import {
  changeSinkTold,
  endSinkTurn,
  failSinkTurn,
  moveSink,
  planForSink,
  readSinkLag,
  type SinkTurn,
  takeSinkTurn,
} from '../../redis/ledger/sink.ts';
import { deriveSigners } from '../checkpoint.ts';
import { entriesInWords, type PostText, SEE } from '../sealer.ts';
import { type Batch, readBatch } from './batch.ts';
import { inWords, type Outcome, type Receiver } from './receiver.ts';

// What runs beside the sealer: it sends each sealed entry to the sink, in the order in which they were sealed, until the sink has
// taken it. Nothing else waits for that.

const EVERY_MS = 60_000;
/** A sink that is away is tried again after a twelfth of that, then after twice as long, and at last once in that time. */
const FIRST_SHARE = 1 / 12;

/** How long nothing gets through before people are told. */
const LONG_MS = 15 * MINUTE_MS;

interface SinkOptions {
  receiver: Receiver;
  /** Newest first. */
  secrets: readonly string[];
  auditDays: number;
  /** Posts where people keep it; null if that isn't wanted. */
  post: PostText | null;
  everyMs?: Millis | undefined;
}

/**
 * Sends what is sealed, from the first entry that is still there, in one of the processes that share a Redis. Each entry is sent at
 * least once: again only where a process died, or the sink didn't say that it took it. With nothing new, that costs each process
 * one command a minute.
 */
export function startSink(
  redis: RedisClient,
  log: Logger,
  { receiver, secrets, auditDays, post, everyMs = EVERY_MS }: SinkOptions,
) {
  const keys = deriveSigners(secrets);
  const { id: sink, host, mostBytes } = receiver;
  const sender = { sink, holder: randomUUID() };
  const stopping = new AbortController();
  const { signal } = stopping;
  let trouble = '';

  /** Sends all that there is. Resolves to how long to wait before the next look. */
  const work = async (): Promise<Millis> => {
    try {
      let turn = await take();
      if (turn === null) return everyMs;
      for (; turn !== null; turn = await take()) {
        if (turn.sent === turn.size) {
          await tellThatItIsOver();
          break;
        }
        const failed = await sendNext(turn);
        if (failed !== null && !signal.aborted) return await fail(turn, failed);
      }
      await endSinkTurn(redis, sender);
    } catch (error) {
      log.error({ err: error }, 'could not work for AUDIT_SINK; trying again in a minute');
    }
    return everyMs;
  };

  const take = async () => (signal.aborted ? null : takeSinkTurn(redis, sender));

  /** Resolves to what is wrong; null if nothing is. */
  const sendNext = async ({ sent: from, begin, plan }: SinkTurn): Promise<string | null> => {
    let batch: Batch;
    try {
      batch = await readBatch(redis, { keys, from, plan, mostBytes });
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      return `the ledger can't be read: ${error instanceof Error ? error.message : 'unknown'}`;
    }
    const { until, note, absent, records } = batch;
    if (until !== plan?.until && !(await planForSink(redis, sender, { from, until, note }))) return null;
    const outcome: Outcome = records.length === 0 ? { kind: 'taken' } : await receiver.send(batch, signal);
    if (outcome.kind !== 'taken') return `it ${inWords(outcome)}`;
    const missed = absent.filter((leaf) => leaf >= begin).length;
    if ((await moveSink(redis, sender, { from, until, missed })) && missed > 0)
      log.error({ sink: host, missed }, 'entries of the ledger were gone before AUDIT_SINK took them');
    return null;
  };

  const fail = async ({ tries }: SinkTurn, why: string): Promise<Millis> => {
    const retryMs = backoffMs(tries, { firstMs: Math.ceil(everyMs * FIRST_SHARE), mostMs: everyMs });
    const failingMs = await failSinkTurn(redis, sender, retryMs);
    if (why !== trouble) log.warn({ sink: host, why }, 'could not send the ledger to AUDIT_SINK; trying again');
    trouble = why;
    if (failingMs >= LONG_MS) await tellOfTrouble(why, failingMs);
    return retryMs;
  };

  const tellOfTrouble = async (why: string, failingMs: Millis) => {
    if (!(await changeSinkTold(redis, sink, 'trouble'))) return;
    const { unsent } = await readSinkLag(redis, sink, auditDays);
    log.error({ sink: host, why, unsent }, 'AUDIT_SINK has taken nothing for a long time; trying again every minute');
    const time = durationInWords(failingMs - (failingMs % MINUTE_MS));
    const text = `:warning: *Audit* – AUDIT_SINK (${host}) has taken nothing for ${time}: ${why}. Unsent: ${entriesInWords(unsent)}, each kept for ${auditDays} days. ${SEE}`;
    if (!(await posted(text))) await changeSinkTold(redis, sink, 'over');
  };

  const tellThatItIsOver = async () => {
    trouble = '';
    if (!(await changeSinkTold(redis, sink, 'over'))) return;
    log.info({ sink: host }, 'AUDIT_SINK has taken all that waited');
    const text = `:white_check_mark: *Audit* – AUDIT_SINK (${host}) takes entries again, and has got all that waited.`;
    if (!(await posted(text))) await changeSinkTold(redis, sink, 'trouble');
  };

  const posted = async (text: string) => {
    try {
      await post?.(text);
      return true;
    } catch (error) {
      log.warn({ err: error }, 'could not post a message about AUDIT_SINK; trying again');
      return false;
    }
  };

  const run = async () => {
    while (!signal.aborted) {
      const waitMs = await work();
      await pause(waitMs, null, { signal, ref: false }).catch(() => {});
    }
  };

  const running = run();
  return {
    /** Gives up what is being sent, which is sent again later. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
      await receiver.close();
    },
  };
}
