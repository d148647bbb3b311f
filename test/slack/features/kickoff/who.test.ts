import { describe, expect, it } from 'vitest';
import type { CardModel } from '../../../../src/core/messages/view-models.ts';
import { DEFAULT_POLICY, type Policy, parseApprover } from '../../../../src/core/policy/policy.ts';
import {
  crewRulesMessage,
  type WaitingRequest,
  waitingRequestsMessage,
} from '../../../../src/slack/features/kickoff/who.ts';
import { crew } from '../../../crew/crew-values.ts';
import { JON, vote } from '../../../support/requests.ts';
import { inForce } from '../../../support/rules-in-force.ts';
import { card, completed, maria, say, staged } from '../../ui/models.ts';

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
    expect(text).toContain('• If `inputs.amount &gt; 5`: Two people of @leads have to approve; one rejection');
  });

  it('says rules that several tasks have once, under the names of all of them', () => {
    expect(told).toContain('*Deciding tasks named “publish*” and “send*”*\n• Two people of @leads have to approve');
    expect(timesIn(told, 'Two people of @leads')).toBe(1);
    expect(told).toContain('*Deciding tasks named “draft”*\nThe same rules.');
    expect(told).toContain('*Deciding tasks named “note”*\n• 3 members of the workspace');
    expect(timesIn(told, 'The person who started the run can decide it, too.')).toBe(1);
  });

  it('says which of the usual rules don’t hold for a task', () => {
    const usual = { ...DEFAULT_POLICY, approvers: approvers('@leads'), undoMs: 10_000, delegation: 'none' as const };
    const task = { ...usual, undoMs: 0, delegation: 'approvers' as const, match: 'draft', looksAt: 'name' as const };
    const { text } = crewRulesMessage(crew({ name: 'research', approval: { ...usual, tasks: [task] } }), {
      ...{ canStart: 'Yes.', canDecide: 'Yes.' },
      approverName: (name) => name,
      say,
    });
    const [, ofTask = ''] = text.split('named “draft”*');
    expect(ofTask).toContain('• Only people named in these rules can be added as approvers');
    expect(ofTask).toContain('• No longer: “A decision is sent 10 seconds after it’s made');
  });
});

describe('who can decide what waits in a channel', () => {
  const strict = { ...DEFAULT_POLICY, approvers: approvers('@leads'), quorum: 2 };
  const waiting = (policy: Policy, change: Partial<CardModel> = {}): WaitingRequest => ({
    card: card({ crew: 'research', taskName: 'draft', about: 'Bees', votes: [], ...change }),
    deciders: { policies: [inForce(policy)], starter: maria, approverName: (name) => name },
    ...{ you: 'You can decide this.', link: null, name: ({ name }) => name },
  });

  it('says of each request in three lines who can decide it, as its card does', () => {
    const { blocks } = waitingRequestsMessage(
      [waiting(strict, { votes: [vote(JON)] }), waiting(DEFAULT_POLICY, { about: 'Wasps' })],
      say,
    );
    expect(blocks.map((block) => block.type === 'section' && block.text?.text)).toEqual([
      '✋ *draft* · research · Bees\n1 of 2 approved: Jon · still needs @leads\nYou can decide this.',
      '✋ *draft* · research · Wasps\nAnyone in the workspace can decide\nYou can decide this.',
    ]);
  });

  it('says which stage is open, who has approved the one before, and who was added', () => {
    const rules = staged({ Peer: { approvers: ['channel'] }, Release: { approvers: ['@leads'], quorum: 2 } }, 1);
    const stages = [completed(rules, 0, [vote(JON)])];
    const handedOver = [{ to: maria, by: JON, at: 1, until: null }];
    const { text } = waitingRequestsMessage([waiting(rules, { stages, handedOver })], say);
    expect(text).toMatch(
      /Stage 2 of 2, \*Release\*: .*@leads.* · \*Peer\* approved: Jon.* · Added as approvers: Maria/,
    );
  });

  it('says why nobody can while the crew isn’t set up', () => {
    const { text } = waitingRequestsMessage([{ ...waiting(strict), deciders: null, you: 'It isn’t set up.' }], say);
    expect(text).toContain('✋ *draft* · research · Bees\nIt isn’t set up.');
  });
});
