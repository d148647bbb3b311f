import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../../../src/core/ledger/entry.ts';
import { parseApprover } from '../../../../src/core/policy/policy.ts';
import { maskSecrets } from '../../../../src/core/values/secrets.ts';
import { modalText } from '../../../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { parseEdits } from '../../../../src/slack/request/edits/edit-list.ts';
import { approvalValue } from '../../../../src/slack/ui/button-value.ts';
import { type ApprovalWorld, startApprovalWorld } from '../../request/approval-world.ts';

let world: ApprovalWorld;
beforeAll(async () => {
  world = await startApprovalWorld();
});
afterAll(() => world.stop());

const jon = () => world.slack.as('jon');
const SECTION = 'A sentence of a long report. '.repeat(60).trim();
const numbered = (word: string, count: number) => Array.from({ length: count }, (_, i) => `${word}${i}`).join(' ');
const LONG = `# First\n\n${SECTION}\n\n# Second\n\nThe end is near. ${SECTION}`;

async function decidedOf(ref: string) {
  const request = await world.approvalOf(ref);
  if (!('decision' in request.state) || !request.state.decision) throw new Error(`${ref} is ${request.state.status}`);
  const { verdict, text } = request.state.decision;
  return { decision: { verdict, text: text ?? '' } };
}

/** Jon types another text, and looks at what that changes. */
async function edit(text: string) {
  await jon().fill('Text', text);
  await jon().submit();
}

/** He sends his edits back. */
async function send(text: string) {
  await edit(text);
  await jon().choose('What happens next', 'Send back with these edits');
  await jon().submit();
}

/** He approves the text as he has edited it. */
async function approve(text: string) {
  await edit(text);
  await jon().choose('What happens next', 'Approve with these edits');
  await jon().submit();
}

