import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';
import { DEFAULT_APP } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import { actions, button, section } from '../support/blocks.ts';
import { sharedWorkspace } from '../support/scripted-app.ts';

// https://docs.slack.dev/messaging/formatting-message-text#attachments
const GENERAL = 'C0GENERAL1';
const ERRORS = 'https://docs.slack.dev/reference/methods/chat.postMessage#errors';

const playground = sharedWorkspace({
  rateLimits: 'off',
  app: { scopes: [...DEFAULT_APP.scopes, 'channels:history'] },
});

const call = async (method: string, args: JsonObject) =>
  (await playground.call(method, { channel: GENERAL, ...args })).body;
const post = (attachments: Json, more: JsonObject = {}) => call('chat.postMessage', { attachments, ...more });
const many = (count: number) => Array.from({ length: count }, (_, index) => ({ text: `${index}` }));

describe('attachments of a message', () => {
  it('are numbered, kept, read back and shown', async () => {
    const attachments = [
      {
        color: '#36a64f',
        title: 'Release 2.4',
        fields: [{ title: 'Status', value: 'Ready', short: true }],
        ts: 123456789,
      },
      { fallback: 'In blocks', blocks: [section('All of it')] },
      { fallback: 'No more than this' },
    ];
    const posted = await post(attachments);
    const numbered = [
      { ...attachments[0], id: 1 },
      { ...attachments[1], id: 2, blocks: [{ ...section('All of it'), block_id: expect.any(String) }] },
      { ...attachments[2], id: 3 },
    ];
    expect(posted).toMatchObject({ ok: true, message: { text: '', attachments: numbered } });
    const { body } = await playground.callForm('conversations.history', { channel: GENERAL, limit: '1' });
    expect(body.messages).toMatchObject([{ ts: posted.ts, attachments: numbered }]);
    const replies = await playground.callForm('conversations.replies', { channel: GENERAL, ts: String(posted.ts) });
    expect(replies.body.messages).toMatchObject([{ attachments: numbered }]);
    await playground.slack.as('maria').sees('#general', 'Release 2.4\nStatus\nReady\nAll of it\nNo more than this');
  });

  it('are taken from a form, too', async () => {
    const attachments = JSON.stringify([{ text: 'from a form' }]);
    const { body } = await playground.callForm('chat.postMessage', { channel: GENERAL, attachments });
    expect(body).toMatchObject({ ok: true, message: { attachments: [{ id: 1, text: 'from a form' }] } });
  });

  // https://github.com/slackapi/slack-api-specs/blob/master/web-api/slack_web_openapi_v2.json
  it('stay in an update that has none, and go with an empty list', async () => {
    const { ts = '' } = await post([{ text: 'kept' }], { text: 'x' });
    const kept = await call('chat.update', { ts, text: 'y' });
    expect(kept).toMatchObject({ ok: true, text: 'y', message: { attachments: [{ id: 1, text: 'kept' }] } });
    const replaced = await call('chat.update', { ts, attachments: [{ text: 'other' }] });
    expect(replaced).toMatchObject({ ok: true, text: 'y', message: { attachments: [{ id: 1, text: 'other' }] } });
    expect((await call('chat.update', { ts, attachments: [] })).message).not.toHaveProperty('attachments');
  });

  it('are shown to one person, too', async () => {
    const whisper = { user: 'UMARIA001', attachments: [{ text: 'psst' }] };
    expect(await call('chat.postEphemeral', whisper)).toMatchObject({ ok: true });
    await playground.slack.as('maria').seesPrivately('#general', 'psst');
  });
});

describe('attachments are refused', () => {
  it.each<[string, string, Json, string]>([
    ['101 of them', ERRORS, many(101), 'too_many_attachments'],
    ['not in a list', ERRORS, { text: 'x' }, 'invalid_attachments'],
    ['that are no objects', ERRORS, ['x'], 'invalid_attachments'],
    [
      'with wrong blocks',
      'https://docs.slack.dev/reference/methods/chat.postEphemeral#errors',
      [{ blocks: [section('x'.repeat(3001))] }],
      'invalid_attachments',
    ],
    [
      'with over 10,000 characters in a table',
      'https://docs.slack.dev/reference/block-kit/blocks/table-block',
      [{ blocks: [{ type: 'table', rows: [[{ type: 'raw_text', text: 'x'.repeat(10_001) }]] }] }],
      'invalid_attachments',
    ],
    [
      'with text beside blocks',
      'https://github.com/slack-go/slack/issues/784',
      [{ text: 'x', blocks: [section('x')] }],
      'invalid_attachments',
    ],
    [
      'with flags beside blocks',
      'https://github.com/slackapi/java-slack-sdk/issues/184',
      [{ is_app_unfurl: false, blocks: [section('x')] }],
      'invalid_attachments',
    ],
    ['with actions, which this workspace lacks', 'not in Slack', [{ text: 'x', actions: [] }], 'invalid_attachments'],
  ])('%s (%s)', async (_, __, attachments, error) => {
    const { ts = '' } = await post(many(1));
    expect(await post(attachments)).toMatchObject({ ok: false, error });
    expect(await call('chat.update', { ts, attachments })).toMatchObject({ ok: false, error });
    expect(await call('chat.postEphemeral', { user: 'UMARIA001', attachments })).toMatchObject({ ok: false, error });
  });

  it(`never up to 100 (${ERRORS})`, async () => {
    expect(await post(many(100))).toMatchObject({ ok: true });
  });

  it('with words that say where', async () => {
    expect(await post([{ text: 'x' }, { blocks: [section('')] }])).toMatchObject({
      errors: [expect.stringContaining('[json-pointer:/attachments/1/blocks/0/text/text]')],
    });
  });
});

describe('a click on a button in an attachment', () => {
  it('says which attachment it was, and is answered like any other', async () => {
    // https://docs.slack.dev/messaging/creating-interactive-messages
    const { slack, app } = playground;
    const approval = { color: 'good', blocks: [section('Release?'), actions(button('Approve'))] };
    const { ts = '' } = await post([{ text: 'first' }, approval]);
    const maria = slack.as('maria');
    await maria.click('Approve', { in: await maria.sees('#general', 'Release?') });
    const payload = app.received.at(-1)?.payload;
    expect(payload).toMatchObject({
      type: 'block_actions',
      container: { type: 'message_attachment', attachment_id: 2, message_ts: ts, is_app_unfurl: false },
      message: { attachments: [{ id: 1 }, { id: 2 }] },
      actions: [{ action_id: 'approve', block_id: 'actions' }],
    });
    const body = JSON.stringify({ replace_original: 'true', attachments: [{ text: 'Approved' }] });
    expect((await fetch(String(payload?.response_url), { method: 'POST', body })).status).toBe(200);
    expect(slack.messages().at(-1)).toMatchObject({ ts, attachments: [{ id: 1, text: 'Approved' }] });
  });
});
