import { dueAt } from '../../core/due-actions.ts';
import { type Execution, RECORD_VERSION } from '../../core/execution/execution.ts';
import type { Millis } from '../../core/time.ts';
import { decodeExecution, encodeExecution } from './encoding/execution.ts';
import { type StoredRecord, UPGRADES, upgradeRecord } from './upgrade.ts';

/** A stored record that this version can't work with. All other executions go on. */
export class UnreadableRecord extends Error {
  override name = 'UnreadableRecord';
  readonly ref: string;

  constructor(ref: string, reason: string) {
    super(`The record of execution ${ref} can't be read: ${reason}`);
    this.ref = ref;
  }
}

export function writeRecord(execution: Execution): string {
  return JSON.stringify(encodeExecution(execution));
}

/** Reads a record of this version, or upgrades one of an earlier version. @throws {UnreadableRecord} */
export function readRecord(ref: string, text: string, upgrades = UPGRADES): Execution {
  const stored = parseJson(text);
  if (typeof stored !== 'object' || stored === null) throw new UnreadableRecord(ref, 'it is not a JSON object');
  const version = 'version' in stored ? stored.version : undefined;
  if (typeof version !== 'number') throw new UnreadableRecord(ref, 'it has no version');
  if (version > RECORD_VERSION) {
    throw new UnreadableRecord(ref, `version ${version} was written by a newer Signoff than this one`);
  }
  // Up to version 3, a record repeated the ref of its key.
  if ('ref' in stored && stored.ref !== ref) throw new UnreadableRecord(ref, 'it is not the record of this execution');
  return decoded(ref, upgraded(ref, { ...stored, version }, upgrades));
}

function decoded(ref: string, stored: StoredRecord): Execution {
  try {
    return decodeExecution(ref, stored);
  } catch (error) {
    throw new UnreadableRecord(ref, `it is not a whole execution: ${reasonOf(error)}`);
  }
}

/** An upgrade may throw on a record that is broken deep inside. */
function upgraded(ref: string, stored: StoredRecord, upgrades: typeof UPGRADES): StoredRecord {
  try {
    const record = upgradeRecord(stored, { to: RECORD_VERSION, upgrades });
    if (record) return record;
  } catch (error) {
    throw new UnreadableRecord(ref, `version ${stored.version} can't be upgraded: ${reasonOf(error)}`);
  }
  throw new UnreadableRecord(ref, `nothing upgrades version ${stored.version}`);
}

/**
 * When a stored execution is due, as `dueAt` has it; at once if it is by the time of its last entry, which Redis' clock may not
 * have reached again. @throws {UnreadableRecord} for a record that is broken deep inside
 */
export function dueAtOf(
  execution: Execution,
  { now, soonEnough }: { now: Millis; soonEnough?: Millis | undefined },
): Millis | null {
  try {
    const at = dueAt(execution, soonEnough);
    return at !== null && at <= execution.ledger.at ? Math.min(at, now) : at;
  } catch (error) {
    throw new UnreadableRecord(execution.ref, reasonOf(error));
  }
}

/** The value of a stored text; undefined if it isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