describe('editing', () => {
  it('sends the edits as feedback from the window in which they were made', async () => {
    const { ref, card } = await world.asks({}, { text: 'The board is **fast**.\n\n- It folds.\n- It flies.' });
    await jon().click('Edit…', { in: card });
    await send('The board is **very fast**.\n\n- It flies.');
    await jon().seesNoModal();
    const feedback =
      'Make these edits, word for word:\n\n- Before “fast”, add “very ”.\n- Delete the line “- It folds.”.';
    expect(await world.approvalOf(ref)).toMatchObject({
      state: { decision: { verdict: 'reject', feedback, text: feedback } },
    });
  });

  it('puts a hidden secret nowhere else, also where the text quotes its mark, and takes no part of a mark', async () => {
    const secret = 'AKIAIOSFODNN7EXAMPLE';
    const quoted = maskSecrets(secret).text;
    const { ref, card } = await world.asks({}, { text: `Key: ${secret}\nPost: see ${quoted}. A typpo.` });
    await jon().click('Edit…', { in: card });
    await jon().seesModal('Change the text');
    const [shown = ''] = await jon().chosen('Text');
    const [mark = ''] = /█[\w-]+█/.exec(shown) ?? [];
    const part = edit(shown.replace(mark, mark.slice(0, -2)));
    await expect(part).rejects.toThrow('Keep the sign as it was, or delete all of it.');
    await approve(shown.replace('typpo', 'typo'));
    await jon().seesNoModal();
    const edited = sha256(`Key: ${secret}\nPost: see ${quoted}. A typo.`);
    expect(await world.approvalOf(ref)).toMatchObject({
      question: { output: { hash: edited } },
      state: { decision: { verdict: 'approve' } },
    });
  });

  it('answers the same edits alike when they are submitted again', async () => {
    const { ref, card } = await world.asks({}, { text: 'Too long.' });
    await jon().click('Edit…', { in: card });
    await send('Short.');
    const sent = await world.approvalOf(ref);
    expect(await world.slack.redeliver('view_submission')).toEqual({ ok: true, body: '{"response_action":"clear"}' });
    expect(await world.approvalOf(ref)).toEqual(sent);
  });

  it('answers edits that restore the text of the crew alike when they are submitted again', async () => {
    const { ref, card } = await world.asks({ quorum: 3 }, { text: 'The crew’s text.' });
    await world.slack.as('maria').click('Edit…', { in: card });
    await world.slack.as('maria').fill('Text', 'Maria’s text.');
    await world.slack.as('maria').submit();
    await world.slack.as('maria').choose('What happens next', 'Approve with these edits');
    await world.slack.as('maria').submit();
    await world.slack.as('maria').seesNoModal();
    await world.show(ref);
    await jon().click('Edit…', { in: await jon().seesChanged(card, 'edited') });
    await approve('The crew’s text.');
    await jon().seesNoModal();
    const sent = await world.approvalOf(ref);
    expect(sent).toMatchObject({ question: { edited: null }, discussion: { votes: [{ by: { id: 'UJON00002' } }] } });
    expect(await world.slack.redeliver('view_submission')).toEqual({ ok: true, body: '{"response_action":"clear"}' });
    expect(await world.approvalOf(ref)).toEqual(sent);
  });

  it('shows what was edited before anything is sent, and keeps what was typed', async () => {
    const { ref, card } = await world.asks({}, { text: 'Too long.' });
    await jon().click('Edit…', { in: card });
    await edit('Short.');
    const shown = modalText(await jon().seesModal('Your edits'));
    expect(shown).toContain('Too long.');
    expect(shown).toContain('Short.');
    expect((await world.approvalOf(ref)).state.status).toBe('pending');
    await jon().back();
    expect(await jon().chosen('Text')).toEqual(['Short.']);
    await expect(edit('Shorter.').then(() => jon().submit())).rejects.toThrow();
    await jon().choose('What happens next', 'Send back with these edits');
    await jon().submit();
    expect(await world.approvalOf(ref)).toMatchObject({
      state: { decision: { text: 'Make this edit, word for word:\n\n- Replace “Too long” with “Shorter”.' } },
    });
  });

  it('approves the text as it was edited, with the text itself beside the record', async () => {
    const { ref, card } = await world.asks({}, { text: 'Too long.\n' });
    await jon().click('Edit…', { in: card });
    await approve(' Short.\n');
    await jon().seesNoModal();
    expect(await world.approvalOf(ref)).toMatchObject({
      question: { output: { length: 6 }, edited: { by: { id: 'UJON00002' }, of: { length: 10 } } },
      state: { decision: { verdict: 'approve', feedback: null, text: 'Approved with these edits:' } },
    });
    const kinds = (await world.entriesOf(ref)).map(({ kind }) => kind);
    expect(kinds).toEqual(['asked', 'edited', 'decided']);
    expect(await world.slack.redeliver('view_submission')).toEqual({ ok: true, body: '{"response_action":"clear"}' });
    expect((await world.entriesOf(ref)).map(({ kind }) => kind)).toEqual(kinds);
  });

  it.each([
    ['notes are hidden', { comment: { approve: 'none', reject: 'optional' } }, ['Send back with these edits']],
    ['rejections take no text', { comment: { approve: 'optional', reject: 'none' } }, ['Approve with these edits']],
  ] as const)('offers only what the rules take: %s', async (_, policy, ways) => {
    const { card } = await world.asks(policy, { text: 'Too long.' });
    await jon().click('Edit…', { in: card });
    await edit('Short.');
    const shown = modalText(await jon().seesModal('Your edits'));
    const all = ['Approve with these edits', 'Send back with these edits'];
    expect(all.filter((each) => shown.includes(each))).toEqual(ways);
    await jon().closeModal();
  });

  it('shows JSON indented, and says where it is none any more', async () => {
    const { ref, card } = await world.asks({}, { text: '{"amount":10.50,"to":"\\u4f60"}' });
    await jon().click('Edit…', { in: card });
    const shown = '{\n  "amount": 10.50,\n  "to": "你"\n}';
    await jon().seesModal('Text');
    expect(await jon().chosen('Text')).toEqual([shown]);
    await expect(edit(shown.replace(',', ''))).rejects.toThrow('This isn’t JSON any more: see line 3, column 3.');
    await send(shown.replace('10.50', '9.00'));
    expect(await world.approvalOf(ref)).toMatchObject({
      state: { decision: { feedback: 'Make this edit, word for word:\n\n- Replace “10.50” with “9.00”.' } },
    });
  });

  it('says that nothing was changed', async () => {
    const { card } = await world.asks({}, { text: 'Too long. ' });
    await jon().click('Edit…', { in: card });
    await expect(edit(' Too long.\n')).rejects.toThrow('You changed nothing.');
    await jon().closeModal();
  });

  it('goes on with the review that it was opened from', async () => {
    const { ref } = await world.asks({}, { text: 'Too long.' });
    const {
      question: { output },
    } = await world.approvalOf(ref);
    const value = approvalValue({ ref, approvalId: '1', hash: output.hash });
    await jon().click('Review', { in: await world.offers('review', { label: 'Review', value }) });
    await jon().click('Edit…', { in: 'modal' });
    await send('Short.');
    await jon().seesModal('You rejected');
    await jon().closeModal();
    await jon().seesNoModal();
  });

  it('goes straight to a text that just fits its field, and takes as long a one for it', async () => {
    const { ref, card } = await world.asks({}, { text: `${'x'.repeat(2_999)}.  \n` });
    await jon().click('Edit…', { in: card });
    await jon().seesModal('Change the text');
    expect(await jon().chosen('Text')).toEqual([`${'x'.repeat(2_999)}.`]);
    await send('y'.repeat(3_000));
    const { decision } = await decidedOf(ref);
    expect(decision.text).toContain('y'.repeat(3_000));
  });

  it('asks for a part only of a text that is longer than that', async () => {
    const { card } = await world.asks({}, { text: 'x'.repeat(3_001) });
    await jon().click('Edit…', { in: card });
    await jon().seesModal('Which part?');
    await jon().closeModal();
  });

  it('is of one part of a long text', async () => {
    const { ref, card } = await world.asks({}, { text: LONG });
    await jon().click('Edit…', { in: card });
    await jon().choose('Part to edit', 'Second');
    await jon().submit();
    const [text = ''] = await jon().chosen('Text');
    expect(text).toBe(`# Second\n\nThe end is near. ${SECTION}`);
    await send(text.replace('near', 'far'));
    expect(await world.approvalOf(ref)).toMatchObject({
      state: { decision: { text: 'Make this edit, word for word:\n\n- Replace “near” with “far”.' } },
    });
  });

  it('is of one part of a long text above a review, too, with the preview', async () => {
    const { ref } = await world.asks({}, { text: LONG });
    const {
      question: { output },
    } = await world.approvalOf(ref);
    const value = approvalValue({ ref, approvalId: '1', hash: output.hash });
    await jon().click('Review', { in: await world.offers('review', { label: 'Review', value }) });
    await jon().click('Edit…', { in: 'modal' });
    await jon().choose('Part to edit', 'Second');
    await jon().submit();
    const [text = ''] = await jon().chosen('Text');
    await edit(text.replace('near', 'far'));
    await jon().seesModal('Your edits');
    expect((await jon().snapshot()).modals).toHaveLength(3);
    await jon().back();
    await send(text.replace('near', 'far'));
    await jon().seesModal('You rejected');
    await jon().closeModal();
    await jon().seesNoModal();
    expect((await decidedOf(ref)).decision.verdict).toBe('reject');
  });

  it.each([
    ['every word', numbered('word', 250), numbered('something', 250)],
    ['every line', 'a\n'.repeat(1_500), 'b\n'.repeat(1_500)],
  ])('sends edits whose list is longer than any field: %s', async (_, before, after) => {
    const { ref, card } = await world.asks({}, { text: before });
    await jon().click('Edit…', { in: card });
    const typed = after.slice(0, 3_000);
    await send(typed);
    const { decision } = await decidedOf(ref);
    expect(decision.text.length).toBeGreaterThan(3_000);
    expect(parseEdits(decision.text)).toHaveLength(1);
  });

  it('can’t be sent back where no words tell which place is meant', async () => {
    const policy = { comment: { approve: 'none', reject: 'optional' } } as const;
    const { ref, card } = await world.asks(policy, { text: 'word '.repeat(10_000) });
    await jon().click('Edit…', { in: card });
    await jon().choose('Part to edit', 'Part 2 of 19');
    await jon().submit();
    await expect(edit('other words')).rejects.toThrow('the crew couldn’t tell which place you mean');
    await jon().closeModal();
    expect((await world.approvalOf(ref)).state.status).toBe('pending');
  });

  it('gives back what was typed to those who may no longer decide', async () => {
    world.groups.members = { '@leads': ['UJON00002'] };
    const { ref, card } = await world.asks({ approvers: [parseApprover('@leads')].flatMap((it) => it ?? []) });
    await jon().click('Edit…', { in: card });
    world.groups.members = {};
    await edit('Another text.');
    expect(modalText(await jon().seesModal('You aren’t allowed to decide this'))).toContain('Another text.');
    await jon().closeModal();
    expect((await world.approvalOf(ref)).state.status).toBe('pending');
  });

  it.each([
    ['very long', `Start. ${'word '.repeat(40_000)}`, '200,006'],
    ['one character too long', 'x'.repeat(150_001), '150,001'],
    ['megabytes long', 'x'.repeat(2_000_000), '2,000,000'],
  ])('is not possible of a text that is %s', async (_, text, length) => {
    const { card } = await world.asks({}, { text });
    await jon().click('Edit…', { in: card });
    await jon().seesModal(`This text is too long to be edited here: it has ${length} characters`);
    await jon().closeModal();
  });

  it('is possible of a text that is long only by what nobody sees', async () => {
    const { card } = await world.asks({}, { text: `${'x'.repeat(150_000)}${' '.repeat(500)}\n` });
    await jon().click('Edit…', { in: card });
    await jon().seesModal('Which part?');
    await jon().closeModal();
  });
});
