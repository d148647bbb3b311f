import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY, parseApprover } from '../../../../src/core/policy/policy.ts';
import {
  crewRulesMessage,
  type WaitingRequest,
  waitingRequestsMessage,
} from '../../../../src/slack/features/kickoff/who.ts';
import { crew } from '../../../crew/crew-values.ts';
import { JON, pending, vote } from '../../../support/approvals.ts';
import { inForce } from '../../../support/rules-in-force.ts';
import { completed, say, staged } from '../../ui/models.ts';

const approvers = (...names: string[]) => names.flatMap((name) => parseApprover(name) ?? []);
const timesIn = (text: string, words: string) => text.split(words).length - 1;

describe('who can start a crew and decide its requests', () => {
  const strict = { ...DEFAULT_POLICY, approvers: approvers('@leads'), quorum: 2 };
  const tasks = [
    { ...strict, match: 'publish*', looksAt: 'name' as const },
    { ...DEFAULT_POLICY, match: 'draft', looksAt: 'name' as const },
    { ...strict, match: 'send*', looksAt: 'name' as const },
    { ...DEFAULT_POLICY, match: 'note', looksAt: 'name' as const, quorum: 3 },
  ];
  const told = crewRulesMessage(crew({ name: 'research', approval: { ...DEFAULT_POLICY, tasks } }), {
    ...{ canStart: 'You can start.', canDecide: 'You can decide.' },
    approverName: (name) => name,
    say,
  }).text;

  it('says what conditions change', () => {
    const condition = { text: 'inputs.amount > 5', sees: ['inputs.amount'], holds: () => null };
    const when = [{ ...strict, condition }];
    const { text } = crewRulesMessage(crew({ name: 'research', approval: { ...DEFAULT_POLICY, when } }), {
      ...{ canStart: 'Yes.', canDecide: 'Yes.' },
      approverName: (name) => name,
      say,
    });
    expect(text).toContain('• If `inputs.amount &gt; 5`: 2 different people have to approve; one rejection');
  });

  it('says rules that several tasks have once, under the names of all of them', () => {
    expect(told).toContain('*Deciding tasks named “publish*” and “send*”*\n• 2 different people have to approve');
    expect(timesIn(told, 'Who can decide: everybody in @leads.')).toBe(1);
    expect(told).toContain('*Deciding tasks named “draft”*\nThe same rules.');
    expect(told).toContain('*Deciding tasks named “note”*\n• 3 different people');
    expect(timesIn(told, 'Guests and people from other organisations can’t decide.')).toBe(1);
  });
});

describe('who can decide what waits in a channel', () => {
  const waiting = (change: Partial<WaitingRequest> = {}): WaitingRequest => ({
    approval: pending(),
    crew: crew({ name: 'research' }),
    about: 'Bees',
    policies: [inForce(DEFAULT_POLICY)],
    you: 'You can decide this.',
    link: null,
    name: ({ name }) => name,
    approverName: (name) => name,
    ...change,
  });
  const strict = { ...DEFAULT_POLICY, approvers: approvers('@leads'), quorum: 2 };

  it('says the rules of one request below it', () => {
    const { text } = waitingRequestsMessage(
      [waiting({ policies: [inForce(strict)], approval: pending({ votes: [vote(JON)] }) })],
      say,
    );
    expect(text).toMatch(
      /You can decide this\.\n1 of 2 approved: Jon · still needs @leads\n• 2 different people have to approve/,
    );
  });

  it('says why they apply, and who has approved which stage', () => {
    const rules = staged({ Peer: { approvers: ['channel'] }, Release: { approvers: ['@leads'], quorum: 2 } }, 1);
    const stages = [completed(rules, 0, [vote(JON)])];
    const why = ['These rules apply since `round > 1` (round: 2).'];
    const { text } = waitingRequestsMessage(
      [waiting({ policies: [inForce(rules)], why, approval: pending({ stages }) })],
      say,
    );
    expect(text).toContain(
      'You can decide this.\nThese rules apply since `round > 1` (round: 2).\n*Peer* approved: Jon\n• 2 stages have to be approved',
    );
    expect(text).toContain('• Stage 2, “Release”: 2 approvals from everybody in @leads.');
  });

  it('says rules that several requests have once, below the last of them', () => {
    const requests = [
      waiting(),
      waiting({ policies: [inForce(strict)] }),
      waiting({ approval: pending({ taskName: 'Other' }), about: 'Wasps' }),
    ];
    const { text } = waitingRequestsMessage(requests, say);
    expect(timesIn(text, 'One person decides.')).toBe(1);
    expect(timesIn(text, 'You can decide this.')).toBe(3);
    expect(text).toMatch(
      /✋ \*Draft\* · research · Bees\n.*\n✋ \*Other\* · research · Wasps\nYou can decide this\.\n\*The rules for these 2\*\n• One person/,
    );
    expect(text).toMatch(/✋ \*Draft\* · .*\nYou can decide this\.\n• 2 different people/);
  });
});
