import { describe, expect, it } from 'vitest';
import type { CardModel } from '../../../../src/core/messages/view-models.ts';
import { approvalCard } from '../../../../src/slack/features/approval/card.ts';
import type { Deciders } from '../../../../src/slack/features/approval/who-decides.ts';
import {
  card,
  deciders,
  decision,
  handOver,
  jon,
  maria,
  NOW,
  name,
  policy,
  rejection,
  say,
  vote,
} from '../../ui/models.ts';
import { actionsOf, said } from '../../ui/said.ts';

const aiko = { id: 'U0AIKO', name: 'Aiko' };
const approverName = (asWritten: string) => ({ U0AIKO: 'Aiko', S0LEADS: '@leads' })[asWritten] ?? asWritten;
const choices = { notes: 'offered', edits: 'offered' } as const;
const details = { output: 'A post.', preview: 400, ...choices, name, rendering: 'full', say } as const;
const shown = (rule: Parameters<typeof policy>[0], change: Partial<CardModel> = {}, more: Partial<Deciders> = {}) =>
  approvalCard(card(change), {
    ...details,
    deciders: deciders({ policy: policy(rule), approverName, ...more }),
  });

describe('who can decide', () => {
  it.each([
    ['one of a group', { approvers: ['@release-managers'] }, '@release-managers can decide'],
    ['one of several', { approvers: ['S0LEADS', 'U0AIKO'] }, '@leads and Aiko can decide'],
    ['one of the channel', { approvers: ['channel'] }, 'Anyone in this channel can decide'],
    ['two of a group', { approvers: ['@leads'], quorum: 2 }, 'Needs 2 of @leads · none yet'],
    ['three of the channel', { approvers: ['channel'], quorum: 3 }, 'Needs 3 people of this channel · none yet'],
    ['two of the workspace', { quorum: 2 }, 'Needs 2 people · none yet'],
  ])('is said in one line: %s', (_, rule, line) => {
    expect(said(shown(rule))).toContain(`\n${line}\nApprove\n`);
    expect(shown(rule).text).toContain(`· ${line}`);
  });

  it('is said where those who can are mentioned, and the starter apart from them', () => {
    const approverMentions = new Map([
      ['@leads', { kind: 'group', id: 'S0LEADS' } as const],
      ['U0AIKO', { kind: 'person', id: 'U0AIKO' } as const],
    ]);
    const decidable = deciders({ policy: policy({ approvers: ['@leads', 'U0AIKO', '@writers'] }), approverName });
    const message = approvalCard(card(), {
      ...details,
      deciders: { ...decidable, approverMentions },
      mentions: [
        { kind: 'group', id: 'S0LEADS' },
        { kind: 'person', id: 'U0MARIA' },
      ],
    });
    const [line] = message.blocks.slice(-2);
    expect(line).toMatchObject({
      type: 'section',
      text: { text: '🔔 <!subteam^S0LEADS>, Aiko and @writers can decide · cc <@U0MARIA>' },
    });
    expect(JSON.stringify(message).match(/<@|<!subteam/g)).toHaveLength(2);
    expect(message.text).toContain('@leads, Aiko and @writers can decide');
  });

  it('is anyone where any one person of the workspace can', () => {
    expect(said(shown({}))).toContain('\nAnyone in the workspace can decide\n');
  });

  it('says that the starter can’t', () => {
    const rule = { selfApproval: false };
    expect(said(shown(rule, {}, { starter: maria }))).toContain(
      'Anyone in the workspace can decide · not Maria, who started the run',
    );
  });

  it('says that other rules may count once the task has a name', () => {
    expect(said(shown({ approvers: ['@leads'], quorum: 2 }, {}, { isProvisional: true }))).toContain(
      'Needs 2 of @leads · this may change once the crew names the task · none yet',
    );
  });

  it('counts those who have approved, without the words of their notes', () => {
    const votes = [vote(maria), vote(jon, 'Only the <facts>')];
    const message = shown({ approvers: ['@leads'], quorum: 3 }, { votes });
    expect(said(message)).toContain('Needs 3 of @leads\n☑️ *2 of 3 approved: Maria and Jon (with a note)*\nApprove\n');
    expect(JSON.stringify(message)).not.toContain('facts');
  });

  it('says to whom it was handed over and escalated', () => {
    const change = { handedOver: [handOver(jon, maria), handOver(aiko, jon)], escalatedAt: NOW };
    const words = said(shown({ approvers: ['@writers'], escalateTo: ['S0LEADS'] }, change));
    expect(words).toContain('Can decide, too: Jon (added by Maria) and Aiko (added by Jon)');
    expect(words).toContain('Escalated to @leads · <!date^');
    expect(words).toContain('\n@writers and @leads can decide\n');
  });

  it('says who is away and who stands in', () => {
    const until = Date.UTC(2026, 11, 2);
    const words = said(shown({}, { handedOver: [{ ...handOver(jon, maria), until }, handOver(aiko, jon)] }));
    expect(words).toMatch(/Can decide, too: Aiko \(added by Jon\)\n.*Maria is away until <!date\^/);
    expect(words).toContain('{date_short}|2026-12-01 UTC>; Jon can decide, too');
  });

  it('offers to explain the rule, to hand over, and to withdraw a vote where there is one', () => {
    expect(said(shown({}))).toMatch(/Who can decide\?\nAdd an approver…$/);
    expect(said(shown({ quorum: 2 }, { votes: [vote(jon)] }))).toMatch(/Add an approver…\nWithdraw my vote$/);
    expect(
      actionsOf(shown({ quorum: 2 }, { votes: [vote(jon)], state: { kind: 'told', decision: decision() } })),
    ).toEqual(['read_all']);
  });

  it('names at most a few of fifty people, and says how many more there are', () => {
    const people = Array.from({ length: 50 }, (_, i) => ({ id: `U0P${i}`, name: `Person ${i}` }));
    const rule = { approvers: people.map(({ id }) => id), quorum: 51 };
    const words = said(shown(rule, { votes: people.map((person) => vote(person)) }));
    expect(words).toMatch(/Needs 51 of U0P0, .* and 38 more\n☑️ \*50 of 51 approved: Person 0, .* and 38 more/);
  });

  it.each([
    { kind: 'pending' },
    { kind: 'undoable', decision: decision(), undoUntil: NOW },
    { kind: 'told', decision: rejection() },
  ] as const)('mentions nobody on a card that is $kind', (state) => {
    const change = { votes: [vote(jon)], handedOver: [handOver(jon, maria)], escalatedAt: NOW, state };
    const message = shown({ approvers: ['U0AIKO', 'S0LEADS'], quorum: 2, escalateTo: ['@leads'] }, change);
    expect(JSON.stringify(message)).not.toMatch(/<@|<!subteam|<!channel|<!here/);
  });
});

