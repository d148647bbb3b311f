import { describe, expect, it } from 'vitest';
import type { RunSummary } from '../../src/sandbox/crew-service/sandbox-api/crew-sandbox.ts';
import type { RecordedWebhook } from '../../src/sandbox/crew-service/sandbox-api/records.ts';
import { checkInvariants } from './check-invariants.ts';
import type { Evidence, Posted } from './evidence.ts';

const SCENARIO = {
  crewChannel: { crew: 'crew-1', channelId: 'C1', policy: 'everybody', maria: { id: 'UMARIA1X' } },
  plan: { topic: 'tea' },
  isRoot: ({ ts }: { ts: string }) => ts === '1.1',
  clicks: [],
  sentAgain: [],
  formsTaken: 1,
  isStuck: true,
} as const;
const UNCONFIRMED = 'Jon approved draft, not confirmed\n[Send again]';
const HAS_COMPLETED = 'the crew has completed, and no thread says so';

/** The violations of a completed run whose thread doesn't say so. */
function violations({ card, outcomes }: { card: string; outcomes: RecordedWebhook['outcome'][] }): string[] {
  const run: RunSummary = {
    kickoffId: 'k2',
    executionId: 'k1',
    crew: 'crew-1',
    status: 'completed',
    task: null,
    taskId: null,
    round: 0,
    inputs: { topic: 'tea' },
    reviews: [],
    outcome: null,
  };
  const message: Posted = {
    channel: 'C1',
    ts: '1.1',
    threadTs: undefined,
    text: '',
    ref: 'r',
    key: 'root',
    notifies: [],
  };
  const evidence: Evidence = {
    messages: [
      { ...message, text: 'Waiting for approval' },
      { ...message, ts: '1.2', threadTs: '1.1', key: 'card:1', text: card },
    ],
    deleted: [],
    orders: [],
    runs: [run],
    notifications: outcomes.map((outcome, number) => {
      const sent = { number, at: number, crew: 'crew-1', kind: 'task', executionId: 'k1', url: '', body: '' };
      return { ...sent, runId: 'k2', outcome };
    }),
    chains: [],
    messagesAre: 'told of',
  };
  return checkInvariants(evidence, SCENARIO).violations;
}

describe('a completed run whose thread does not say so', () => {
  it('is allowed if none of its notifications was accepted and the card is unconfirmed', () => {
    expect(violations({ card: UNCONFIRMED, outcomes: ['dropped', { error: 'refused' }, { status: 503 }] })).toEqual([]);
  });

  it('is a violation if one of its notifications was accepted', () => {
    expect(violations({ card: UNCONFIRMED, outcomes: ['dropped', { status: 200 }] })).toEqual([HAS_COMPLETED]);
  });

  it('is a violation if it sent no notification', () => {
    expect(violations({ card: UNCONFIRMED, outcomes: [] })).toEqual([HAS_COMPLETED]);
  });

  it('is a violation if no card is unconfirmed', () => {
    expect(violations({ card: 'Draft: approved', outcomes: ['dropped'] })).toEqual([HAS_COMPLETED]);
  });
});
