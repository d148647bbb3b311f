import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KickoffAnswer } from '../../../../src/core/execution/events.ts';
import type { ListenerContext } from '../../../../src/slack/listening/context.ts';
import { redisForTests } from '../../../redis/store-under-test.ts';
import { submissionPayload } from '../../../support/slack-server.ts';
import { CHANNEL, DIRECTORY, GUARDED, KICKER } from '../../app/listeners/requests/cast.ts';
import { createDispatching } from '../../app/listeners/requests/dispatching.ts';
import { startObligingSlack } from '../../app/listeners/requests/outcome.ts';
import type { AnsweringSlack } from '../../directory/answering-slack.ts';

const { redis } = redisForTests();

let slack: AnsweringSlack;
beforeAll(async () => {
  slack = await startObligingSlack();
});
afterAll(() => slack.close());

const REFUSAL = { code: 'bad-request', detail: 'inputs.topic: too short', missing: [] } as const;
const NAMELESS = {
  mentionsOf: async () => [],
  approverNames: async () => (name: string) => name,
};
const TYPED = { 'input:text:topic': { input: { type: 'plain_text_input', value: 'tea' } } };

/** A form of its own for each test. */
let attempts = 0;

/** What Slack is answered, and what is stored, if the crew answers like this; null for a crew that doesn't. */
async function submitted(answer: KickoffAnswer | null, sharing = 'own') {
  const { store, send } = createDispatching(redis(), slack, { startAnswer: answer });
  attempts += 10;
  const attempt = attempts;
  const metadata = JSON.stringify({ crew: GUARDED.name, channel: CHANNEL, attempt, sharing });
  const payload = submissionPayload({ callbackId: 'kickoff', metadata, values: TYPED }, { by: KICKER });
  const begun = performance.now();
  const ref = `form-${attempt}`;
  const { acks } = await send(Object(payload), { kind: 'view_submission', crew: GUARDED, createRef: () => ref });
  const { execution = null } = (await store.load(ref)) ?? {};
  return { ack: acks[0], attempt, execution, tookMs: performance.now() - begun };
}

describe.concurrent('a submitted form', () => {
  it('closes once the crew has accepted, and no notice follows', async () => {
    const { ack, execution } = await submitted({ kind: 'accepted', kickoffId: 'k1' });
    expect(ack).toEqual({ response_action: 'clear' });
    expect(execution).toMatchObject({ run: { status: 'running' }, starterNotice: { status: 'told' } });
  });

  it('comes back with the field marked that the crew refused, for another submission', async () => {
    const { ack, attempt, execution } = await submitted({ kind: 'refused', refusal: { ...REFUSAL, missing: [] } });
    expect(ack).toMatchObject({ response_action: 'update', view: { callback_id: 'kickoff' } });
    const shown = JSON.stringify(ack);
    for (const words of ['⚠️ topic', 'too short', '"initial_value":"tea"', `\\"attempt\\":${attempt + 1}`])
      expect(shown).toContain(words);
    expect(execution).toMatchObject({ run: { status: 'not-started' }, starterNotice: { status: 'told' } });
  });

  it('says no more than that a start isn’t confirmed', async () => {
    const { ack } = await submitted({ kind: 'unknown', doubt: 'no-answer' });
    expect(ack).toMatchObject({ view: { callback_id: 'kickoff_progress', title: { text: 'Start not confirmed' } } });
  });

  it('says within Slack’s three seconds that the start is under way, and leaves the rest to the notice', async () => {
    const { ack, execution, tookMs } = await submitted(null);
    expect(ack).toMatchObject({ response_action: 'update', view: { title: { text: 'Starting…' } } });
    expect(tookMs).toBeGreaterThan(2_400);
    expect(execution).toMatchObject({ run: { status: 'starting' }, starterNotice: { status: 'none' } });
  });

  it('says that the crew is asked again where it could not be reached', async () => {
    const { ack } = await submitted({ kind: 'unavailable', reason: 'busy', waitMs: null });
    expect(JSON.stringify(ack)).toContain('Signoff is trying again');
  });

  it('starts nothing in a shared channel unless its starter agreed', async () => {
    const { ack, execution } = await submitted({ kind: 'accepted', kickoffId: 'k1' }, 'shared');
    expect(ack).toMatchObject({ response_action: 'errors', errors: { sharing: expect.any(String) } });
    expect(execution).toBeNull();
  });
});