describe('a decision of several people', () => {
  const votes = [vote(jon, 'Shorter.'), vote(aiko)];

  it('names them in the order of their approvals', () => {
    const message = shown({ quorum: 3 }, { votes, state: { kind: 'told', decision: decision() } });
    expect(said(message)).toContain('✅ *Jon, Aiko and Maria approved Write the post*');
    expect(message.text).toContain(
      'Jon, Aiko and Maria approved Write the post · Research · Round 1. Sent to the crew.',
    );
  });

  it('shows the joined notes as the crew gets them', () => {
    const told = decision({ feedback: 'Fine.', text: 'jon: Shorter.\n\nmaria: Fine.' });
    const words = said(shown({ quorum: 3 }, { votes, state: { kind: 'told', decision: told } }));
    expect(words).toContain('jon: Shorter.\nmaria: Fine.');
    const plain = shown({ quorum: 2 }, { votes: [vote(aiko)], state: { kind: 'told', decision: decision() } });
    expect(said(plain)).not.toContain('Approved.');
  });

  it('tells who had approved before somebody rejected', () => {
    const words = said(shown({ quorum: 3 }, { votes, state: { kind: 'told', decision: rejection() } }));
    expect(words).toContain('↩️ *Maria rejected Write the post after Jon and Aiko had approved*');
    expect(words).not.toContain('Shorter.');
  });

  it('says until when it can be undone', () => {
    const message = shown({}, { state: { kind: 'undoable', decision: decision(), undoUntil: NOW } });
    expect(said(message)).toMatch(
      /Goes to the crew at <!date\^1763690000\^\{time_secs\}\|.*>; until then it can be undone/,
    );
    expect(actionsOf(message)).toEqual(['read_all', 'undo']);
  });
});

describe('a request that nobody decided in time', () => {
  it('says that the crew was not told, and what to do', () => {
    const message = shown({}, { state: { kind: 'expired', expiredAt: NOW } });
    for (const words of [
      'Approval closed: Write the post',
      'Nobody decided in time',
      'the crew was not told',
      'its own control panel',
    ])
      expect(said(message)).toContain(words);
    expect(actionsOf(message)).toEqual(['read_all']);
  });

  it('says that a rejection was sent', () => {
    const late = { ...rejection('Nobody decided in time, sorry.'), by: null };
    const words = said(shown({}, { state: { kind: 'told', decision: late } }));
    expect(words).toContain('↩️ *Write the post was rejected, as nobody decided in time*');
    expect(words).toContain('Nobody decided in time, sorry.');
  });
});
