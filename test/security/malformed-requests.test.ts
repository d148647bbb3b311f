import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/bot.ts';
import type { Json } from '../../src/core/values/json.ts';
import { readableLog } from '../crew/crew-values.ts';
import { metricsOf } from '../support/scrape.ts';
import { askSlackServer, clickPayload, payloadForm, submissionPayload } from '../support/slack-server.ts';
import { startWorld, type World } from '../support/world.ts';

const { log, warnings } = readableLog();

let world: World;
let bot: Bot;

beforeAll(async () => {
  world = await startWorld();
  bot = await world.startBot({ log });
});
afterAll(() => world.stop());

const TYPED = 'Hush-hush';

const COMMAND = {
  command: '/kickoff',
  text: `help ${TYPED}`,
  channel_id: 'C0GENERAL1',
  user_id: 'UMARIA001',
  team_id: 'T0SANDBOX1',
  trigger_id: '1.2.3',
};

const CLICK = Object(
  clickPayload({ actionId: TYPED, value: TYPED }, { by: 'UMARIA001', message: { channel: 'C0GENERAL1', ts: '1.0' } }),
);
const VALUES = { topic: { topic: { type: 'plain_text_input', value: TYPED } } };
const SUBMISSION = Object(
  submissionPayload({ callbackId: TYPED, metadata: TYPED, values: VALUES }, { by: 'UMARIA001' }),
);

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const send = (body: string, contentType?: string) =>
  askSlackServer({ port: bot.port, secret: world.slack.signingSecret, body, ...(contentType && { contentType }) });

async function faults(): Promise<string[]> {
  return (await metricsOf(bot.port)).match(/^signoff_faults_total.* (?!0$).*$/gm) ?? [];
}

/** What was logged about the one request, beside what every line has. */
async function refused(body: string, contentType?: string) {
  const before = warnings().length;
  const answer = await send(body, contentType);
  expect(answer).toEqual({ status: 400, text: 'The body is not a Slack payload.' });
  const [line, ...more] = warnings().slice(before);
  expect(more).toEqual([]);
  expect(line).toMatchObject({ level: 40, msg: 'could not read a request from Slack' });
  expect(JSON.stringify(line)).not.toMatch(/stack|Hush/);
  expect(await faults()).toEqual([]);
  return line;
}

describe('a signed form that isn’t one', () => {
  const NOT_ENCODED = ['%', '%zz', '%4', '%u0041', '%ff%fe', '%c0%80', '%ed%a0%80', '%e2%82', '%f5%80%80%80'];

  it.each(NOT_ENCODED)('with %s in a value or a name is refused', async (code) => {
    for (const body of [`${form(COMMAND)}&more=${TYPED}${code}`, `${code}=1&${form(COMMAND)}`])
      expect(await refused(body)).toMatchObject({ reason: 'encoding' });
  });

  it.each(['\0', '%00'])('with a NUL (%j) is refused', async (nul) => {
    for (const body of [`${form(COMMAND)}${nul}`, `${nul}&${form(COMMAND)}`, `${payloadForm(CLICK)}&a=${nul}`])
      expect(await refused(body)).toMatchObject({ reason: 'NUL byte' });
  });

  it.each(['', 'a', 'text=Hush&channel_id=C1&user_id=U1'])(
    '(%j: neither a payload nor a command) is refused',
    async (body) => {
      expect(await refused(body)).toMatchObject({ reason: 'unknown form' });
    },
  );

  it.each(['null', '[]', '[{}]', '1', '-0', 'true', '"Hush"', '', '{', '{"a":"Hush'])(
    'with %j as its payload is refused',
    async (payload) => {
      expect(await refused(form({ payload }))).toMatchObject({ reason: 'JSON' });
    },
  );

  it.each(['null', '[]', '[{}]', '1', 'true', '"Hush"', '', '{'])('(JSON %j) is refused', async (body) => {
    expect(await refused(body, 'application/json')).toMatchObject({ reason: 'JSON' });
  });
});

