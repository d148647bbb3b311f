import type { Approval } from '../../core/approval/approval.ts';
import { NO_TIMES } from '../../core/approval/approval.ts';
import type { Execution } from '../../core/execution/execution.ts';
import { NO_ENTRIES } from '../../core/ledger/entry.ts';
import { NO_STEP } from '../../core/messages/private-answers.ts';
import { encodeExecution } from './encoding/execution.ts';

/** A stored record of any version, as parsed JSON. */
export type StoredRecord = Fields & { version: number };

type Fields = Readonly<Record<string, unknown>>;

/** Turns a record of one version into one of the next. Pure: it runs on every load until a change stores the result. */
export type Upgrade = (record: StoredRecord) => Fields;

/**
 * The upgrades by the version they start from. A new record version adds its step here, and a stored record of the version
 * before it to the tests. An older process leaves upgraded records to the newer ones beside it, so versions can be rolled
 * out one process at a time.
 */
export const UPGRADES: ReadonlyMap<number, Upgrade> = new Map([
  [1, fromVersion1],
  [2, fromVersion2],
  [3, fromVersion3],
  [4, fromVersion4],
  [5, fromVersion5],
  [6, fromVersion6],
  [7, fromVersion7],
]);

/** The record in the version `to`; null if an upgrade on the way is missing. */
export function upgradeRecord(
  record: StoredRecord,
  { to, upgrades }: { to: number; upgrades: ReadonlyMap<number, Upgrade> },
): StoredRecord | null {
  let current = record;
  while (current.version < to) {
    const upgrade = upgrades.get(current.version);
    if (!upgrade) return null;
    current = { ...upgrade(current), version: current.version + 1 };
  }
  return current;
}

/** Version 2 only renamed things. */
function fromVersion1({ chain, notice, origin, ...kept }: StoredRecord): Fields {
  const renamed = { ...kept, kickoffIds: chain, starterNotice: notice, origin: renamedHold(origin) };
  // Kickoffs, starter notices and messages were `owed` instead of `due`.
  const due = mapFields(renamed, (fields) => (fields.status === 'owed' ? { ...fields, status: 'due' } : fields));
  return fieldsOf(due) ?? renamed;
}

/**
 * Version 3 has plainer messages, private answers, and claims that say whose they are. The claims of version 2 just wait for
 * their end.
 */
function fromVersion2(record: StoredRecord): Fields {
  const claimed = mapFields({ ...record, renderings: {}, privateAnswers: [] }, (fields) =>
    fields.status === 'sending' || fields.status === 'posting' ? { ...fields, claim: null } : fields,
  );
  return fieldsOf(claimed) ?? record;
}

/** Version 4 says the same in fewer bytes. */
function fromVersion3(record: StoredRecord): Fields {
  if (!isWhole(record)) throw new TypeError('it is not a whole execution');
  const without = {
    limitsMet: [],
    followUp: null,
    expiry: null,
    missingCrew: null,
    ledger: NO_ENTRIES,
    ledgerEvents: [],
    taskNames: [],
  };
  const privateAnswers = record.privateAnswers.map((answer) => ({ ...answer, next: NO_STEP }));
  return encodeExecution({ ...record, privateAnswers, approvals: record.approvals.map(asked), ...without });
}

function asked(approval: Approval): Approval {
  return {
    ...approval,
    isInLedger: false,
    followUp: null,
    votes: [],
    takenBack: 0,
    handedOver: [],
    alerts: [],
    mentioned: null,
    directMessages: { status: 'listed', list: [] },
    keepsText: false,
    times: NO_TIMES,
  };
}

/** Version 5 has votes, times and the ledger, all of which are left out where there are none. Earlier requests aren't in it. */
function fromVersion4(record: StoredRecord): Fields {
  if (!Array.isArray(record.ap)) return record;
  return { ...record, ap: record.ap.map((approval) => ({ ...fieldsOf(approval), le: false })) };
}

/** Version 6 knows whom a card mentions, direct messages, texts to attach and its own end, none of which there was before. */
function fromVersion5(record: StoredRecord): Fields {
  if (!Array.isArray(record.ap)) return record;
  return { ...record, ap: record.ap.map((approval) => ({ ...fieldsOf(approval), me: null })) };
}

/** Version 7 knows until when something is handed over, and where direct messages are, neither of which was stored before. */
function fromVersion6(record: StoredRecord): Fields {
  return record;
}

/** Version 8 knows the names of tasks by their ids, which weren't stored before. */
function fromVersion7(record: StoredRecord): Fields {
  return record;
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
function isWhole(record: object): record is Execution {
  const fields: Partial<Record<keyof Execution, unknown>> = record;
  return (
    LISTS.every((name) => Array.isArray(fields[name])) &&
    PARTS.every((name) => typeof fields[name] === 'object' && fields[name] !== null)
  );
}

function renamedHold(origin: unknown): unknown {
  const { hold, ...kept } = fieldsOf(origin) ?? {};
  return hold === undefined ? origin : { ...kept, adoptionHold: hold };
}

/** Changes every object in a record but what people typed. */
function mapFields(value: unknown, change: (fields: Fields) => Fields): unknown {
  if (Array.isArray(value)) return value.map((each) => mapFields(each, change));
  const fields = fieldsOf(value);
  if (!fields) return value;
  const entries = Object.entries(fields).map(([key, each]) => [key, key === 'inputs' ? each : mapFields(each, change)]);
  return change(Object.fromEntries(entries));
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : null;
}
