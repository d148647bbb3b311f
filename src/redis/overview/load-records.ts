import { z } from 'zod';
import type { Execution } from '../../core/execution/execution.ts';
import { answerDeadline, defineScript, type RedisClient, runScript } from '../call.ts';
import { recordKeys } from '../keys.ts';
import type { LocalState } from '../local-state.ts';
import { WRITE_ID_LENGTH } from '../local-state.ts';
import { readRecord, UnreadableRecord } from '../record.ts';

/** A script answers some 50 kB, and parsing that doesn't hold up a click. */
const BATCH = 24;

const LOAD_RECORDS = defineScript(
  'load-records',
  z.array(z.string().nullable()),
  `
  -- KEYS: records.
  -- Returns each of them (nil = absent).
  local records = {}
  for i, key in ipairs(KEYS) do records[i] = redis.call('HGET', key, 'record') end
  return records`,
);

/** A record that is wanted as it is after this write; null for the stored one, whichever it is. */
export interface WantedRecord {
  ref: string;
  writeId: string | null;
}

/**
 * Calls back with each record of one shard, or null for one that is gone or unreadable, which the worker reports. What this
 * process holds isn't loaded again, and what is loaded isn't held: that would displace what it works on. @throws {StoreUnavailable}
 */
export async function loadRecords(
  { redis, local }: { redis: RedisClient; local: LocalState },
  wanted: readonly WantedRecord[],
  onRecord: (wanted: WantedRecord, execution: Execution | null) => void,
): Promise<void> {
  const missing = wanted.filter((each) => {
    const held = heldAfter(local, each);
    if (held) onRecord(each, held);
    return held === null;
  });
  for (const batch of inBatches(missing)) {
    const keys = batch.map(({ ref }) => recordKeys(ref).record);
    const texts = await runScript(redis, LOAD_RECORDS, { keys, until: answerDeadline() });
    batch.forEach((each, i) => {
      onRecord(each, readable(each.ref, texts[i] ?? null));
    });
  }
}

function heldAfter({ records }: LocalState, { ref, writeId }: WantedRecord): Execution | null {
  const held = writeId === null ? undefined : records.get(ref);
  return held?.writes.slice(0, WRITE_ID_LENGTH) === writeId ? (held?.execution ?? null) : null;
}

function inBatches(wanted: readonly WantedRecord[]): WantedRecord[][] {
  const count = Math.ceil(wanted.length / BATCH);
  return Array.from({ length: count }, (_, i) => wanted.slice(i * BATCH, (i + 1) * BATCH));
}

function readable(ref: string, text: string | null): Execution | null {
  if (text === null) return null;
  try {
    return readRecord(ref, text);
  } catch (error) {
    if (error instanceof UnreadableRecord) return null;
    throw error;
  }
}
