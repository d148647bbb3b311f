import type { Facts } from '../../../../src/core/policy/permits.ts';
import type { CrewPolicy } from '../../../../src/core/policy/policy.ts';
import type { Truth } from './truth.ts';

/** How old facts may be when they are looked up, and how much later the change that rests on them may be stored. */
export const FACTS_MS = 60_000;
export const STORE_MS = 5_000;

interface Known<Value> {
  value: Value;
  at: number;
}

/** One process of the bot: the policy that it was started with, and what it has found out. */
export interface Process {
  policy: CrewPolicy;
  accounts: ReadonlyMap<string, Known<Facts['accounts'][string]>>;
  members: ReadonlyMap<string, Known<ReadonlySet<string>>>;
}

export function processWith(policy: CrewPolicy): Process {
  return { policy, accounts: new Map(), members: new Map() };
}

/** What a process knows about these people and all groups, which it looks up if it knew it too long ago. */
export function lookUp(
  process: Process,
  { people, truth, now }: { people: readonly string[]; truth: Truth; now: number },
) {
  const accounts = refreshed(process.accounts, { names: people, now }, (id) =>
    truth.untold.has(id) ? null : truth.accounts[id],
  );
  const groups = Object.keys(truth.members);
  const members = refreshed(process.members, { names: groups, now }, (name) =>
    truth.untold.has(name) ? null : truth.members[name],
  );
  const facts: Facts = {
    accounts: Object.fromEntries(people.map((id) => [id, accounts.get(id)?.value ?? null])),
    members: Object.fromEntries(groups.map((name) => [name, members.get(name)?.value ?? null])),
    connected: null,
  };
  return { process: { ...process, accounts, members }, facts };
}

/** A look-up that failed is forgotten at once. */
function refreshed<Value>(
  known: ReadonlyMap<string, Known<Value>>,
  { names, now }: { names: readonly string[]; now: number },
  tell: (name: string) => Value | null | undefined,
): ReadonlyMap<string, Known<Value>> {
  const fresh = new Map([...known].filter(([, { at }]) => now - at < FACTS_MS));
  for (const name of names.filter((each) => !fresh.has(each))) {
    const value = tell(name);
    if (value !== null && value !== undefined) fresh.set(name, { value, at: now });
  }
  return fresh;
}
