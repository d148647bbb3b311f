import { dueAt } from '../../core/due-actions.ts';
import { type Execution, RECORD_VERSION } from '../../core/execution/execution.ts';
import type { Millis } from '../../core/time.ts';
import { parseJson } from '../parse-json.ts';
import { type StoredRecord, UPGRADES, upgradeRecord } from './upgrade.ts';

/** A stored record that this version can't work with. The process goes on, and so do all other executions. */
export class UnreadableRecord extends Error {
  override name = 'UnreadableRecord';
  readonly ref: string;

  constructor(ref: string, reason: string) {
    super(`The record of execution ${ref} can't be read: ${reason}`);
    this.ref = ref;
  }
}

export function writeRecord(execution: Execution): string {
  return JSON.stringify(execution);
}

/**
 * Reads a record of this version or of an earlier one, which it brings up to this one.
 * @throws {UnreadableRecord}
 */
export function readRecord(ref: string, text: string, upgrades = UPGRADES): Execution {
  const stored = parseJson(text);
  if (typeof stored !== 'object' || stored === null) throw new UnreadableRecord(ref, 'it is not a JSON object');
  const version = 'version' in stored ? stored.version : undefined;
  if (typeof version !== 'number') throw new UnreadableRecord(ref, 'it has no version');
  if (version > RECORD_VERSION) {
    throw new UnreadableRecord(ref, `version ${version} was written by a newer Signoff than this one`);
  }
  const record = upgraded(ref, { ...stored, version }, upgrades);
  if (!isExecution(record) || record.ref !== ref) throw new UnreadableRecord(ref, 'it is not a whole execution');
  return record;
}

/** A step may fall over a record that is broken deep inside. */
function upgraded(ref: string, stored: StoredRecord, upgrades: typeof UPGRADES): StoredRecord {
  try {
    const record = upgradeRecord(stored, { to: RECORD_VERSION, upgrades });
    if (record) return record;
  } catch (error) {
    throw new UnreadableRecord(ref, `version ${stored.version} can't be upgraded: ${reasonOf(error)}`);
  }
  throw new UnreadableRecord(ref, `nothing upgrades version ${stored.version}`);
}

/** When a stored execution is due. A record that is broken deep inside is found here. */
export function dueAtOf(execution: Execution): Millis | null {
  try {
    return dueAt(execution);
  } catch (error) {
    throw new UnreadableRecord(execution.ref, reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const LISTS = ['approvals', 'tasks', 'kickoffIds'] as const;
const PARTS = ['origin', 'run', 'kickoff', 'progress', 'activity', 'poll', 'root', 'starterNotice', 'inputs'] as const;

/** We wrote it ourselves, so that the outline is enough to tell a record from what was broken or put there by hand. */
function isExecution(record: object): record is Execution {
  const fields: Partial<Record<keyof Execution, unknown>> = record;
  return (
    fields.version === RECORD_VERSION &&
    LISTS.every((name) => Array.isArray(fields[name])) &&
    PARTS.every((name) => typeof fields[name] === 'object' && fields[name] !== null)
  );
}
