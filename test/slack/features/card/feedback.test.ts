import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_POLICY, type FeedbackTemplate, parseApprover } from '../../../../src/core/policy/policy.ts';
import { modalText } from '../../../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../../../src/sandbox/slack-workspace/people-api.ts';
import { type ApprovalWorld, startApprovalWorld } from '../../request/approval-world.ts';

const FIELD = 'What should change?';
const SELECT = 'Start from a text';
const TONE = { name: 'Tone', text: 'Keep the facts.\nMake it <b>friendlier</b> & *shorter*.' };
const SOURCES = { name: 'Sources', text: 'Name every source.' };

let world: ApprovalWorld;
beforeAll(async () => {
  world = await startApprovalWorld();
});
afterAll(() => world.stop());

const jon = () => world.slack.as('jon');
const templates: FeedbackTemplate[] = [TONE, SOURCES];
const feedbackOf = async (ref: string) => {
  const request = await world.approvalOf(ref);
  return request.state.status === 'decided' ? request.state.decision.text : null;
};
const holds = (text: string) => expect.poll(() => jon().chosen(FIELD)).toEqual([text]);
const open = (card: Message) => jon().click('Reject…', { in: card });

describe('a template of feedback', () => {
  it('is sent exactly as it is written, once it was chosen and submitted', async () => {
    const { ref, card } = await world.asks({ templates });
    await open(card);
    await jon().choose(SELECT, 'Tone');
    await holds(TONE.text);
    expect(await feedbackOf(ref)).toBeNull();
    await jon().submit();
    expect(await feedbackOf(ref)).toBe(TONE.text);
  });

  it('joins what was typed already as a new paragraph, and so does the next one', async () => {
    const { ref, card } = await world.asks({ templates });
    await open(card);
    await jon().fill(FIELD, 'Too long. ');
    await jon().choose(SELECT, 'Sources');
    await holds(`Too long.\n\n${SOURCES.text}`);
    await jon().choose(SELECT, 'Tone');
    await holds(`Too long.\n\n${SOURCES.text}\n\n${TONE.text}`);
    await jon().submit();
    expect(await feedbackOf(ref)).toBe(`Too long.\n\n${SOURCES.text}\n\n${TONE.text}`);
  });

  it('can be changed before it is sent', async () => {
    const { ref, card } = await world.asks({ templates });
    await open(card);
    await jon().choose(SELECT, 'Sources');
    await holds(SOURCES.text);
    await jon().fill(FIELD, 'Name two sources.');
    await jon().submit();
    expect(await feedbackOf(ref)).toBe('Name two sources.');
  });

  it('is left out, and the person told so, where there is no room for it', async () => {
    const { ref, card } = await world.asks({ templates });
    const typed = 'x'.repeat(2_990);
    await open(card);
    await jon().fill(FIELD, typed);
    await jon().choose(SELECT, 'Sources');
    await jon().seesModal('“Sources” was not added: with it, the feedback would be longer than 3,000 characters.');
    await jon().submit();
    expect(await feedbackOf(ref)).toBe(typed);
  });

  it('is that of the task', async () => {
    const match = 'Task *';
    const { card } = await world.asks({
      templates,
      tasks: [{ ...DEFAULT_POLICY, match, looksAt: 'name', templates: [SOURCES] }],
    });
    await open(card);
    await expect(jon().choose(SELECT, 'Tone')).rejects.toThrow('options: Sources');
    await jon().closeModal();
  });

  it('is not offered where the policy has none', async () => {
    const { card } = await world.asks({});
    await open(card);
    expect(modalText(await jon().seesModal(FIELD))).not.toContain(SELECT);
    await jon().closeModal();
  });

  it('is not shown to a person who may no longer decide, who keeps what they typed', async () => {
    world.groups.members = { '@leads': ['UJON00002'] };
    const { ref, card } = await world.asks({
      templates: [{ name: 'Tone', text: 'Keep the sources secret.' }],
      approvers: [parseApprover('@leads')].flatMap((it) => it ?? []),
    });
    await open(card);
    await jon().fill(FIELD, 'All of it.');
    world.groups.members = {};
    await jon().choose(SELECT, 'Tone');
    await jon().seesModal('You aren’t allowed to decide this. Who can decide: @leads.');
    await jon().seesModal('Ask them');
    await jon().waitFor('what was typed', ({ modals }) => {
      const [form] = modals;
      return form && JSON.stringify(form.inputs).includes('All of it.') && form;
    });
    expect(JSON.stringify(world.slack.calls())).not.toContain('Keep the sources secret.');
    await jon().closeModal();
    expect((await world.approvalOf(ref)).state.status).toBe('pending');
  });
});

