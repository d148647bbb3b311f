import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { section } from '../support/blocks.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

let playground: Playground;
beforeEach(async () => {
  playground = await workspaceWithApp({ ackLimitMs: 1_500 });
});
afterEach(() => playground.close());

describe('a slash command', () => {
  // https://docs.slack.dev/interactivity/implementing-slash-commands
  it('reaches the app as a form, signed', async () => {
    const { slack, app } = playground;
    await slack.as('maria').command('#general', '/kickoff', 'research  now');
    const [received] = app.received;
    expect(received?.payload).toMatchObject({
      command: '/kickoff',
      text: 'research  now',
      team_id: 'T0SANDBOX1',
      channel_id: 'C0GENERAL1',
      channel_name: 'general',
      user_id: 'UMARIA001',
      user_name: 'maria',
      api_app_id: 'A0SIGNOFF1',
      is_enterprise_install: 'false',
      response_url: expect.stringMatching(/^http/),
      trigger_id: expect.any(String),
      token: expect.any(String),
    });
    // https://docs.slack.dev/authentication/verifying-requests-from-slack
    const stamp = received?.headers['x-slack-request-timestamp'];
    const signature = createHmac('sha256', slack.signingSecret).update(`v0:${stamp}:${received?.raw}`).digest('hex');
    expect(received?.headers['x-slack-signature']).toBe(`v0=${signature}`);
    expect(Math.abs(Number(stamp) * 1000 - Date.now())).toBeLessThan(5000);
  });

  it('hides the names of private channels', async () => {
    await playground.slack.as('maria').command('#incidents', '/kickoff');
    expect(playground.app.received[0]?.payload).toMatchObject({ channel_name: 'privategroup' });
  });

  it('works where the app is no member', async () => {
    await playground.slack.as('maria').command('#random', '/kickoff');
    expect(playground.app.received).toHaveLength(1);
  });

  it('answers privately with text, or with a message to all', async () => {
    const { slack, app } = playground;
    app.reply = () => ({ body: 'Only you see this.' });
    await slack.as('maria').command('#general', '/kickoff');
    await slack.as('maria').seesPrivately('#general', 'Only you see this.');
    app.reply = () => ({ body: { response_type: 'in_channel', text: 'x', blocks: [section('Everybody does.')] } });
    await slack.as('maria').command('#general', '/kickoff');
    await slack.as('jon').sees('#general', 'Everybody does.');
  });

  // https://docs.slack.dev/interactivity/implementing-slash-commands#responding_response_url
  it('shows the command, as it was typed, before an answer to all, and to nobody before a private one', async () => {
    const { slack, app } = playground;
    app.reply = () => ({ body: { response_type: 'in_channel', text: 'Everybody sees it.' } });
    await slack.as('maria').command('#general', '/kickoff', 'research <now> for @jon');
    const said = async () => (await slack.as('jon').channel('#general')).map(({ userId, text }) => [userId, text]);
    expect((await said()).slice(-2)).toEqual([
      ['UMARIA001', '/kickoff research &lt;now&gt; for <@UJON00002>'],
      ['U0SIGNOFF1', 'Everybody sees it.'],
    ]);
    app.reply = () => ({ body: { response_type: 'in_channel' } });
    await slack.as('maria').command('#general', '/kickoff');
    expect((await said()).at(-1)).toEqual(['UMARIA001', '/kickoff']);
    app.reply = () => ({ body: { response_type: 'ephemeral', text: 'Only you.' } });
    await slack.as('maria').command('#general', '/kickoff', 'again');
    app.reply = () => ({ body: { response_type: 'in_channel', blocks: [{ type: 'nonsense' }] } });
    await expect(slack.as('maria').command('#general', '/kickoff', 'wrong')).rejects.toThrow('invalid_blocks');
    expect((await said()).at(-1)).toEqual(['UMARIA001', '/kickoff']);
  });

  it.each([
    ['is late', { delayMs: 2_000 }, 'app_timeout', '/kickoff failed because the app did not respond.'],
    ['answers with an error', { status: 500 }, 'app_error', '/kickoff failed with the error "http_service_error"'],
    ['answers 204', { status: 204 }, 'app_error', '/kickoff failed with the error "http_service_error"'],
    ['breaks the connection', { breaks: true }, 'app_unreachable', '/kickoff failed with the error "dispatch_failed"'],
    [
      'answers with bad blocks',
      { body: { blocks: [section('')] } },
      'app_error',
      '/kickoff failed with the error "invalid_blocks"',
    ],
  ])('tells the person when the app %s', async (_, reply, code, text) => {
    playground.app.reply = () => reply;
    const refused = playground.slack.as('maria').command('#general', '/kickoff');
    await expect(refused).rejects.toMatchObject({ problem: { code, text, at: 'composer' } });
  });

  it('tells the person when there is no app', async () => {
    await playground.app.close();
    const refused = playground.slack.as('maria').command('#general', '/kickoff');
    await expect(refused).rejects.toMatchObject({ problem: { code: 'app_unreachable' } });
    expect(playground.slack.calls().at(-1)).toMatchObject({
      direction: 'to-app',
      name: '/kickoff',
      outcome: 'unreachable',
    });
    playground.app.close = async () => {};
  });

  it('must exist, and doesn’t work in threads', async () => {
    const maria = playground.slack.as('maria');
    await expect(maria.command('#general', '/dance')).rejects.toMatchObject({ problem: { code: 'no_such_command' } });
    const root = await maria.say('#general', 'root');
    await expect(maria.reply(root, '/kickoff')).rejects.toMatchObject({
      problem: { code: 'not_in_threads', text: '/kickoff is not supported in threads. Sorry!' },
    });
    expect(playground.app.received).toEqual([]);
  });

  it('is there for guests but not for people of another organisation', async () => {
    // https://docs.slack.dev/apis/slack-connect
    await playground.slack.as('gina').command('#releases', '/kickoff');
    await expect(playground.slack.as('sam').command('#partners', '/kickoff')).rejects.toMatchObject({
      problem: { code: 'no_such_command' },
    });
  });

  it('needs a channel that the person can write in', async () => {
    await expect(playground.slack.as('maria').command('#launch-2025', '/kickoff')).rejects.toMatchObject({
      problem: { code: 'not_visible' },
    });
    await expect(playground.slack.as('gina').command('#general', '/kickoff')).rejects.toThrow('can’t see #general');
  });
});

