import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseApprover } from '../../../../src/core/approval/policy/policy.ts';
import { modalText } from '../../../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { type ApprovalWorld, startApprovalWorld } from '../approval/approval-world.ts';

let world: ApprovalWorld;
beforeAll(async () => {
  world = await startApprovalWorld();
});
afterAll(() => world.stop());

const jon = () => world.slack.as('jon');
const SECTION = 'A sentence of a long report. '.repeat(60).trim();
const LONG = `# First\n\n${SECTION}\n\n# Second\n\nThe end is near. ${SECTION}`;

/** What Jon sees when he has typed another text and asks for the preview. */
async function preview(text: string) {
  await jon().fill('Text', text);
  await jon().submit();
}

describe('editing', () => {
  it('sends the edits as feedback, after they were shown', async () => {
    const { ref, card } = await world.asks({}, { text: 'The board is **fast**.\n\n- It folds.\n- It flies.' });
    await jon().click('Edit…', { in: card });
    await preview('The board is **very fast**.\n\n- It flies.');
    await jon().seesModal('2 edits: exactly this is sent to');
    const [feedback] = await jon().chosen('Feedback');
    expect(feedback).toBe(
      'Make these edits, word for word:\n\n- Before “fast”, add “very ”.\n- Delete the line “- It folds.”.',
    );
    expect((await world.approvalOf(ref)).status).toBe('pending');
    await jon().submit();
    expect(await world.approvalOf(ref)).toMatchObject({ decision: { verdict: 'reject', feedback, text: feedback } });
  });

  it('keeps what was typed behind the preview, and sends what was added to it', async () => {
    const { ref, card } = await world.asks({}, { text: 'Too long.' });
    await jon().click('Edit…', { in: card });
    await preview('Short.');
    await jon().seesModal('1 edit: exactly this');
    await jon().back();
    expect(await jon().chosen('Text')).toEqual(['Short.']);
    await preview('Shorter.');
    await jon().fill('Feedback', 'Replace it, and mind the tone.');
    await jon().submit();
    expect(await world.approvalOf(ref)).toMatchObject({ decision: { text: 'Replace it, and mind the tone.' } });
  });

  it('says that nothing was changed', async () => {
    const { card } = await world.asks({}, { text: 'Too long. ' });
    await jon().click('Edit…', { in: card });
    await expect(preview(' Too long.\n')).rejects.toThrow('You changed nothing.');
    await jon().closeModal();
  });

  it('is of one part of a long text', async () => {
    const { ref, card } = await world.asks({}, { text: LONG });
    await jon().click('Edit…', { in: card });
    await jon().choose('Part to edit', 'Second');
    await jon().submit();
    const [text = ''] = await jon().chosen('Text');
    expect(text).toBe(`# Second\n\nThe end is near. ${SECTION}`);
    await preview(text.replace('near', 'far'));
    await jon().submit();
    expect(await world.approvalOf(ref)).toMatchObject({
      decision: { text: 'Make this edit, word for word:\n\n- Replace “near” with “far”.' },
    });
  });

  it('asks for fewer edits than feedback has room for, and keeps them', async () => {
    const words = (word: string) => Array.from({ length: 250 }, (_, i) => `${word}${i}`).join(' ');
    const { card } = await world.asks({}, { text: words('word') });
    await jon().click('Edit…', { in: card });
    const typed = words('something').slice(0, 2_990);
    await expect(preview(typed)).rejects.toThrow(/these edits have \d,\d{3} characters, and 3,000 are sent at most\./);
    expect(await jon().chosen('Text')).toEqual([typed]);
    await jon().closeModal();
  });

  it('gives back what was typed to those who may no longer decide', async () => {
    world.groups.members = { '@leads': ['UJON00002'] };
    const { ref, card } = await world.asks({ approvers: [parseApprover('@leads')].flatMap((it) => it ?? []) });
    await jon().click('Edit…', { in: card });
    world.groups.members = {};
    await preview('Another text.');
    expect(modalText(await jon().seesModal('You aren’t one of those who can decide this'))).toContain('Another text.');
    await jon().closeModal();
    expect((await world.approvalOf(ref)).status).toBe('pending');
  });

  it('is not possible of a text that is very long', async () => {
    const { card } = await world.asks({}, { text: `Start. ${'word '.repeat(40_000)}` });
    await jon().click('Edit…', { in: card });
    await jon().seesModal('This text is too long to be edited here: it has 200,007 characters');
    await jon().closeModal();
  });
});
