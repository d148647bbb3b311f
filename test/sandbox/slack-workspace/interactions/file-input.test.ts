import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRemoteClient } from '../../../../src/sandbox/slack-workspace/driver/client.ts';
import { createPerson } from '../../../../src/sandbox/slack-workspace/driver/person.ts';
import type { JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';
import { DEFAULT_APP } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import { input, modal } from '../support/blocks.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

// https://docs.slack.dev/reference/block-kit/block-elements/file-input-element
let playground: Playground;
beforeEach(async () => {
  playground = await workspaceWithApp({ app: { scopes: [...DEFAULT_APP.scopes, 'files:read'] } });
});
afterEach(() => playground.close());

const received = () => playground.app.received.at(-1)?.payload ?? {};
const textFile = (name: string, text = name) => ({ name, bytes: Buffer.from(text) });

async function opened(element: JsonObject, more: JsonObject = {}) {
  await playground.slack.as('maria').command('#general', '/kickoff');
  const view = modal([input('Logs', { type: 'file_input', ...element }, more)]);
  return (await playground.call('views.open', { trigger_id: String(received().trigger_id), view })).body;
}

it('gives the app the files that a person in another process has chosen, to download with its token', async () => {
  await opened({});
  const maria = createPerson(createRemoteClient(playground.slack.pageUrl), 'UMARIA001');
  await maria.attach('Logs', [textFile('a.log', 'it broke'), textFile('b.png')]);
  expect(await maria.chosen('Logs')).toEqual(['a.log', 'b.png']);
  await maria.submit();
  // https://github.com/slackapi/bolt-js/pull/1995
  const file = { name: 'a.log', title: 'a.log', filetype: 'log', mimetype: 'text/plain', size: 8, user: 'UMARIA001' };
  expect(received()).toMatchObject({
    type: 'view_submission',
    view: { state: { values: { Logs: { Logs: { type: 'file_input', files: [file, { name: 'b.png' }] } } } } },
  });
  const [{ url_private }] = files() as [{ url_private: string }];
  const get = async (token: string) =>
    (await fetch(url_private, { headers: { authorization: `Bearer ${token}` } })).text();
  expect(await get(playground.slack.botToken)).toBe('it broke');
  expect(await get('xoxb-wrong')).toContain('Sign in');
});

function files(): unknown {
  const { view } = received() as { view: { state: { values: { Logs: { Logs: { files: unknown } } } } } };
  return view.state.values.Logs.Logs.files;
}

it('takes files of the types, and as many, as it says', async () => {
  await opened({ filetypes: ['log', 'txt'], max_files: 2 });
  const maria = playground.slack.as('maria');
  await expect(maria.submit()).rejects.toThrow('Please complete this required field.');
  await maria.attach('Logs', [textFile('a.LOG'), textFile('b.png')]);
  await expect(maria.submit()).rejects.toThrow('Please choose files of these types: log, txt.');
  await maria.attach(
    'Logs',
    ['a.log', 'b.log', 'c.txt'].map((name) => textFile(name)),
  );
  await expect(maria.submit()).rejects.toThrow('Please choose no more than 2.');
  await maria.attach('Logs', [textFile('a.LOG')]);
  await maria.submit();
  expect(received()).toMatchObject({ type: 'view_submission' });
});

it('may be left empty where it is optional, and takes nobody else’s files', async () => {
  await opened({}, { optional: true });
  const maria = playground.slack.as('maria');
  const upload = `${playground.slack.pageUrl}api/uploads?as=UJON00002`;
  expect((await fetch(upload, { method: 'POST', body: 'x' })).status).toBe(400);
  const stolen = await (await fetch(`${upload}&name=x.txt`, { method: 'POST', body: 'x' })).json();
  const act = `${playground.slack.pageUrl}api/act?as=UMARIA001`;
  const viewId = (await maria.modal())?.id;
  const inputs = { Logs: { Logs: { kind: 'files', files: [stolen] } } };
  await fetch(act, { method: 'POST', body: JSON.stringify({ type: 'submit', viewId, inputs }) });
  expect(files()).toEqual([]);
});

it('needs the scope files:read', async () => {
  await playground.close();
  playground = await workspaceWithApp();
  expect(await opened({})).toMatchObject({ ok: false, error: 'missing_scope', needed: 'files:read' });
});
