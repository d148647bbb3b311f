import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callMethod, METHODS } from '../../../../src/sandbox/slack-workspace/api/call-method.ts';
import { assembleWorkspace } from '../../../../src/sandbox/slack-workspace/assemble-workspace.ts';
import { isObject, parseJson } from '../../../../src/sandbox/slack-workspace/json.ts';
import { DEFAULT_APP } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

const ALL_SCOPES = [...new Set([...DEFAULT_APP.scopes, ...Object.values(METHODS).flatMap((method) => method.scopes)])];

let playground: Playground;
let origin: string;
let bearer: { authorization: string };
beforeAll(async () => {
  playground = await workspaceWithApp({ rateLimits: 'off', admin: true, app: { scopes: ALL_SCOPES } });
  origin = new URL(playground.slack.apiUrl).origin;
  bearer = { authorization: `Bearer ${playground.slack.botToken}` };
});
afterAll(() => playground.close());

const DEEP = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
const PART = '--b\r\nContent-Disposition: form-data; name="text"\r\n\r\nhi\r\n';
const BODIES = [
  ...['', 'torn', '{', '[]', 'null', '"x"', '{"a":', '\0\xff\xfe', DEEP, '%', 'a=%E0%'],
  ...[PART, `${PART}--b`, '--b--'],
];
const FORM = 'multipart/form-data';
const TYPES = [
  ...[
    '',
    'application/json',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded',
    'text/plain',
    ';',
  ],
  ...[
    FORM,
    `${FORM}; boundary=b`,
    `${FORM}; boundary=`,
    `${FORM}; charset=x`,
    'Multipart/Form-Data; boundary=b',
    'text/html',
  ],
];

async function send(path: string, body: string, type: string, verb = 'POST') {
  const headers = { ...bearer, ...(type && { 'content-type': type }) };
  const response = await fetch(`${origin}${path}`, { method: verb, headers, body: Buffer.from(body, 'latin1') });
  return { status: response.status, said: await response.text() };
}

const CODES = [
  ...['invalid_json', 'json_not_object', 'invalid_form_data', 'invalid_post_type', 'missing_post_type'],
  ...['invalid_charset', 'invalid_arg_name'],
];

// https://docs.slack.dev/reference/methods/auth.test#errors
describe('a body that can’t be read', () => {
  it('is refused by the Web API with one of Slack’s own errors', async () => {
    const { slack } = playground;
    for (const type of TYPES)
      for (const body of BODIES) {
        const { status, said } = await send('/api/auth.test', body, type);
        const answer = parseJson(said);
        const isRead = isObject(answer) && answer.ok === true;
        expect({ type, body: body.slice(0, 40), status, said }).toMatchObject({ status: 200 });
        if (!isRead) expect(CODES).toContain(isObject(answer) ? answer.error : said);
      }
    expect(slack.calls().at(-1)).toMatchObject({ name: 'auth.test', direction: 'from-app' });
  });

  it('never makes any other address answer 500', async () => {
    const posted = ['faults', 'redeliver', 'workflows', 'functions/x', 'people', 'channels'];
    const put = ['people/maria', 'channels/general', 'groups/leads', 'features'];
    const addresses = [
      ...['/response/T0/1/x', '/upload/F0NOWHERE1', '/api/act?as=UMARIA001', '/api/uploads?as=UMARIA001&name=a.txt'],
      ...['/api/controls', '/nowhere', ...posted.map((path) => `/_sandbox/${path}`)],
    ].map((path) => ['POST', path]);
    // Each address meets each body and each type, though not each pair of them: one function reads them all.
    for (const [verb, path = ''] of [...addresses, ...put.map((path) => ['PUT', `/_sandbox/${path}`])])
      for (const [index, body] of BODIES.entries()) {
        const type = TYPES[index % TYPES.length] ?? '';
        const { status, said } = await send(path, body, type, verb);
        expect(status, `${verb} ${path} ${type} ${body.slice(0, 40)}: ${said}`).toBeLessThan(500);
      }
  });

  it('is refused by the address of an upload, which takes a readable one afterwards', async () => {
    const { body } = await playground.callForm('files.getUploadURLExternal', { filename: 'a.txt', length: '5' });
    const path = new URL(String(body.upload_url)).pathname;
    const type = 'multipart/form-data; boundary=b';
    expect(await send(path, PART, type)).toEqual({ status: 400, said: '{"ok":false}' });
    const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--b--\r\n';
    expect(await send(path, file, type)).toEqual({ status: 200, said: 'OK - 5' });
  });
});

