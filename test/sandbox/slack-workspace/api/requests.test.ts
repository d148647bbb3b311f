import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isObject, type JsonObject, parseJson } from '../../../../src/sandbox/slack-workspace/json.ts';
import { DEFAULT_APP } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

const DOCS = 'https://docs.slack.dev';
const AUTH_TEST = `${DOCS}/reference/methods/auth.test#errors`;
const JSON_RULES = `${DOCS}/apis/web-api#json-encoded-bodies`;
const FORM = 'application/x-www-form-urlencoded';

let playground: Playground;
let bot: string;
let bearer: string;
beforeAll(async () => {
  playground = await workspaceWithApp({
    rateLimits: 'off',
    app: { scopes: [...DEFAULT_APP.scopes, 'channels:join'] },
  });
  bot = playground.slack.botToken;
  bearer = `Bearer ${bot}`;
});
afterAll(() => playground.close());

type Request = { type?: string; body?: string; bearer?: string; query?: string; verb?: 'GET' | 'POST' };

async function send(method: string, request: Request): Promise<JsonObject> {
  const { type, body, query = '', verb = 'POST' } = request;
  const response = await fetch(`${playground.slack.apiUrl}${method}${query}`, {
    method: verb,
    headers: { ...(type && { 'content-type': type }), ...(request.bearer && { authorization: request.bearer }) },
    // As bytes, since fetch would name a type for text.
    ...(body !== undefined && { body: Buffer.from(body) }),
  });
  const answer = parseJson(await response.text());
  return isObject(answer) ? answer : {};
}

describe('Slack looks for the token', () => {
  it.each<[string, string, () => Request, string | undefined]>([
    ['in the header of a form', `${DOCS}/apis/web-api#authentication`, () => ({ bearer }), undefined],
    ['in a form', `${DOCS}/apis/web-api#authentication`, () => ({ type: FORM, body: `token=${bot}` }), undefined],
    ['in the header of a GET', `${DOCS}/apis/web-api#authentication`, () => ({ bearer, verb: 'GET' }), undefined],
    [
      'in a form before the header',
      'https://github.com/denoland/clawpatrol/pull/116',
      () => ({ type: FORM, body: 'token=xoxb-wrong', bearer }),
      'invalid_auth',
    ],
    [
      'not in the query',
      `${DOCS}/changelog/2020-11-no-more-tokens-in-querystrings-for-newly-created-apps`,
      () => ({ query: `?token=${bot}` }),
      'invalid_auth',
    ],
    [
      'not in the query, even beside a header',
      'https://github.com/slack-rs/slack-rs-api/issues/107',
      () => ({ query: `?token=${bot}`, bearer }),
      'invalid_auth',
    ],
    [
      'not in JSON',
      JSON_RULES,
      () => ({ type: 'application/json; charset=utf-8', body: JSON.stringify({ token: bot }) }),
      'not_authed',
    ],
    [
      'not in JSON, even beside a header',
      JSON_RULES,
      () => ({ type: 'application/json; charset=utf-8', body: '{"token":"xoxb-wrong"}', bearer }),
      undefined,
    ],
    ['in no other kind of header', AUTH_TEST, () => ({ bearer: bot }), 'not_authed'],
  ])('%s (%s)', async (_, __, request, error) => {
    const answer = await send('auth.test', request());
    expect(answer).toMatchObject(error === undefined ? { ok: true } : { ok: false, error });
  });
});

describe('a token is refused', () => {
  afterEach(() => playground.slack.admin.reactivate('signoff'));

  it(`of a bot that was deactivated (${AUTH_TEST})`, async () => {
    playground.slack.admin.deactivate('signoff');
    expect((await playground.call('auth.test')).body).toEqual({ ok: false, error: 'account_inactive' });
    playground.slack.admin.reactivate('signoff');
    expect((await playground.call('auth.test')).body).toMatchObject({ ok: true });
  });

  it(`for a connection that isn't asked for by POST (${DOCS}/reference/methods/apps.connections.open#errors)`, async () => {
    const answer = await send('apps.connections.open', {
      verb: 'GET',
      bearer: `Bearer ${playground.slack.appToken}`,
    });
    expect(answer).toEqual({ ok: false, error: 'insecure_request' });
  });
});

describe('a request', () => {
  it.each<[string, string, Request, string]>([
    ['with a body of no type', AUTH_TEST, { body: 'x=1' }, 'missing_post_type'],
    ['with a body of another type', AUTH_TEST, { type: 'text/html', body: 'x=1' }, 'invalid_post_type'],
    ['in a charset of old', AUTH_TEST, { type: `${FORM}; charset=utf-16`, body: 'x=1' }, 'invalid_charset'],
    ['with a torn form', AUTH_TEST, { type: 'multipart/form-data; boundary=x', body: 'torn' }, 'invalid_form_data'],
    ['with odd names', AUTH_TEST, { type: FORM, body: 'no-name=1' }, 'invalid_arg_name'],
    [
      'with a list for an object',
      JSON_RULES,
      { type: 'application/json; charset=utf-8', body: '[]' },
      'json_not_object',
    ],
  ])('%s is refused (%s)', async (_, __, request, error) => {
    expect(await send('auth.test', { ...request, bearer })).toMatchObject({ ok: false, error });
  });
});

describe('an answer warns', () => {
  const JSON_CHARSET = 'https://github.com/ansible-collections/community.general/issues/3932';
  const FORM_CHARSET = 'https://github.com/slackapi/python-slack-sdk/issues/692';
  it.each<[string, string, Request, string | undefined]>([
    ['of JSON that names no charset', JSON_CHARSET, { type: 'application/json', body: '{}' }, 'missing_charset'],
    ['of a form that names one', FORM_CHARSET, { type: `${FORM};charset=UTF-8`, body: 'x=1' }, 'superfluous_charset'],
    ['nobody of JSON with a charset', JSON_CHARSET, { type: 'application/json; charset=utf-8', body: '{}' }, undefined],
    ['nobody of a form without one', FORM_CHARSET, { type: FORM, body: 'x=1' }, undefined],
    ['nobody without a body', FORM_CHARSET, {}, undefined],
  ])('%s (%s)', async (_, __, request, warning) => {
    const said = warning === undefined ? {} : { warning, response_metadata: { warnings: [warning] } };
    const { ok, warning: code, response_metadata } = await send('auth.test', { ...request, bearer });
    expect({ ok, warning: code, response_metadata }).toEqual({ ok: true, ...said });
    const refused = await send('auth.test', request);
    expect(refused).toEqual({ ok: false, error: 'not_authed', ...said });
  });

  it(`that the app is in the channel already (${DOCS}/reference/methods/conversations.join)`, async () => {
    const first = await playground.call('conversations.join', { channel: 'C0RANDOM05' });
    expect(first.body).toMatchObject({ ok: true, channel: { is_member: true } });
    expect(first.body).not.toHaveProperty('warning');
    expect((await playground.call('conversations.join', { channel: 'C0RANDOM05' })).body).toMatchObject({
      ok: true,
      channel: { id: 'C0RANDOM05', is_member: true },
      warning: 'already_in_channel',
      response_metadata: { warnings: ['already_in_channel'] },
    });
  });
});
