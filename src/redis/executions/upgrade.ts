/** A stored record of any version, as JSON has it. */
export type StoredRecord = Fields & { version: number };

type Fields = Readonly<Record<string, unknown>>;

/** Makes a record of one version a record of the next one. Pure: it runs on every load until a change stores the result. */
export type Upgrade = (record: StoredRecord) => Fields;

/**
 * How records of earlier versions become what this version works with, by the version that they are upgraded from. A new
 * version of the record comes with its step here and with a stored record of the version before among the tests. An older
 * process beside a newer one leaves upgraded records to it, so that versions can be rolled out one process at a time.
 */
export const UPGRADES: ReadonlyMap<number, Upgrade> = new Map([[1, fromVersion1]]);

/** The record in the version `to`, by one step after the other; null where a step is missing. */
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

/** Version 2 only names things differently. */
function fromVersion1({ chain, notice, origin, ...kept }: StoredRecord): Fields {
  const renamed = { ...kept, kickoffIds: chain, starterNotice: notice, origin: renamedHold(origin) };
  return fieldsOf(renamedStatus(renamed)) ?? renamed;
}

function renamedHold(origin: unknown): unknown {
  const { hold, ...kept } = fieldsOf(origin) ?? {};
  return hold === undefined ? origin : { ...kept, adoptionHold: hold };
}

/** `owed` was the status of every kickoff, notice and message that is `due` now, and of nothing that people typed. */
function renamedStatus(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamedStatus);
  const fields = fieldsOf(value);
  if (!fields) return value;
  const entries = Object.entries(fields).map(([key, each]) => [
    key,
    key === 'inputs' ? each : key === 'status' && each === 'owed' ? 'due' : renamedStatus(each),
  ]);
  return Object.fromEntries(entries);
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : null;
}
