import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { StoreUnavailable } from '../../core/ports.ts';
import { backoffMs, durationInWords, MINUTE_MS, type Millis } from '../../core/values/time.ts';
import type { RedisClient } from '../../redis/call.ts';
import {
  changeSinkNotice,
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

// Runs beside the sealer: sends each sealed entry to the sink, in the order of sealing, until the sink has taken it. Nothing
// waits for that.

const EVERY_MS = 60_000;
/** Part of EVERY_MS after which a failed sink is tried again; the pause then doubles up to EVERY_MS. */
const FIRST_SHARE = 1 / 12;

/** Time without success after which people are notified. */
const LONG_MS = 15 * MINUTE_MS;

interface SinkOptions {
  receiver: Receiver;
  /** Newest first. */
  secrets: readonly string[];
  auditDays: number;
  /** Posts to the operators; null to post nothing. */
  post: PostText | null;
  everyMs?: Millis | undefined;
}

/**
 * Sends sealed entries, from the first one that is still there, in one of the processes that share a Redis. Each entry is sent at
 * least once: again only if a process died, or the sink didn't confirm it. With nothing new, that costs each process one command
 * a minute.
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

  /** Sends everything. Resolves to the pause before the next look. */
  const work = async (): Promise<Millis> => {
    try {
      let turn = await take();
      if (turn === null) return everyMs;
      for (; turn !== null; turn = await take()) {
        if (turn.sent === turn.size) {
          await reportRecovery();
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

  /** Resolves to the reason of a failure; null after a success. */
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
    if (failingMs >= LONG_MS) await reportTrouble(why, failingMs);
    return retryMs;
  };

  const reportTrouble = async (why: string, failingMs: Millis) => {
    if (!(await changeSinkNotice(redis, sink, 'trouble'))) return;
    const { unsent } = await readSinkLag(redis, sink, auditDays);
    log.error({ sink: host, why, unsent }, 'AUDIT_SINK has taken nothing for a long time; trying again every minute');
    const time = durationInWords(failingMs - (failingMs % MINUTE_MS));
    const text = `:warning: *Audit* – AUDIT_SINK (${host}) has taken nothing for ${time}: ${why}. Unsent: ${entriesInWords(unsent)}, each kept for ${auditDays} days. ${SEE}`;
    if (!(await posted(text))) await changeSinkNotice(redis, sink, 'over');
  };

  const reportRecovery = async () => {
    trouble = '';
    if (!(await changeSinkNotice(redis, sink, 'over'))) return;
    log.info({ sink: host }, 'AUDIT_SINK has taken all that waited');
    const text = `:white_check_mark: *Audit* – AUDIT_SINK (${host}) takes entries again, and has got all that waited.`;
    if (!(await posted(text))) await changeSinkNotice(redis, sink, 'trouble');
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
    /** Aborts the batch that is being sent, which is sent again later. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
      await receiver.close();
    },
  };
}
