import { describe, expect, it } from 'vitest';
import { handOverModal, readApprover } from '../../../../src/slack/features/card/hand-over.ts';
import { whoModal } from '../../../../src/slack/features/card/who-can-decide.ts';
import { approveSoonModal, notePreviewModal, noteValue } from '../../../../src/slack/request/note-modals.ts';
import { ownApprovalOf, ownRightText } from '../../../../src/slack/request/own-right.ts';
import { parseApprovalValue } from '../../../../src/slack/ui/button-value.ts';
import { nextStepButtons } from '../../../../src/slack/ui/modal.ts';
import { sayIn } from '../../../support/say.ts';
import { card, refusalDetails, say, vote } from '../../ui/models.ts';
import { actionsOf, said } from '../../ui/said.ts';

const KEY = { ref: 'r1', approvalId: '1', hash: 'h1' };

describe('approving very soon', () => {
  it.each([
    [400, 'asked only 1 second ago'],
    [14_000, 'asked only 14 seconds ago'],
  ])('is asked about %d ms after the crew has asked', (afterMs, question) => {
    const modal = approveSoonModal(KEY, { kind: 'just-asked', afterMs }, say);
    expect(modal.title.text).toBe('Approve so soon?');
    expect(said(modal)).toContain(question);
    expect(parseApprovalValue(modal.private_metadata)).toEqual(KEY);
  });

  it('is confirmed by the preview of a note that says so, and by no other', () => {
    const preview = { ...KEY, crew: 'Research', note: 'Fine.', text: 'Fine.', needed: 0 };
    const soon = notePreviewModal({ ...preview, soonMs: 4_000 }, say);
    expect(said(soon)).toMatch(/Approve so soon\?.*asked only 4 seconds ago/);
    expect(noteValue.read(soon.private_metadata ?? '')).toMatchObject({ review: 'confirmed' });
    const later = notePreviewModal({ ...preview, soonMs: null }, say);
    expect(said(later)).not.toContain('Approve so soon');
    expect(noteValue.read(later.private_metadata ?? '')).toMatchObject({ review: 'unasked' });
    expect(noteValue.read(JSON.stringify({ ...KEY, note: 'of an older version' }))).toMatchObject({
      review: 'unasked',
    });
  });
});

describe('the preview of a note', () => {
  it('shows the notes of others with it, and who is still needed', () => {
    const text = 'Jon (U0JON):\n> Shorter.\n\nMaria (U0MARIA):\n> Fine.';
    const preview = { ...KEY, crew: 'Research', note: 'Fine.', text, soonMs: null };
    const complete = said(notePreviewModal({ ...preview, needed: 0 }, say));
    expect(complete).toContain('*Research* gets exactly this with your approval');
    expect(complete).toContain(text);
    const open = said(notePreviewModal({ ...preview, needed: 2 }, say));
    expect(open).toContain('So far, *Research* gets this with your approval');
    expect(open).toContain('2 more people have to approve after you');
  });
});

describe('handing over', () => {
  it('asks for a person of Slack', () => {
    const modal = handOverModal(card(), say);
    expect(actionsOf(modal)).toEqual(['approver_input']);
    expect(said(modal)).toContain('“Write the post”');
    expect(parseApprovalValue(modal.private_metadata)).toEqual({ ...KEY, hash: card().output.hash });
    expect(readApprover({ approver: { any: { type: 'users_select', selected_user: 'U0JON' } } })).toBe('U0JON');
    expect(readApprover({})).toBe('');
  });
});

describe('who can decide', () => {
  const approverName = () => '@leads';
  it.each([
    ['@leads', 'You can decide this*: you’re in @leads.'],
    ['S0LEADS', 'You can decide this*: you’re in @leads.'],
    ['channel', 'You can decide this*: you’re in this channel.'],
    ['handed over', 'You can decide this*: you were added as an approver.'],
    ['workspace', 'You can decide this*.'],
  ])('says by which rule: %s', (rule, words) => {
    expect(
      ownRightText(
        { kind: 'permitted', rule, rights: [{ holder: 'U0AIKO', rule }] },
        { ...refusalDetails(), approverName },
      ),
    ).toContain(words);
  });

  it('says to people who have approved already what they can still do, instead of asking them to decide', () => {
    const permit = { kind: 'permitted', rule: 'workspace', rights: [{ holder: 'U0AIKO', rule: 'workspace' }] } as const;
    const told = (approved: 'request' | 'stage') =>
      ownRightText(permit, { ...refusalDetails(), approverName, approved });
    expect(told('request')).toMatch(/^☑️ You’ve already approved this, and can withdraw your vote/);
    expect(told('stage')).toMatch(/^☑️ You’ve already approved this stage/);
    const aiko = { id: 'U0AIKO', name: 'Aiko' };
    const votes = [vote(aiko)];
    expect(ownApprovalOf({ votes }, aiko, { isStaged: false })).toBe('request');
    expect(ownApprovalOf({ votes }, { id: 'U0JON' }, { isStaged: false })).toBeUndefined();
  });

  it('says the rule in sentences, who can and who has, and offers to ask', () => {
    const modal = whoModal({
      crew: 'Research',
      taskName: null,
      rules: { needed: 'Two of these.', others: ['Not <@U1>.'] },
      steps: [
        {
          heading: null,
          people: [{ needed: '2 of these have to approve:', lines: ['Aiko'] }],
          also: ['Can decide, too: Jon (added by Aiko)'],
          approved: '1 of 2 approved: Aiko',
        },
      ],
      you: 'No.',
      more: nextStepButtons({ kind: 'ask', ...KEY }, sayIn('en')),
      say: sayIn('en'),
    });
    expect(said(modal)).toContain(
      '*Two of these.*\n• Aiko\n• Can decide, too: Jon (added by Aiko)\n☑️ 1 of 2 approved: Aiko\n',
    );
    expect(said(modal)).toContain('• Not &lt;@U1&gt;.');
    expect(actionsOf(modal)).toEqual(['ask_approvers']);
  });

  it('lists all stages, with who has approved them, and why these rules apply', () => {
    const step = { also: [], approved: '' };
    const modal = whoModal({
      ...{ crew: 'Research', taskName: null, you: 'No.', more: [], say: sayIn('en') },
      rules: { needed: '2 stages.', others: [] },
      why: ['These rules apply since `round > 1` (round: 2).'],
      steps: [
        { ...step, heading: '☑️ *Stage 1, Peer*: approved by Jon', people: [] },
        {
          ...{ ...step, heading: '*Stage 2, Release* (open)' },
          people: [
            { needed: 'One of these has to approve:', lines: ['Aiko'] },
            { needed: 'One person each has to approve from:', lines: ['@legal', '@security'] },
          ],
        },
      ],
    });
    expect(said(modal)).toContain(
      [
        'These rules apply since `round > 1` (round: 2).\n*2 stages.*',
        '☑️ *Stage 1, Peer*: approved by Jon',
        '*Stage 2, Release* (open)\nOne of these has to approve:\n• Aiko',
        'One person each has to approve from:\n• @legal\n• @security',
      ].join('\n'),
    );
  });
});
