import { inboxOf, prepare } from '../../../src/core/inbox/inbox.ts';
import type { InboxFacts, Viewer } from '../../../src/core/inbox/judgement.ts';
import type { OpenRequest, OpenRun, PastDecision, Snapshot } from '../../../src/core/inbox/snapshot.ts';
import type { Account } from '../../../src/core/policy/permits.ts';
import { type CrewPolicy, DEFAULT_POLICY } from '../../../src/core/policy/policy.ts';
import { createRulesOf } from '../../../src/core/policy/rules.ts';
import { crew } from '../../crew/crew-values.ts';
import { account, MARIA, output, START } from '../../support/requests.ts';

/** Started by Maria in the channel C1. */
export function openRun(change: Partial<OpenRun> = {}): OpenRun {
  const run = { ref: 'r1', crew: 'research', channel: 'C1', starter: MARIA, inputs: {}, createdAt: START };
  return { ...run, state: 'waiting-for-approval', rootTs: '99.9', ...change };
}

export function openRequest(change: Partial<OpenRequest> = {}): OpenRequest {
  return {
    ...{ run: openRun(), approvalId: '1', taskId: 't1', taskName: 'Draft', round: 1, askedAt: START },
    ...{
      output: output('first draft'),
      about: '',
      isTitled: false,
      repeatsRound: null,
      escalated: [],
      handedOver: [],
      voters: [],
    },
    ...{ stages: [], votersBefore: [] },
    ...{ expireAt: null, cardTs: '100.1' },
    ...change,
  };
}

/** Approved by Jon, on a run that somebody started elsewhere. */
export function pastDecision(change: Partial<PastDecision> = {}): PastDecision {
  return {
    ...{ ref: 'r9', approvalId: '1', crew: 'research', task: 'Draft', round: 1, rounds: 1, outcome: 'approve' },
    ...{ by: ['U_JON'], askedAt: START, decidedAt: START + 1 },
    record: {
      ...{
        channel: 'C1',
        about: '',
        starter: null,
        inputs: {},
        taskId: 't1',
        taskName: 'Draft',
        round: 1,
        askedAt: START,
        stages: [],
        isTitled: false,
        escalated: [],
        handedOver: [],
      },
      answer: null,
      cardTs: '100.1',
    },
    ...change,
  };
}

export const PUBLIC: InboxFacts = {
  accounts: {},
  members: {},
  channels: new Map([['C1', { isPublic: true, members: null }]]),
};

interface Scene {
  requests?: OpenRequest[];
  decisions?: PastDecision[];
  ended?: Snapshot['ended'];
  policies?: Record<string, Partial<CrewPolicy>>;
}

/** What a member of the workspace, or a person with another account, sees; in a public channel, unless facts say otherwise. */
export function inboxIn(
  { requests = [], decisions = [], ended = [], policies = {} }: Scene,
  personId: string,
  {
    facts = {},
    person = {},
    now = START,
  }: { facts?: Partial<InboxFacts>; person?: Partial<Account>; now?: number } = {},
) {
  const all = { research: {}, ...policies };
  const crews = Object.entries(all).map(([name, change]) => {
    return [name, crew({ name, approval: { ...DEFAULT_POLICY, ...change } })] as const;
  });
  const runs = [...new Map(requests.map(({ run }) => [run.ref, run])).values()];
  const snapshot: Snapshot = { at: START, requests, runs, decisions, ended };
  const own = account(personId, person);
  const known = { ...PUBLIC, ...facts };
  const viewer: Viewer = {
    ...{ id: personId, account: own, now },
    facts: { ...known, accounts: { ...known.accounts, [personId]: own } },
  };
  return inboxOf(prepare(snapshot, createRulesOf(new Map(crews))), viewer);
}
