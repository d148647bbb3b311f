import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CrewClient, type CrewClientOptions, createCrewClient } from '../../src/crew/client.ts';
import { type AnsweringServer, startAnsweringServer } from './answering-server.ts';
import { credentials, crew, readableLog } from './crew-values.ts';

const TOKEN = 'token-of-maria/1';
const MARIA = { personId: 'U_MARIA', ownTokenOnly: false };
const JON = { personId: 'U_JON', ownTokenOnly: false };
const KEY = { ref: 'abcdefghijklmnopqrstuvwxyz', hop: 1 };

let server: AnsweringServer;
let log: ReturnType<typeof readableLog>;
const open: CrewClient[] = [];

beforeAll(async () => {
  server = await startAnsweringServer();
});
beforeEach(() => {
  server.received.length = 0;
  server.answerWith({ status: 200, body: { kickoff_id: 'K1' } });
  log = readableLog();
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});
afterAll(() => server.close());

function client(override: Partial<CrewClientOptions> = {}): CrewClient {
  const created = createCrewClient({
    crews: [crew({ baseUrl: server.origin })],
    tokenOf: async (_, personId) => (personId === MARIA.personId ? TOKEN : null),
    publicUrl: 'https://bot.example.org',
    credentials,
    webhookAuth: 'bearer',
    log: log.log,
    ...override,
  });
  open.push(created);
  return created;
}

type As = typeof MARIA | null;
const RESUME = { ...KEY, executionId: 'E1', taskId: 'T1', feedback: 'Fine.', isApprove: true };
const CALLS = {
  kickoff: (of: CrewClient, as: As) => of.kickoff('research', { ...KEY, inputs: {}, as }),
  resume: (of: CrewClient, as: As) => of.resume('research', { ...RESUME, as }),
};
const codeOf = (answer: object) => JSON.stringify(answer).match(/"code":"([a-z-]+)"/)?.[1];
const sent = () => server.received.map(({ headers }) => headers.authorization);

describe.each(['kickoff', 'resume'] as const)('a %s', (method) => {
  const call = CALLS[method];

  it.each([
    ['a person who has connected one', MARIA, `Bearer ${TOKEN}`],
    ['a person who has none', JON, 'Bearer crew-token'],
    ['nobody', null, 'Bearer crew-token'],
  ])('for %s has the right token', async (_, as, authorization) => {
    expect((await call(client(), as)).kind).toBe('accepted');
    expect(sent()).toEqual([authorization]);
  });

  it('isn’t sent for somebody without a token where the crew or the decision needs their own', async () => {
    const strict = client({ crews: [crew({ baseUrl: server.origin, requireUserToken: true })] });
    expect(codeOf(await call(strict, JON))).toBe('no-user-token');
    expect(codeOf(await call(client(), { ...JON, ownTokenOnly: true }))).toBe('no-user-token');
    expect(sent()).toEqual([]);
    expect((await call(strict, MARIA)).kind).toBe('accepted');
    expect((await call(client(), { ...MARIA, ownTokenOnly: true })).kind).toBe('accepted');
    expect(sent()).toEqual([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`]);
  });

  it.each([401, 403])('whose own token is refused with %i isn’t sent with the crew’s', async (status) => {
    const quoted = JSON.stringify({ detail: `Who is ${TOKEN}?` }).replaceAll('/', '\\/');
    server.answerWith({ status, body: quoted });
    const answer = await call(client(), MARIA);
    expect(codeOf(answer)).toBe('user-token-refused');
    expect(JSON.stringify(answer)).toContain('Who is …?');
    expect(sent()).toEqual([`Bearer ${TOKEN}`]);
    expect(codeOf(await call(client(), JON))).toBe('unauthorized');
    expect(log.text()).not.toContain(TOKEN);
  });

  it('that is refused for another reason is refused for that reason', async () => {
    server.answerWith({ status: 404, body: { detail: 'Unknown' } });
    expect(codeOf(await call(client(), MARIA))).toBe('not-found');
  });

  it('waits while nobody can say whether there is a token', async () => {
    const blind = client({ tokenOf: () => Promise.reject(new Error('no answer')) });
    expect(await call(blind, MARIA)).toEqual({ kind: 'unavailable', reason: 'unreachable', waitMs: null });
    expect(await call(blind, { ...MARIA, ownTokenOnly: true })).toEqual({
      kind: 'unavailable',
      reason: 'unreachable',
      waitMs: null,
    });
    expect(sent()).toEqual([]);
    expect((await call(blind, null)).kind).toBe('accepted');
  });
});

it('a resume asked for in the other dialect keeps the token', async () => {
  const detail = [{ loc: ['body', 'executionId'], msg: 'Field required' }];
  server.answerWith({ status: 422, body: { detail } }, { status: 200, body: {} });
  expect((await CALLS.resume(client(), MARIA)).kind).toBe('accepted');
  expect(sent()).toEqual([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`]);
});

describe('the check of a token', () => {
  it.each([
    [200, { kind: 'accepted' }],
    [401, { kind: 'refused', code: 'unauthorized' }],
    [403, { kind: 'refused', code: 'unauthorized' }],
    [404, { kind: 'refused', code: 'not-found' }],
    [429, { kind: 'busy' }],
    [500, { kind: 'error' }],
    [503, { kind: 'error' }],
  ])('answered with %i', async (status, answer) => {
    server.answerWith({ status, body: `no JSON, but ${TOKEN}` });
    expect(await client().checkToken('research', TOKEN)).toEqual(answer);
    expect(server.received).toMatchObject([
      { method: 'GET', path: '/inputs', headers: { authorization: `Bearer ${TOKEN}` } },
    ]);
    expect(log.text()).not.toContain(TOKEN);
  });

  it('leaves the inputs that are known alone', async () => {
    const crews = client();
    server.answerWith({ status: 200, body: { inputs: ['topic'] } });
    await crews.inputs('research');
    server.answerWith({ status: 200, body: { inputs: ['other'] } });
    await crews.checkToken('research', TOKEN);
    expect(await crews.inputs('research')).toMatchObject({ names: ['topic'] });
  });

  it('of a crew that isn’t configured is refused', async () => {
    expect(await client().checkToken('other', TOKEN)).toEqual({ kind: 'refused', code: 'other' });
  });
});