describe('the workspace’s own commands', () => {
  it('bring the app into a channel and out again', async () => {
    const { slack, call } = playground;
    const maria = slack.as('maria');
    const post = async () => (await call('chat.postMessage', { channel: 'C0SECRET06', text: 'x' })).body.error;
    expect(await post()).toBe('channel_not_found');
    await maria.command('#leadership', '/invite', '@signoff');
    expect(await post()).toBeUndefined();
    await maria.command('#leadership', '/remove', '@signoff');
    expect(await post()).toBe('channel_not_found');
    await expect(maria.command('#leadership', '/invite', '@nobody')).rejects.toMatchObject({
      problem: { code: 'no_such_member' },
    });
  });

  it('archive a channel', async () => {
    await playground.slack.as('maria').command('#releases', '/archive');
    expect((await playground.call('chat.postMessage', { channel: 'C0RELEASE2', text: 'x' })).body.error).toBe(
      'is_archived',
    );
  });
});

describe('a response_url', () => {
  // https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
  const respond = async (url: unknown, body: object) => {
    const response = await fetch(String(url), { method: 'POST', body: JSON.stringify(body) });
    return { status: response.status, body: await response.json() };
  };

  it('takes five messages', async () => {
    const { slack, app } = playground;
    await slack.as('maria').command('#random', '/kickoff');
    const url = app.received[0]?.payload.response_url;
    for (let use = 1; use <= 5; use += 1) expect((await respond(url, { text: `answer ${use}` })).status).toBe(200);
    expect(await respond(url, { text: 'one more' })).toEqual({ status: 404, body: { ok: false, error: 'used_url' } });
    expect(await slack.as('maria').privately('#random')).toHaveLength(5);
    expect(slack.calls().at(-1)).toMatchObject({ name: 'response_url', error: 'used_url', status: 404 });
  });

  it('lives 30 minutes', async () => {
    await playground.close();
    let clock = Date.now();
    playground = await workspaceWithApp({ now: () => clock });
    await playground.slack.as('maria').command('#general', '/kickoff');
    const url = playground.app.received[0]?.payload.response_url;
    clock += 30 * 60_000 + 1;
    expect(await respond(url, { text: 'late' })).toEqual({ status: 404, body: { ok: false, error: 'expired_url' } });
  });

  it('is as strict as chat.postMessage', async () => {
    await playground.slack.as('maria').command('#general', '/kickoff');
    const url = playground.app.received[0]?.payload.response_url;
    expect(await respond(url, { blocks: [section('')] })).toEqual({
      status: 400,
      body: { ok: false, error: 'invalid_blocks' },
    });
    const headings = [{ type: 'markdown', text: '# Heading\n\n'.repeat(51) }];
    expect((await respond(url, { blocks: headings })).body).toEqual({ ok: false, error: 'msg_blocks_too_long' });
    expect(await respond(url, {})).toEqual({ status: 400, body: { ok: false, error: 'no_text' } });
    expect(await respond(url, [])).toEqual({ status: 400, body: { ok: false, error: 'invalid_payload' } });
  });

  it('leaves alone what the person typed', async () => {
    const { slack, app } = playground;
    await slack.as('maria').command('#general', '/kickoff');
    const url = app.received[0]?.payload.response_url;
    expect(await respond(url, { text: 'replaced', replace_original: 'true' })).toMatchObject({ status: 200 });
    expect(await respond(url, { text: 'deleted', delete_original: true })).toMatchObject({ status: 200 });
    const seen = await slack.as('maria').privately('#general');
    expect(seen.map(({ text }) => text)).toEqual(['replaced', 'deleted']);
  });
});