describe('a signed request without what all of its kind have', () => {
  it.each(['channel_id', 'user_id', 'trigger_id'])('(a command without %s) is refused', async (field) => {
    const { [field]: _, ...rest }: Record<string, string> = COMMAND;
    const line = { kind: 'command', reason: 'UnreadableRequest', fields: [field] };
    expect(await refused(form(rest))).toMatchObject(line);
    expect(await refused(form({ ...rest, [field]: '' }))).toMatchObject(line);
  });

  it('(a command without any) is refused with all of them', async () => {
    const line = { kind: 'command', fields: ['channel_id', 'user_id', 'trigger_id'] };
    expect(await refused('command=%2Fkickoff')).toMatchObject(line);
  });

  const CLICKS: [string, Record<string, Json>, string[]][] = [
    ['no user id', { user: {} }, ['user.id']],
    ['a user id that is a number', { user: { id: 1 } }, ['user.id']],
    ['an element without an id', { actions: [{ value: TYPED }] }, ['actions.0.action_id']],
    ['an element of the wrong type', { actions: [TYPED] }, ['actions.0']],
    ['a value that is an object', { actions: [{ action_id: 'a', value: {} }] }, ['actions.0.value']],
    ['a channel without an id', { channel: {} }, ['channel.id']],
    ['a message without a ts', { message: { text: TYPED } }, ['message.ts']],
    ['nothing in it', { user: {}, channel: {}, message: {} }, ['user.id', 'channel.id', 'message.ts']],
  ];

  it.each(CLICKS)('(a click with %s) is refused', async (_, part, fields) => {
    const line = { kind: 'block_actions', reason: 'UnreadableRequest', fields };
    expect(await refused(payloadForm({ ...CLICK, ...part }))).toMatchObject(line);
  });

  const SUBMISSIONS: [string, Record<string, Json>, string[]][] = [
    ['no user id', { user: {} }, ['user.id']],
    ['no view id', { view: { ...SUBMISSION.view, id: '' } }, ['view.id']],
    ['an unreadable state', { view: { id: 'V1', state: [TYPED] } }, ['view.state']],
    ['unreadable values', { view: { id: 'V1', state: { values: { [TYPED]: 1 } } } }, ['view.state.values']],
  ];

  it.each(SUBMISSIONS)('(a submission with %s) is refused', async (_, part, fields) => {
    const line = { kind: 'view_submission', reason: 'UnreadableRequest', fields };
    expect(await refused(payloadForm({ ...SUBMISSION, ...part }))).toMatchObject(line);
  });

  it.each<[string, Json]>([
    ['a click without anything', { type: 'block_actions' }],
    ['a click without a user', { ...CLICK, user: null }],
    ['a click whose elements are no list', { ...CLICK, actions: 1 }],
    ['a submission without a view', { ...SUBMISSION, view: null }],
    ['a submission without a user', { ...SUBMISSION, team: null, user: null }],
    ['a closed modal without a view', { ...SUBMISSION, type: 'view_closed', view: null }],
    ['a shortcut without a user', { type: 'shortcut', callback_id: TYPED }],
    ['a shortcut without an id', { ...SUBMISSION, type: 'shortcut' }],
    ['a shortcut whose id is no text', { ...SUBMISSION, type: 'shortcut', callback_id: 5 }],
    ['a shortcut on a message without a ts', { ...SUBMISSION, type: 'message_action', callback_id: 'a', message: {} }],
    ['a submission without anything', { type: 'view_submission' }],
    ['a click on nothing', { ...CLICK, actions: [] }],
    ['a click on null', { ...CLICK, actions: [null] }],
    ['an event without a type', { type: 'event_callback', event: null }],
  ])('(%s) is refused', async (_, payload) => {
    await refused(payloadForm(payload));
  });
});

describe('a signed request of a kind that we have no handler for', () => {
  const { type: _, ...untyped } = SUBMISSION;
  const KINDS: [string, Json, string][] = [
    ['an event', { type: 'event_callback', event: { type: 'app_home_opened' } }, ''],
    ['a shortcut', { ...untyped, type: 'shortcut', callback_id: TYPED }, ''],
    ['a message shortcut', { ...untyped, type: 'message_action', callback_id: 'constructor' }, ''],
    ['a closed modal', { ...untyped, type: 'view_closed' }, ''],
    ['a select that loads its options', { ...untyped, type: 'block_suggestion' }, '{"options":[]}'],
  ];

  it.each(KINDS)('(%s) is acknowledged', async (_, payload, text) => {
    expect(await send(payloadForm(payload))).toEqual({ status: 200, text });
  });

  it.each<[string, Json]>([
    ['no type', {}],
    ['a type that is null', { ...untyped, type: null }],
    ['a type that is new', { ...untyped, type: TYPED }],
    ['a type of before blocks', { ...CLICK, type: 'interactive_message' }],
  ])('(%s) is not answered, and is told in one line', async (_, payload) => {
    const before = warnings().length;
    expect(await send(payloadForm(payload))).toEqual({ status: 404, text: 'Nothing here answers this.' });
    const [line, ...more] = warnings().slice(before);
    expect([line, more]).toMatchObject([{ kind: 'other', reason: 'unknown type' }, []]);
    expect(JSON.stringify(line)).not.toMatch(/Hush/);
  });
});

describe('a signed request with more than is needed', () => {
  it.each([
    ['unknown fields', form({ ...COMMAND, is_enterprise_install: 'false', new_field: TYPED })],
    ['other writings of the same', form(COMMAND).replaceAll('%2F', '/').replaceAll('+', '%20')],
    ['empty fields', `&&${form(COMMAND)}&=&a&b=&`],
    ['text of all kinds', form({ ...COMMAND, text: 'help 100 % naïve 👍🏽 \u0001\uFFFD' })],
    ['a click with unknown fields', payloadForm({ ...CLICK, new_field: { a: [null] }, is_enterprise_install: false })],
    ['a submission with unknown fields', payloadForm({ ...SUBMISSION, response_urls: [], new_field: 1 })],
    [
      'ids that are no text, of what we never offer',
      payloadForm({ ...SUBMISSION, type: 'view_closed', callback_id: 5 }),
    ],
  ])('(%s) is answered', async (_, body) => {
    expect(await send(body)).toMatchObject({ status: 200 });
    expect(await faults()).toEqual([]);
  });
});