describe('feedback that a person has sent before', () => {
  const sends = async (text: string, crewName: string) => {
    const { card } = await world.asks({ templates }, { crewName });
    await open(card);
    await jon().fill(FIELD, text);
    await jon().submit();
  };

  it('is offered to them again, the last three, for the same crew', async () => {
    const crewName = 'again';
    for (const text of ['One.', 'Two.', TONE.text, '- Replace “a” with “b”.', 'Three.', 'Two.'])
      await sends(text, crewName);
    const { ref, card } = await world.asks({ templates }, { crewName });
    await open(card);
    await expect(jon().choose(SELECT, 'Four.')).rejects.toThrow('options: Tone, Sources, Two., Three.');
    await jon().choose(SELECT, 'Two.');
    await holds('Two.');
    await jon().choose(SELECT, 'Sources');
    await holds(`Two.\n\n${SOURCES.text}`);
    await jon().seesModal(`${`Two.\n\n${SOURCES.text}`.length} of 3,000 characters.`);
    await jon().submit();
    expect(await feedbackOf(ref)).toBe(`Two.\n\n${SOURCES.text}`);
  });

  it('is not offered to others, or for other crews', async () => {
    await sends('Mine.', 'mine');
    const { card } = await world.asks({}, { crewName: 'mine' });
    await world.slack.as('aiko').click('Reject…', { in: card });
    expect(modalText(await world.slack.as('aiko').seesModal(FIELD))).not.toContain(SELECT);
    await world.slack.as('aiko').closeModal();
    await open((await world.asks({}, { crewName: 'another' })).card);
    expect(modalText(await jon().seesModal(FIELD))).not.toContain(SELECT);
    await jon().closeModal();
  });
});

describe('a message that is used as feedback', () => {
  const use = (message: Message) => jon().messageShortcut('Use as feedback', message);

  it('fills the feedback on the request of its thread, which is sent once it is submitted', async () => {
    const { ref, card } = await world.asks({});
    const reply = await world.slack.as('aiko').reply(card, 'Ask @maria & see https://a.example, a < b');
    await use(reply);
    await holds('Ask @Maria Alvarez & see https://a.example, a < b');
    expect((await world.approvalOf(ref)).state.status).toBe('pending');
    await jon().fill(FIELD, 'Ask Maria.');
    await jon().submit();
    expect(await feedbackOf(ref)).toBe('Ask Maria.');
    await use(reply);
    await jon().seesModal('already rejected this');
    await jon().closeModal();
  });

  it('may be one of the bot, and the card itself', async () => {
    const { card } = await world.asks({});
    await use(card);
    await jon().seesModal('What should change?');
    expect((await jon().chosen(FIELD)).join()).toContain('Task');
    await jon().closeModal();
  });

  it('is cut to what the field holds, and meant for the newest of several requests', async () => {
    const { ref, card } = await world.asks({});
    await world.asksAgain(ref, 'Summary');
    await use(await jon().reply(card, 'long '.repeat(700)));
    await jon().seesModal('The message has 3,499 characters; the first 3,000 are here.');
    await jon().seesModal('2 approvals are open in this thread; this is about the newest, “Summary”.');
    expect((await jon().chosen(FIELD)).join()).toHaveLength(3_000);
    await jon().closeModal();
  });

  it('shows nothing to a person who may not decide', async () => {
    const { card } = await world.asks({ approvers: [parseApprover('UPRIYA004')].flatMap((it) => it ?? []) });
    await use(await jon().reply(card, 'Shorter.'));
    const told = modalText(await jon().seesModal('You aren’t allowed to decide this.'));
    expect(told).not.toContain(FIELD);
    await jon().closeModal();
  });

  it('is refused where no run is in progress, or it has not asked for anything', async () => {
    await use(await jon().say('#decide', 'Shorter.'));
    await jon().seesModal('This message isn’t in the thread of a run in progress.');
    await jon().closeModal();
    await use(await world.startsQuietly('quiet'));
    await jon().seesModal('*quiet* hasn’t asked for approval in this thread');
    await jon().closeModal();
  });
});

it('the form begins with its field, and ends with which request it is about, whose text it doesn’t repeat', async () => {
  const { card } = await world.asks({ templates }, { text: 'A good start.' });
  await open(card);
  const form = await jon().seesModal(FIELD);
  const [field, offered, decline, about, ...more] = form.blocks;
  expect(field).toMatchObject({ type: 'input', element: { type: 'plain_text_input', focus_on_load: true } });
  expect(offered).toMatchObject({
    elements: [{ type: 'static_select', option_groups: [{ label: { text: 'Templates' } }] }],
  });
  expect(decline).toMatchObject({ accessory: { action_id: 'decline', text: { text: 'Decline…' } } });
  expect(JSON.stringify(about)).toMatch(/Task \d+ · crew-\d+ · tea/);
  expect(more).toEqual([]);
  expect(modalText(form)).not.toContain('A good start.');
  await jon().closeModal();
});

it('a text that was added becomes the reason of a decline, and a reason isn’t offered as feedback later', async () => {
  const crewName = 'declined';
  const { ref, card } = await world.asks({ templates }, { crewName });
  await open(card);
  await jon().choose(SELECT, 'Sources');
  await holds(SOURCES.text);
  await jon().click('Decline…', { in: 'modal' });
  await jon().seesModal('Declining is final');
  await jon().submit();
  expect(await world.approvalOf(ref)).toMatchObject({
    state: { status: 'declined', decision: { feedback: SOURCES.text } },
  });
  await open((await world.asks({}, { crewName })).card);
  expect(modalText(await jon().seesModal(FIELD))).not.toContain(SELECT);
  await jon().closeModal();
});
