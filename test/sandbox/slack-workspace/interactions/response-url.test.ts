import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';
import { actions, button } from '../support/blocks.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

// https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
const GENERAL = 'C0GENERAL1';
const THREAD_ISSUE = 'https://github.com/slackapi/node-slack-sdk/issues/674';

let playground: Playground;
let root: string;
let clicked: string;
beforeAll(async () => {
  playground = await workspaceWithApp({ rateLimits: 'off' });
});
afterAll(() => playground.close());

const post = async (args: JsonObject) =>
  String((await playground.call('chat.postMessage', { channel: GENERAL, ...args })).body.ts);

/** A button in a thread is clicked. */
beforeEach(async () => {
  root = await post({ text: 'root' });
  clicked = await post({ text: 'card', thread_ts: root, blocks: [actions(button('Approve'))] });
  const { slack, app } = playground;
  app.received.length = 0;
  const maria = slack.as('maria');
  const thread = (await maria.channel('#general')).find(({ ts }) => ts === root);
  if (!thread) throw new Error('no thread');
  await maria.click('Approve', { in: await maria.seesInThread(thread, 'Approve') });
});

async function respond(body: JsonObject): Promise<number> {
  const url = String(playground.app.received.at(-1)?.payload.response_url);
  return (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).status;
}
const stored = () => playground.slack.messages();
const original = () => stored().find(({ ts }) => ts === clicked);

describe('an answer to a click inside a thread', () => {
  it.each([
    ['goes to the channel, for the person only', {}, 'UMARIA001', false],
    ['goes to the channel, for all', { response_type: 'in_channel' }, undefined, false],
    ['goes to the thread that it names', { response_type: 'in_channel', thread_ts: 'root' }, undefined, true],
  ])(`%s (${THREAD_ISSUE})`, async (_, how, onlyFor, isReply) => {
    const named = 'thread_ts' in how ? { thread_ts: root } : {};
    expect(await respond({ text: 'answer', replace_original: false, ...how, ...named })).toBe(200);
    const answer = stored().at(-1);
    expect(answer?.text).toBe('answer');
    expect(answer?.onlyFor).toBe(onlyFor);
    expect(answer?.threadTs).toBe(isReply ? root : undefined);
  });
});

describe('an answer to a click', () => {
  // https://docs.slack.dev/messaging/message-metadata#defining
  it('is taken with metadata of no type, as slack-go sends it', async () => {
    const metadata = { event_type: '', event_payload: null };
    expect(await respond({ text: 'done', replace_original: true, metadata })).toBe(200);
    expect(original()).toMatchObject({ text: 'done' });
  });

  it.each([true, 'true'])('replaces the message with replace_original: %j', async (flag) => {
    expect(await respond({ text: 'done', replace_original: flag })).toBe(200);
    expect(original()).toMatchObject({
      text: 'done',
      blocks: [],
      threadTs: root,
      editedTs: expect.stringMatching(/\.000000$/),
    });
    expect(stored().at(-1)?.ts).toBe(clicked);
  });

  it.each([false, 'false'])('leaves it with replace_original: %j', async (flag) => {
    expect(await respond({ text: 'new', replace_original: flag })).toBe(200);
    expect(original()?.text).toBe('card');
    expect(stored().at(-1)?.text).toBe('new');
  });

  it.each([true, 'true'])('deletes the message with delete_original: %j', async (flag) => {
    expect(await respond({ delete_original: flag })).toBe(200);
    expect(original()).toBeUndefined();
  });

  it('deletes the message and brings a new one', async () => {
    expect(await respond({ delete_original: 'true', text: 'new', response_type: 'in_channel' })).toBe(200);
    expect(original()).toBeUndefined();
    expect(stored().at(-1)).toMatchObject({ text: 'new' });
  });

  it('says 400 where the message is gone', async () => {
    playground.slack.deleteMessage({ channel: GENERAL, ts: clicked });
    expect(await respond({ text: 'x', replace_original: 'true' })).toBe(400);
    expect(await respond({ delete_original: 'true' })).toBe(400);
  });

  it.each([{}, { replace_original: 'true' }])('is cut at 40,000 characters: %j', async (how) => {
    // https://docs.slack.dev/changelog/2018-truncating-really-long-messages
    expect(await respond({ text: 'x'.repeat(40_001), ...how })).toBe(200);
    expect(stored().at(-1)?.text).toHaveLength(40_000);
    expect(
      playground.slack
        .calls()
        .at(-1)
        ?.broken.map(({ code }) => code),
    ).toContain('message_truncated');
  });
});
