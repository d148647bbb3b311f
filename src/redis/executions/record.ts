import { dueAt } from '../../core/due-actions.ts';
import { type Execution, RECORD_VERSION } from '../../core/execution/execution.ts';
import type { Millis } from '../../core/time.ts';
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
  return JSON.stringify(execution);
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
  const record = upgraded(ref, { ...stored, version }, upgrades);
  if (!isExecution(record) || record.ref !== ref) throw new UnreadableRecord(ref, 'it is not a whole execution');
  return record;
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

/** When a stored execution is due. @throws {UnreadableRecord} for a record that is broken deep inside */
export function dueAtOf(execution: Execution): Millis | null {
  try {
    return dueAt(execution);
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

const LISTS = ['approvals', 'tasks', 'kickoffIds', 'privateAnswers'] as const;
const PARTS = [
  'origin',
  'run',
  'kickoff',
  'progress',
  'activity',
  'poll',
  'root',
  'renderings',
  'starterNotice',
  'inputs',
] as const;

/** We wrote it ourselves, so its outline is enough to tell a record from a broken or hand-made one. */
function isExecution(record: object): record is Execution {
  const fields: Partial<Record<keyof Execution, unknown>> = record;
  return (
    fields.version === RECORD_VERSION &&
    LISTS.every((name) => Array.isArray(fields[name])) &&
    PARTS.every((name) => typeof fields[name] === 'object' && fields[name] !== null)
  );
}