const ODD = [{}, [null], -1, '[{}]'];
const NAMES = [
  ...['channel', 'user', 'users', 'ts', 'text', 'blocks', 'attachments', 'metadata', 'thread_ts', 'view', 'view_id'],
  ...['user_id', 'trigger_id', 'files', 'channel_id', 'channels', 'filename', 'length', 'limit', 'cursor', 'types'],
  ...['oldest', 'team_id', 'name', 'email', 'usergroup', 'status', 'title', 'prompts', 'function_execution_id'],
  ...['outputs', 'error', 'bot', 'file'],
];
const USUAL = { channel: 'C0GENERAL1', user: 'UMARIA001', user_id: 'UMARIA001', text: 'x', ts: '1.0', file: 'F1' };

it('Every method of the Web API answers arguments of every odd kind', async () => {
  for (const [method, { takesJson }] of Object.entries(METHODS)) {
    // The servers of this file close connections that they can't look after.
    await new Promise(setImmediate);
    const { workspace, end } = assembleWorkspace({ rateLimits: 'off', app: { scopes: ALL_SCOPES } }, () => origin);
    const call = { token: workspace.app.botToken, isJson: takesJson, isPost: true, warnings: [] };
    for (const name of NAMES)
      for (const value of ODD) {
        const answer = callMethod(workspace, { ...call, method, args: { ...USUAL, [name]: value } });
        if (typeof answer.body.ok !== 'boolean') throw new Error(`${method} ${name}=${JSON.stringify(value)}`);
      }
    end();
  }
});

describe('bytes after the last boundary of a form', () => {
  // https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1
  it.each([
    ['a second closing boundary', '--b--\r\n\r\n--b--\r\n'],
    ['an epilogue', '--b--\r\nThe end.'],
  ])('are ignored: %s', async (_, end) => {
    const type = 'multipart/form-data; boundary=b';
    const post = `${PART}--b\r\nContent-Disposition: form-data; name="channel"\r\n\r\nC0GENERAL1\r\n${end}`;
    const { said } = await send('/api/chat.postMessage', post, type);
    expect(parseJson(said)).toMatchObject({ ok: true, message: { text: 'hi' } });
    const { body } = await playground.callForm('files.getUploadURLExternal', { filename: 'a.txt', length: '5' });
    const file = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n${end}`;
    expect(await send(new URL(String(body.upload_url)).pathname, file, type)).toEqual({ status: 200, said: 'OK - 5' });
  });
});

describe('a request for another protocol', () => {
  /** As Java's HTTP client asks for HTTP/2. */
  const h2c = {
    connection: 'Upgrade, HTTP2-Settings',
    upgrade: 'h2c',
    'http2-settings': 'AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
  };

  async function ask(method: string, path: string, body = ''): Promise<string> {
    const sent = httpRequest(`${origin}${path}`, {
      method,
      headers: {
        ...bearer,
        ...h2c,
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      },
    });
    sent.end(body);
    return new Promise((resolve, reject) => {
      sent.on('response', (response) => resolve(text(response))).on('error', reject);
    });
  }

  // https://www.rfc-editor.org/rfc/rfc9110#section-7.8
  it('is answered over HTTP/1.1', async () => {
    expect(parseJson(await ask('GET', '/api/auth.test'))).toMatchObject({ ok: true, user_id: 'U0SIGNOFF1' });
    const posted = parseJson(
      await ask('POST', '/api/chat.postMessage', '{"channel":"C0GENERAL1","text":"über HTTP/1.1"}'),
    );
    expect(posted).toMatchObject({ ok: true, message: { text: 'über HTTP/1.1' } });
    const long = 'x'.repeat(200_000);
    expect(parseJson(await ask('POST', '/api/auth.test', JSON.stringify({ long })))).toMatchObject({ ok: true });
  });

  it('leaves the connection open for the next one', async () => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    const first = `GET /api/auth.test HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`;
    socket.write(first);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.end('GET /api/auth.test HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(await text(socket)).toContain('not_authed');
  });
});

it('An address that can’t be read is refused', async () => {
  for (const path of ['/api/%E0%A4', '/_sandbox/functions/%', '//']) {
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const sent = httpRequest(origin, { path }).on('response', (response) => resolve(response.resume().statusCode));
      sent.on('error', reject).end();
    });
    expect(answer, path).toBe(400);
  }
});
