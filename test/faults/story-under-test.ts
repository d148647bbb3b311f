import {
  chainEntries,
  type LedgerEvent,
  type LedgerFacts,
  NO_ENTRIES,
  sha256,
  type VoteFacts,
} from '../../src/core/ledger/entry.ts';
import type { Chain } from './chains.ts';
import { checkInvariants } from './check-invariants.ts';
import type { Click } from './clicks.ts';
import type { Evidence, Order, Posted } from './evidence.ts';
import type { PolicyName } from './policies.ts';

const POLICY = '0'.repeat(64);
const vote = (by: string): VoteFacts => ({ by, rule: by, account: 'member' });
const text = (of: string) => ({ sha256: sha256(of), length: of.length });

/** Entries of the ledger about one request, a second apart. */
export const entry = {
  asked: (): LedgerEvent => ({
    kind: 'asked',
    at: 0,
    facts: {
      ...{ approval: '1', crew: 'crew-1', channel: 'C1', task: { id: 't', name: null }, round: 1 },
      ...{ output: text('draft'), starter: 'UMARIA', policy: POLICY },
    },
  }),
  voted: (by: string): LedgerEvent => ({
    kind: 'voted',
    at: 0,
    facts: { ...vote(by), approval: '1', text: null, policy: POLICY },
  }),
  withdrawn: (by: string): LedgerEvent => ({ kind: 'withdrawn', at: 0, facts: { approval: '1', by, reason: 'own' } }),
  decided: (
    by: string | null,
    change: Partial<LedgerFacts['decided']> & { votes?: VoteFacts[] } = {},
  ): LedgerEvent => ({
    kind: 'decided',
    at: 0,
    facts: {
      ...{ approval: '1', verdict: 'approve', by: by === null ? null : vote(by), votes: [], text: text('Approved.') },
      ...{ policy: POLICY, escalated: [], handed_to: [], undo_ms: 0, ...change },
    },
  }),
  undone: (by: string): LedgerEvent => ({
    kind: 'undone',
    at: 0,
    facts: { approval: '1', by, rule: by, policy: POLICY },
  }),
  refused: (by: string): LedgerEvent => ({
    kind: 'refused',
    at: 0,
    facts: { approval: '1', action: 'approve', by, reason: 'not-approver', policy: POLICY },
  }),
  sent: (): LedgerEvent => ({ kind: 'sent', at: 0, facts: { approval: '1', attempt: 1 } }),
  expired: (outcome: 'close' | 'reject'): LedgerEvent => ({
    kind: 'expired',
    at: 0,
    facts: { approval: '1', outcome, policy: POLICY },
  }),
  reminded: (mentioned: string[]): LedgerEvent => ({
    kind: 'reminded',
    at: 0,
    facts: { approval: '1', number: 1, mentioned },
  }),
};

export const votesOf = (...people: string[]) => ({ votes: people.map(vote) });

/** What a person did about the card of the request. */
export function click(by: string, action: Click['action'], outcome: Click['outcome'] = 'acknowledged'): Click {
  return { by, action, outcome, cardTs: '1.2', round: 1 };
}

/** A reminder that mentions people. */
export function alert(...notifies: string[]): Posted {
  return { channel: 'C1', ts: '1.3', threadTs: '1.1', text: '', ref: 'r', key: 'alert:1:1', notifies };
}

/** A direct message about the request. */
export function direct(to: string): Posted {
  return { channel: `D${to}`, ts: '1.4', threadTs: undefined, text: '', ref: 'r', key: `direct:1:${to}`, notifies: [] };
}

/** A decision that the crew has received. */
export function order(approves: boolean, feedback: string): Order {
  const body = { is_approve: approves, human_feedback: feedback };
  return { crew: 'crew-1', route: 'resume', ref: 'r', body, mayHaveArrived: true, wasApplied: true };
}

/** The violations in a history of one request; the rest of the world is as it should be. */
export function violationsOf(history: {
  policy: PolicyName;
  entries: readonly LedgerEvent[];
  clicks?: Click[];
  orders?: Order[];
  alerts?: Posted[];
  broken?: Partial<Chain>;
}): string[] {
  const { policy, entries, clicks = [], orders = [], alerts = [], broken = {} } = history;
  const events = entries.map((event, i) => ({ ...event, at: 1_000 * (i + 1) }));
  const chain = chainEntries('r', NO_ENTRIES, events);
  const root: Posted = { channel: 'C1', ts: '1.1', threadTs: undefined, text: '', ref: 'r', key: 'root', notifies: [] };
  const evidence: Evidence = {
    messages: [root, { ...root, ts: '1.2', threadTs: '1.1', key: 'card:1', text: 'A card' }, ...alerts],
    ...{ deleted: [], orders, runs: [], notifications: [], messagesAre: 'told of' },
    chains: [{ ref: 'r', entries: chain, head: chain.at(-1)?.hash ?? '', unsealed: [], ...broken }],
  };
  return checkInvariants(evidence, {
    crewChannel: { crew: 'crew-1', channelId: 'C1', policy, maria: { id: 'UMARIA' } },
    ...{ plan: { topic: 'tea' }, isRoot: ({ ts }: { ts: string }) => ts === '1.1' },
    ...{ clicks, sentAgain: [], formsTaken: 1, isStuck: true },
  }).violations;
}
