import type { Crew } from '../../../../../src/core/policy/crew.ts';
import type { Account } from '../../../../../src/core/policy/permits.ts';
import { type Approver, DEFAULT_POLICY } from '../../../../../src/core/policy/policy.ts';
import type { Directory } from '../../../../../src/core/ports.ts';
import { crew } from '../../../../crew/crew-values.ts';
import { account } from '../../../../support/requests.ts';

export const CHANNEL = 'C0ROOM001';

/** The person who may decide, the one who has voted, and the one who may start. */
export const APPROVER = 'UAPPROVER';
export const VOTER = 'UVOTER001';
export const KICKER = 'UKICKER01';
/** Who started all runs. */
export const STARTER = 'USTARTER1';

/** What Slack says about those who may neither decide nor start anything, although the policy names most of them by their id. */
export const BARRED: Record<string, Account | null> = {
  UGUEST001: account('UGUEST001', { isGuest: true }),
  USTRANGER: account('USTRANGER', { isStranger: true }),
  UBOT00001: account('UBOT00001', { isBot: true }),
  UGONE0001: account('UGONE0001', { isDeactivated: true }),
  UOUTSIDER: account('UOUTSIDER'),
  [STARTER]: account(STARTER, { identities: [STARTER, 'starter@signoff.example'] }),
  USTARTER2: account('USTARTER2', { identities: ['USTARTER2', 'starter@signoff.example'] }),
  UUNKNOWN1: null,
};

const person = (name: string): Approver => ({ kind: 'person', name });

/** Everybody who is barred but the outsider is named. Two have to approve, and neither may be the starter. */
export const GUARDED: Crew = crew({
  name: 'guarded',
  approval: {
    ...DEFAULT_POLICY,
    delegation: 'anyone',
    approvers: [APPROVER, VOTER, ...Object.keys(BARRED).filter((id) => id !== 'UOUTSIDER')].map(person),
    quorum: 2,
    selfApproval: false,
    undoMs: 600_000,
  },
  starters: [KICKER, 'UBOT00001', 'UGONE0001', 'UUNKNOWN1'].map(person),
});

export const DIRECTORY: Directory = {
  account: async (id) => (Object.hasOwn(BARRED, id) ? (BARRED[id] ?? null) : account(id)),
  membersOf: async () => new Set(),
};
