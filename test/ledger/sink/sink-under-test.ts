import pino, { type Logger } from 'pino';
import { onTestFinished } from 'vitest';
import { sealNew } from '../../../src/ledger/seal.ts';
import { createReceiver } from '../../../src/ledger/sink/create-receiver.ts';
import type { SinkSettings } from '../../../src/ledger/sink/receiver.ts';
import { startSink } from '../../../src/ledger/sink/sink.ts';
import type { RedisClient } from '../../../src/redis/call.ts';
import { sinkKey, treeKey } from '../../../src/redis/keys.ts';
import { AUDIT_DAYS, SECRET, signers } from '../ledger-under-test.ts';

export const silent = pino({ level: 'silent' });

export const webhookAt = (url: string): SinkSettings => ({ kind: 'webhook', url });

export const receiverOf = (settings: SinkSettings, secrets = [SECRET]) =>
  createReceiver(settings, { secrets, auditDays: AUDIT_DAYS });

/** Where Redis has how far a sink has got. */
export const stateKeyOf = (settings: SinkSettings) => sinkKey(receiverOf(settings).id);

interface Started {
  log?: Logger;
  secrets?: string[];
  post?: ((text: string) => Promise<void>) | null;
  /** How long a request may take. */
  answerMs?: number;
  everyMs?: number;
}

/** Sends as one process of the bot does, but looks more often. Stops with the test. */
export function startSending(redis: RedisClient, settings: SinkSettings, started: Started = {}) {
  const { log = silent, secrets = [SECRET], post = null, answerMs, everyMs = 20 } = started;
  const receiver = createReceiver(settings, { secrets, auditDays: AUDIT_DAYS, ...(answerMs && { answerMs }) });
  const sink = startSink(redis, log, { receiver, secrets, auditDays: AUDIT_DAYS, post, everyMs });
  onTestFinished(() => sink.stop());
  return sink;
}

export const seal = (redis: RedisClient) => sealNew(redis, { signers, auditDays: AUDIT_DAYS });

/** Whether a sink has been sent all that is sealed. */
export async function isUpToDate(redis: RedisClient, settings: SinkSettings): Promise<boolean> {
  const [sent, size] = [await redis.hget(stateKeyOf(settings), 'sent'), await redis.hget(treeKey, 'size')];
  return size !== null && sent === size;
}

/** A log, and what it has written. */
export function logging() {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
  return { log, lines, messages: () => lines.map((line) => JSON.parse(line).msg) };
}
