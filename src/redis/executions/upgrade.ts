/** A stored record of any version, as JSON has it. */
export type StoredRecord = Readonly<Record<string, unknown>> & { version: number };

/** Makes a record of one version a record of the next one. Pure, since it may run on every load until a change stores the result. */
export type Upgrade = (record: StoredRecord) => Readonly<Record<string, unknown>>;

/**
 * How records of earlier versions become what this version works with, by the version that they are upgraded from. A new
 * version of the record comes with its step here and with a stored record of the version before among the tests. An older
 * process beside a newer one leaves upgraded records to it, so that versions can be changed one process at a time.
 */
export const UPGRADES: ReadonlyMap<number, Upgrade> = new Map();

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
