import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseApprover } from '../../../../src/core/policy/policy.ts';
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
  const approval = await world.approvalOf(ref);
  if (!('decision' in approval) || !approval.decision) throw new Error(`${ref} is ${approval.status}`);
  const { verdict, text } = approval.decision;
  return { decision: { verdict, text: text ?? '' } };
}

/** Jon types another text and sends what that comes to. */
async function send(text: string) {
  await jon().fill('Text', text);
  await jon().submit();
}

/** He looks at that first. */
async function preview(text: string) {
  await jon().fill('Text', text);
  await jon().click('Preview');
}

describe('editing', () => {
  it('sends the edits as feedback from the window in which they were made', async () => {
    const { ref, card } = await world.asks({}, { text: 'The board is **fast**.\n\n- It folds.\n- It flies.' });
    await jon().click('Edit…', { in: card });
    await send('The board is **very fast**.\n\n- It flies.');
    await jon().seesNoModal();
    const feedback =
      'Make these edits, word for word:\n\n- Before “fast”, add “very ”.\n- Delete the line “- It folds.”.';
    expect(await world.approvalOf(ref)).toMatchObject({ decision: { verdict: 'reject', feedback, text: feedback } });
  });

  it('answers the same edits alike when they are submitted again', async () => {
    const { ref, card } = await world.asks({}, { text: 'Too long.' });
    await jon().click('Edit…', { in: card });
    await send('Short.');
    const sent = await world.approvalOf(ref);
    expect(await world.slack.redeliver('view_submission')).toEqual({ ok: true, body: '{"response_action":"clear"}' });
    expect(await world.approvalOf(ref)).toEqual(sent);
  });

  it('shows them first if asked to, keeps what was typed, and sends what was added to them', async () => {
    const { ref, card } = await world.asks({}, { text: 'Too long.' });
    await jon().click('Edit…', { in: card });
    await preview('Short.');
    await jon().seesModal('1 edit: exactly this is sent to');
    await jon().back();
    expect(await jon().chosen('Text')).toEqual(['Short.']);
    await preview('Shorter.');
    await jon().seesModal('1 edit: exactly this is sent to');
    expect(await jon().chosen('Feedback')).toEqual([
      'Make this edit, word for word:\n\n- Replace “Too long” with “Shorter”.',
    ]);
    expect((await world.approvalOf(ref)).status).toBe('pending');
    await jon().fill('Feedback', 'Replace it, and mind the tone.');
    await jon().submit();
    expect(await world.approvalOf(ref)).toMatchObject({ decision: { text: 'Replace it, and mind the tone.' } });
  });

  it('says that nothing was changed', async () => {
    const { card } = await world.asks({}, { text: 'Too long. ' });
    await jon().click('Edit…', { in: card });
    await expect(send(' Too long.\n')).rejects.toThrow('You changed nothing.');
    await preview(' Too long.\n');
    await jon().seesModal('You changed nothing.');
    await jon().closeModal();
  });

  it('goes on with the review that it was opened from', async () => {
    const { ref } = await world.asks({}, { text: 'Too long.' });
    const { output } = await world.approvalOf(ref);
    const value = approvalValue({ ref, approvalId: '1', hash: output.hash });
    await jon().click('Review', { in: await world.offers('review', { label: 'Review', value }) });
    await jon().click('Edit…');
    await send('Short.');
    await jon().seesModal('You rejected');
    expect((await jon().snapshot()).modals).toHaveLength(1);
    await jon().closeModal();
  });

  it('goes straight to a text that just fits its field, and takes as long a one for it', async () => {
    const { ref, card } = await world.asks({}, { text: `${'x'.repeat(2_999)}.  \n` });
    await jon().click('Edit…', { in: card });
    await jon().seesModal('Send edits');
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
      decision: { text: 'Make this edit, word for word:\n\n- Replace “near” with “far”.' },
    });
  });

  it('is of one part of a long text above a review, too, with the preview', async () => {
    const { ref } = await world.asks({}, { text: LONG });
    const { output } = await world.approvalOf(ref);
    const value = approvalValue({ ref, approvalId: '1', hash: output.hash });
    await jon().click('Review', { in: await world.offers('review', { label: 'Review', value }) });
    await jon().click('Edit…');
    await jon().choose('Part to edit', 'Second');
    await jon().submit();
    const [text = ''] = await jon().chosen('Text');
    await preview(text.replace('near', 'far'));
    await jon().seesModal('1 edit: exactly this is sent to');
    expect((await jon().snapshot()).modals).toHaveLength(3);
    await jon().back();
    await send(text.replace('near', 'far'));
    await jon().seesModal('You rejected');
    expect((await jon().snapshot()).modals).toHaveLength(1);
    await jon().closeModal();
    expect((await decidedOf(ref)).decision.verdict).toBe('reject');
  });

  it.each([
    ['every word', numbered('word', 250), numbered('something', 250)],
    ['every line', 'a\n'.repeat(1_500), 'b\n'.repeat(1_500)],
  ])('sends edits whose list is longer than any field: %s', async (_, before, after) => {
    const { ref, card } = await world.asks({}, { text: before });
    await jon().click('Edit…', { in: card });
    const typed = after.slice(0, 3_000);
    await preview(typed);
    const shown = modalText(await jon().seesModal('exactly this is sent to'));
    await jon().back();
    await send(typed);
    const { decision } = await decidedOf(ref);
    expect(decision.text.length).toBeGreaterThan(3_000);
    expect(parseEdits(decision.text)).toHaveLength(1);
    expect(shown).toContain(decision.text.slice(0, 200));
  });

  it('can’t be sent where no words tell which place is meant', async () => {
    const { ref, card } = await world.asks({}, { text: 'word '.repeat(10_000) });
    await jon().click('Edit…', { in: card });
    await jon().choose('Part to edit', 'Part 2 of 19');
    await jon().submit();
    await expect(send('other words')).rejects.toThrow('the crew couldn’t tell which place you mean');
    await jon().closeModal();
    expect((await world.approvalOf(ref)).status).toBe('pending');
  });

  it('gives back what was typed to those who may no longer decide', async () => {
    world.groups.members = { '@leads': ['UJON00002'] };
    const { ref, card } = await world.asks({ approvers: [parseApprover('@leads')].flatMap((it) => it ?? []) });
    await jon().click('Edit…', { in: card });
    world.groups.members = {};
    await preview('Another text.');
    await jon().seesModal('You aren’t one of those who can decide this');
    await jon().back();
    await send('Another text.');
    expect(modalText(await jon().seesModal('You aren’t one of those who can decide this'))).toContain('Another text.');
    await jon().closeModal();
    expect((await world.approvalOf(ref)).status).toBe('pending');
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
