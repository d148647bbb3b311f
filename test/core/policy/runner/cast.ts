import type { Account } from '../../../../src/core/policy/permits.ts';
import type { Person } from '../../../../src/core/state/request.ts';
import { account } from '../../../support/requests.ts';

/** Everybody in the table, by the name that they have there; who they are is also what Slack says of them at first. */
const CAST: Record<string, Partial<Account>> = {
  // In @leads, and in the channel of the card.
  Maria: {},
  Tom: {},
  // In @leads, @legal and @security.
  Lea: {},
  // Started the run, and is in @leads, too.
  Sam: { identities: ['USAM', 'sam@example.com'] },
  // In @heads.
  Olga: {},
  // Anna is in @legal; Carl is in @security, and in the channel of the card.
  Anna: {},
  Carl: {},
  // All of these are in @leads, too, and in the channel.
  Guest: { isGuest: true },
  Stranger: { isStranger: true },
  Robot: { isBot: true },
  Leaver: { isDeactivated: true },
  // Further accounts of Sam and Maria.
  Sam2: { identities: ['USAM2', 'sam@example.com'] },
  Maria2: { identities: ['UMARIA2', 'UMARIA'] },
};

const GROUPS: Record<string, string[]> = {
  '@leads': ['Maria', 'Tom', 'Lea', 'Sam', 'Guest', 'Stranger', 'Robot', 'Leaver', 'Sam2', 'Maria2'],
  '@heads': ['Olga'],
  '@legal': ['Anna', 'Lea'],
  '@security': ['Carl', 'Lea'],
  '@nobody': [],
  channel: ['Maria', 'Carl', 'Guest', 'Stranger', 'Robot', 'Leaver'],
  'maria@example.com': ['Maria'],
  'guest@example.com': ['Guest'],
  'tom@example.com': ['Tom'],
  'nobody@example.com': [],
};

export function person(name: string): Person {
  if (!(name in CAST)) throw new Error(`Nobody is called "${name}".`);
  return { id: `U${name.toUpperCase()}`, name };
}

export const SAM = person('Sam');

export function accountsAtFirst(): Record<string, Account | null> {
  const all = Object.entries(CAST).map(([name, change]) => [person(name).id, account(person(name).id, change)]);
  return Object.fromEntries(all);
}

export function membersAtFirst(): Record<string, ReadonlySet<string> | null> {
  const all = Object.entries(GROUPS).map(([group, names]) => [group, new Set(names.map((name) => person(name).id))]);
  return Object.fromEntries(all);
}