describe('a submitted choice of a crew and a channel', () => {
  /** The answer where Slack and the crew say this; the message is the only thing that was typed. */
  async function chosen(
    {
      channel = {} as object | 'silence',
      members = [KICKER] as string[] | null,
      messageLength = null as number | null,
      into = {},
    },
    change: Partial<ListenerContext> = {},
  ) {
    slack.answers['conversations.info'] = () =>
      channel === 'silence' ? channel : { channel: { is_member: true, is_private: true, ...channel } };
    const directory = { ...NAMELESS, ...DIRECTORY, membersOf: async () => members && new Set(members) };
    const metadata = JSON.stringify({ crew: GUARDED.name, preset: null, presetBy: 'crew', messageLength });
    const values = { 'channel:': { any: { type: 'conversations_select', selected_conversation: CHANNEL } }, ...into };
    const payload = submissionPayload({ callbackId: 'choose_start', metadata, values }, { by: KICKER });
    const { send } = createDispatching(redis(), slack);
    const { acks } = await send(Object(payload), { kind: 'view_submission', crew: GUARDED, directory, ...change });
    return acks[0];
  }
  const atChannel = (problem: string) => ({
    response_action: 'errors',
    errors: { 'channel:': expect.stringContaining(problem) },
  });

  it('shows the form on top of the choice, for the channel that was chosen', async () => {
    const ack = await chosen({});
    expect(ack).toMatchObject({ response_action: 'push', view: { callback_id: 'kickoff', close: { text: 'Back' } } });
    expect(JSON.stringify(ack)).toContain(`The run gets a thread in <#${CHANNEL}>.`);
  });

  it.each([
    ['the bot isn’t in', { channel: { is_member: false } }, 'Type /invite @signoff there'],
    ['is archived', { channel: { is_archived: true } }, 'archived'],
    ['the person isn’t in', { members: ['UOTHER001'] }, 'You aren’t in this channel.'],
    ['Slack doesn’t answer about', { channel: 'silence' as const }, 'Slack can’t tell'],
    ['Slack can’t tell who is in', { members: null }, 'Slack can’t tell'],
    [
      'Slack can’t tell whether it is private',
      { channel: { is_private: undefined }, members: null },
      'Slack can’t tell',
    ],
  ])('says beside a channel that %s what to do', async (_, given, problem) => {
    expect(await chosen(given)).toEqual(atChannel(problem));
  });

  it('takes a public channel that the person isn’t in', async () => {
    expect(await chosen({ channel: { is_private: false }, members: [] })).toMatchObject({ response_action: 'push' });
  });

  it.each([
    ['can’t be reached', async () => ({ kind: 'unreachable' as const }), 'can’t be reached'],
    ['is busy', async () => ({ kind: 'busy' as const }), 'is starting or busy'],
    ['answers with an error', async () => ({ kind: 'error' as const }), 'didn’t say which inputs it needs'],
    ['is slow', () => new Promise<never>(() => {}), 'slow to say which inputs it needs. Press Next again'],
  ])('says so where the crew %s', async (_, inputs, problem) => {
    expect(await chosen({}, { crewInputs: { inputs } })).toEqual(atChannel(problem));
  });

  it('begins the form with the message, and says where the crew takes no text any more', async () => {
    const message = { message: { any: { type: 'plain_text_input', value: 'About tea' } } };
    const ack = await chosen({ messageLength: 9, into: message });
    expect(JSON.stringify(ack)).toContain('"initial_value":"About tea"');
    const none: ListenerContext['crewInputs'] = { inputs: async () => ({ kind: 'inputs', names: [], skipped: [] }) };
    expect(await chosen({ messageLength: 9, into: message }, { crewInputs: none })).toEqual(
      atChannel('has no text input'),
    );
    const other = { ...message, 'into:x': { any: { type: 'static_select', selected_option: { value: 'gone' } } } };
    const notOffered = { 'into:x': 'This choice is no longer offered. Choose again.' };
    expect(await chosen({ messageLength: 9, into: other })).toMatchObject({ errors: notOffered });
  });
});
