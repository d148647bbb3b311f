import { WebClient } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { METHODS } from '../../../../src/sandbox/slack-workspace/api/call-method.ts';
import { LACKING_METHODS } from '../../../../src/sandbox/slack-workspace/api/lacking-methods.ts';
import { DEFAULT_APP } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import { sharedWorkspace } from '../support/scripted-app.ts';

/** The names of the methods that a client of @slack/web-api has. */
function methodsOf(node: object, path: readonly string[] = []): string[] {
  return Object.entries(node).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'function' && path.length > 0) return [[...path, name].join('.')];
    const isFamily = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
    return isFamily && !name.startsWith('_') ? methodsOf(value, [...path, name]) : [];
  });
}

it('Every method of @slack/web-api is either answered or known to be lacking', () => {
  // The client makes this one of three others.
  const slacks = methodsOf(new WebClient()).filter((name) => name !== 'files.uploadV2');
  expect([...Object.keys(METHODS), ...LACKING_METHODS].sort()).toEqual(slacks.sort());
});

const playground = sharedWorkspace();

describe('a call to the Web API', () => {
  it('needs a token', async () => {
    // https://docs.slack.dev/authentication/tokens
    const { call, slack } = playground;
    expect((await call('auth.test', {}, '')).body).toEqual({ ok: false, error: 'not_authed' });
    expect((await call('auth.test', {}, 'xoxb-wrong')).body).toEqual({ ok: false, error: 'invalid_auth' });
    expect((await call('team.info', {}, slack.appToken)).body).toEqual({ ok: false, error: 'not_allowed_token_type' });
    expect((await call('apps.connections.open')).body).toEqual({ ok: false, error: 'not_allowed_token_type' });
  });

  it('says who the token belongs to and which scopes it has', async () => {
    // https://docs.slack.dev/reference/methods/auth.test
    const { body, headers } = await playground.call('auth.test');
    expect(body).toMatchObject({
      ok: true,
      team_id: 'T0SANDBOX1',
      user_id: 'U0SIGNOFF1',
      bot_id: 'B0SIGNOFF1',
      url: expect.stringMatching(/^http:.*\/$/),
    });
    expect(headers.get('x-oauth-scopes')).toBe(DEFAULT_APP.scopes.join(','));
  });

  it('says of an app-level token which app it belongs to', async () => {
    // https://github.com/slackapi/java-slack-sdk/blob/main/slack-api-client/src/main/java/com/slack/api/methods/response/auth/AuthTestResponse.java
    const { body } = await playground.call('auth.test', {}, playground.slack.appToken);
    expect(body).toEqual({ ok: true, app_name: 'Signoff', app_id: 'A0SIGNOFF1' });
  });

  it('names the scope that is missing', async () => {
    // https://docs.slack.dev/authentication/installing-with-oauth#scopes
    const { body } = await playground.callForm('conversations.history', { channel: 'C0GENERAL1' });
    expect(body).toMatchObject({ ok: false, error: 'missing_scope', provided: DEFAULT_APP.scopes.join(',') });
    expect(body.needed).toContain('channels:history');
  });

  it('to a method that Slack has and the workspace lacks says so, also in the wire log', async () => {
    const { call, slack } = playground;
    const said = 'Slack has the method chat.scheduleMessage, but this workspace doesn’t.';
    expect((await call('chat.scheduleMessage')).body).toEqual({
      ok: false,
      error: 'unknown_method',
      req_method: 'chat.scheduleMessage',
      response_metadata: { messages: [`[ERROR] ${said}`] },
    });
    expect(slack.calls().at(-1)).toMatchObject({ outcome: 'error', broken: [{ detail: said }] });
  });

  it('refuses methods that don’t exist and bodies that aren’t JSON', async () => {
    const { call, slack } = playground;
    const unknown = await call('chat.shout');
    expect(unknown.body).toEqual({ ok: false, error: 'unknown_method', req_method: 'chat.shout' });
    const headers = { 'content-type': 'application/json; charset=utf-8', authorization: `Bearer ${slack.botToken}` };
    const response = await fetch(`${slack.apiUrl}chat.postMessage`, { method: 'POST', headers, body: '{' });
    expect(await response.json()).toEqual({ ok: false, error: 'invalid_json' });
  });

  it('reads arguments of reading methods from a form only', async () => {
    // https://docs.slack.dev/apis/web-api#post_bodies
    const { call, callForm } = playground;
    expect((await call('users.info', { user: 'UMARIA001' })).body.error).toBe('invalid_arguments');
    expect((await callForm('users.info', { user: 'UMARIA001' })).body.ok).toBe(true);
  });

  it('is recorded with its timing, its outcome and the rule it broke, its token blanked', async () => {
    const { callForm, slack } = playground;
    await callForm('chat.postMessage', { token: slack.botToken, channel: 'C0NOWHERE', text: 'x' });
    expect(slack.calls().at(-1)).toMatchObject({
      direction: 'from-app',
      name: 'chat.postMessage',
      request: { token: '…', channel: 'C0NOWHERE' },
      outcome: 'error',
      error: 'channel_not_found',
      status: 200,
      broken: [
        {
          code: 'channel_not_found',
          documentation: 'https://docs.slack.dev/reference/methods/chat.postMessage#errors',
        },
      ],
    });
  });
});
