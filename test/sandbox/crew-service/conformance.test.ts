import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DialectName } from '../../../src/sandbox/crew-service/dialects/dialect.ts';
import { scriptedCrew } from '../../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import { type CrewService, startCrewService } from '../../../src/sandbox/crew-service/service.ts';
import { sharedRedis } from '../shared.ts';
import { type Conversation, converse } from './conversation.ts';
import { type CrewCaller, crewCaller } from './crew-caller.ts';
import { textIn } from './json-body.ts';
import { sharedReceiver } from './webhook-receiver.ts';

const users = ['maria', 'jon'].map((user) => ({ user, token: `${user}-token` }));
const TOKENS = { organisation: 'org-token', users };

const redis = sharedRedis();
const receiver = sharedReceiver();

/** Three tasks; the first two ask a person. Outputs show what was in the context of the task. */
const editorial = scriptedCrew({
  name: 'editorial',
  inputs: ['topic', 'audience'],
  tasks: [
    { name: 'research', agent: 'Researcher', humanInput: true, output: 'research {{round}} [{{feedback}}]' },
    { name: 'write', agent: 'Writer', humanInput: true, steps: 2, output: 'write {{round}} [{{feedback}}]' },
    { name: 'print', agent: 'Printer', output: 'print [{{feedback}}]' },
  ],
});

const failing = scriptedCrew({ name: 'failing', tasks: [{ name: 'try', fails: 'no paper in the printer' }] });
const quick = scriptedCrew({ name: 'quick', tasks: [{ name: 'only', output: { pages: 3 } }] });

const DIALECTS: readonly DialectName[] = ['spec', 'observed'];

describe.each(DIALECTS)('the specification, in the dialect %s', (dialect) => {
  let service: CrewService;
  let crew: CrewCaller;
  let conversation: Conversation;

  beforeAll(async () => {
    service = await startCrewService({
      crews: [editorial, failing, quick],
      tokens: TOKENS,
      redisUrl: redis.socketPath,
      keyPrefix: `${dialect}:`,
      dialect,
      webhookRetry: { firstPauseMs: 20 },
    });
    crew = crewCaller(service.baseUrlOf('editorial'), TOKENS.organisation);
    conversation = converse({ service, receiver, dialect, token: TOKENS.organisation });
  });

  afterAll(() => service.close());

  const inputs = { topic: 'tea', audience: 'everybody' };
  const as = (token: string | undefined, name = 'editorial') => crewCaller(service.baseUrlOf(name), token);

  describe('2. Resources and their fields', () => {
    it('takes input values of any JSON type, and answers with a "kickoff_id"', async () => {
      const { body } = await crew.post('/kickoff', { inputs: { topic: { deep: [1, null, true] }, audience: 7 } });
      expect(body).toEqual({ kickoff_id: expect.any(String) });
      const run = (await service.sandbox.runs()).find((one) => one.kickoffId === body.kickoff_id);
      expect(run?.inputs).toEqual({ topic: { deep: [1, null, true] }, audience: 7 });
    });

    it('"strategy": `bearer` brings its `token`, `basic` its `username` and `password`', async () => {
      const bearer = await conversation.start('editorial', inputs, { strategy: 'bearer', token: 'hook-token' });
      expect((await bearer.pause(1)).authorization).toBe('Bearer hook-token');
      const login = { strategy: 'basic', username: 'bot', password: 'pä:ss' } as const;
      const basic = await conversation.start('editorial', inputs, login);
      expect((await basic.pause(1)).authorization).toBe(`Basic ${Buffer.from('bot:pä:ss').toString('base64')}`);
    });

    const url = 'http://127.0.0.1/hook';
    const bearer = (token: string) => ({ url, authentication: { strategy: 'bearer', token } });
    const basic = (username: string, password: string) => ({
      url,
      authentication: { strategy: 'basic', username, password },
    });

    it.each([
      ['another strategy', { url, authentication: { strategy: 'digest' } }],
      ['no address', { url: 'nowhere' }],
      ['another scheme', { url: 'file:///etc/passwd' }],
      ['a password in the address (RFC 9110, 4.2.4)', { url: 'http://bot:let-me-in@127.0.0.1/hook' }],
      ['a user name in the address', { url: 'https://bot@example.com/hook' }],
      ['an empty token (RFC 6750, 2.1)', bearer('')],
      ['a token with a line break', bearer('let-me-in\r\nX-Other: 1')],
      ['a token with a space', bearer('let-me-in twice')],
      ['a token that is not ASCII', bearer('let-me-in-ä')],
      ['a user name with a colon (RFC 7617, 2)', basic('bot:x', 'let-me-in')],
      ['a user name with a control character', basic('bot\u0000', 'let-me-in')],
      ['a password with a line break', basic('bot', 'let-me-in\n')],
    ])('refuses a human-input webhook with %s with 400, and repeats no secret', async (_what, humanInputWebhook) => {
      const run = await conversation.start('editorial', inputs);
      const pause = await run.pause(1);
      const answers = [await crew.post('/kickoff', { inputs, humanInputWebhook })];
      const taskWebhookUrl = 'http://bot:let-me-in@127.0.0.1/hook';
      const other = await run.resumeWith(pause, { taskWebhookUrl });
      expect([other.status, other.text]).toEqual([400, expect.stringContaining('taskWebhookUrl')]);
      // The specification's resume has no such field, and unknown ones are ignored.
      if (dialect === 'observed') answers.push(await run.resumeWith(pause, { humanInputWebhook }));
      for (const answer of answers) {
        expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('humanInputWebhook')]);
        expect(answer.text).not.toContain('let-me-in');
      }
      expect(await run.summary()).toMatchObject({ status: 'waiting', reviews: [] });
    });
  });

  describe('3. States and transitions', () => {
    it('a task with human input pauses the execution and sends execution ID, task ID and task output', async () => {
      const run = await conversation.start('editorial', inputs);
      const pause = await run.pause(1);
      expect(pause.method).toBe('POST');
      expect(pause.contentType).toBe('application/json');
      expect(pause.body).toMatchObject({
        execution_id: run.kickoffId,
        task_id: expect.any(String),
        task_output: 'research 1 []',
      });
      expect((await run.summary())?.status).toBe('waiting');
    });

    it('without a human-input webhook at kickoff nothing pauses', async () => {
      const { body } = await crew.post('/kickoff', { inputs });
      expect(await conversation.resultOf('editorial', textIn(body, 'kickoff_id'))).toBe('print []');
    });

    it('"Negative feedback makes the crew retry the task with the feedback", under the same task ID, as often as it takes', async () => {
      const run = await conversation.start('editorial', inputs);
      const first = await run.pause(1);
      await run.resume(first, { approved: false, text: 'more biscuits' });
      const second = await run.pause(2);
      expect(second.body).toMatchObject({ task_id: first.body.task_id, task_output: 'research 2 [more biscuits]' });
      await run.resume(second, { approved: false, text: 'less sugar' });
      expect((await run.pause(3)).body.task_output).toBe('research 3 [more biscuits | less sugar]');
    });

    it('"Feedback text becomes extra context of the following task execution" after an approval, whole', async () => {
      const long = `Mention ${'the kettle '.repeat(2_000)}`;
      const run = await conversation.start('editorial', inputs);
      await run.resume(await run.pause(1), { approved: true, text: long });
      expect((await run.pause(2)).body.task_output).toBe(`write 1 [${long}]`);
      await run.resume(await run.pause(2), { approved: true, text: 'Approved.' });
      expect(await run.result()).toBe('print [Approved.]');
    });
  });

  describe('4. Endpoints', () => {
    it('1., 4.1 "Each deployed crew is reachable at its own {base_url}"; "GET /inputs: report the parameters the crew requires"', async () => {
      const answer = await crew.get('/inputs');
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
      expect(answer.body).toEqual({ inputs: ['topic', 'audience'] });
      expect((await as(TOKENS.organisation, 'quick').get('/inputs')).body).toEqual({ inputs: [] });
    });

    it('4.2 "Missing required inputs lead to a 422 response" that names them', async () => {
      const one = await crew.post('/kickoff', { inputs: { topic: 'tea' } });
      expect([one.status, one.text]).toEqual([422, expect.stringContaining('Missing inputs: audience')]);
      const all = await crew.post('/kickoff', {});
      expect([all.status, all.text]).toEqual([422, expect.stringContaining('Missing inputs: topic, audience')]);
    });

    it.each([
      ...['{"inputs":', '', '[]', '"text"', 'null', '{"inputs":[]}', '{"inputs":"tea"}'],
      '{"inputs":{},"humanInputWebhook":7}',
    ])('4.2 "Malformed input format leads to a 400 response": %s', async (body) => {
      const before = (await service.sandbox.runs()).length;
      const answer = await crew.send('POST', '/kickoff', { body, headers: { 'content-type': 'application/json' } });
      expect(answer.status).toBe(400);
      expect(answer.text.length).toBeGreaterThan(20);
      const untyped = await crew.send('POST', '/kickoff', { body, headers: { 'content-type': 'text/plain' } });
      expect([untyped.status, untyped.text]).toEqual([400, expect.stringContaining('application/json')]);
      expect(await service.sandbox.runs()).toHaveLength(before);
    });

    it('4.3 status shows a failed execution with its error', async () => {
      const { body } = await as(TOKENS.organisation, 'failing').post('/kickoff', { inputs: {} });
      expect(await conversation.endOf('failing', textIn(body, 'kickoff_id'))).toMatchObject({
        error: 'no paper in the printer',
      });
    });

    it('4.4 "the webhook URLs must be supplied again on every resume call"', async () => {
      const run = await conversation.start('editorial', inputs);
      await run.resume(await run.pause(1), { approved: false, text: 'again' }, { events: 'named' });
      await run.pause(2);
      await run.event('task', 1);
      await run.resume(await run.pause(2), { approved: true, text: 'Approved.' }, { events: 'left out' });
      await run.pause(3);
      expect(run.events('task')).toHaveLength(1);
      expect(run.events('step')).toHaveLength(0);
    });

    it('4.4 leaves everything as it was when a field of the resume has a wrong type or is missing', async () => {
      const run = await conversation.start('editorial', inputs);
      const pause = await run.pause(1);
      const wrong = await run.resumeWith(pause, { isApprove: 'yes', is_approve: 'yes' });
      expect([wrong.status, wrong.text]).toEqual([400, expect.stringMatching(/is_?approve/i)]);
      const missing = await run.resumeWith(pause, { isApprove: undefined, is_approve: undefined });
      expect([missing.status, missing.text]).toEqual([422, expect.stringMatching(/is_?approve/i)]);
      expect(await run.summary()).toMatchObject({ status: 'waiting', round: 1, reviews: [] });
    });
  });

  describe('5. Authentication', () => {
    it.each([
      ['/inputs', 'GET'],
      ['/kickoff', 'POST'],
      ['/status/x', 'GET'],
      ['/resume', 'POST'],
      ['/executions/x', 'GET'],
    ] as const)('"An invalid token gives 401", at %s', async (path, method) => {
      for (const token of [undefined, 'wrong', '', 'org-token2']) {
        const answer = await as(token).send(method, path, { headers: { 'content-type': 'application/json' } });
        expect(answer.status).toBe(401);
      }
      const basic = await as(undefined).send(method, path, {
        headers: { authorization: `Basic ${TOKENS.organisation}` },
      });
      expect(basic.status).toBe(401);
    });

    it('a user token works on the executions of its user, and on no others; the token of the organisation works on them, too', async () => {
      const marias = await conversation.start('editorial', inputs, undefined, { token: 'maria-token' });
      const pause = await marias.pause(1);
      expect((await marias.resumeAs('jon-token', pause)).text).not.toContain('continues');
      expect(await marias.summary()).toMatchObject({ status: 'waiting', reviews: [] });
      expect((await marias.resumeAs('maria-token', pause)).status).toBe(200);
      expect((await marias.resumeAs(TOKENS.organisation, await marias.pause(2))).status).toBe(200);
    });
  });

  describe('6. Events', () => {
    it('"Task completion", "Agent step" and "Crew completion" go to the addresses of the resume, without credentials', async () => {
      const run = await conversation.start('editorial', inputs);
      await run.resume(await run.pause(1), { approved: true, text: 'Approved.' }, { events: 'named' });
      await run.resume(await run.pause(2), { approved: true, text: 'Approved.' }, { events: 'named' });
      const crewEvent = await run.event('crew', 1);
      expect(crewEvent.body).toMatchObject({ result: 'print [Approved.]' });
      expect(run.events('step').map((one) => one.body.thought)).toEqual(['Step 1 of write', 'Step 2 of write']);
      expect(run.events('task').map((one) => one.body.name)).toEqual(['write', 'print']);
      expect(
        [...run.events('step'), ...run.events('task'), crewEvent].map((one) => one.authorization),
      ).not.toContainEqual(expect.anything());
    });

    it('a failed execution sends no crew completion', async () => {
      const { body } = await as(TOKENS.organisation, 'failing').post('/kickoff', {
        inputs: {},
        crewWebhookUrl: receiver.urlOf('/never'),
      });
      await conversation.endOf('failing', textIn(body, 'kickoff_id'));
      expect(receiver.at('/never')).toEqual([]);
    });
  });

  describe('7. Errors', () => {
    it.each(['/', '/unknown', '/status', '/status/', '/kickoff/x', '/inputs/x', '/status/a/b'])(
      '404 where there is nothing: %s',
      async (path) => {
        expect((await crew.get(path)).status).toBe(404);
        expect((await as(TOKENS.organisation, 'nobody').get(path)).status).toBe(404);
      },
    );

    it('400 for a body that is nested too deeply', async () => {
      const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
      const headers = { 'content-type': 'application/json' };
      const kickoff = await crew.send('POST', '/kickoff', { body: `{"inputs":{"topic":${deep}}}`, headers });
      expect([kickoff.status, kickoff.text]).toEqual([400, expect.stringContaining('too deeply')]);
    });

    it('errors are read in the same place, whatever they are', async () => {
      const answers = [await as('wrong').get('/inputs'), await crew.post('/kickoff', {}), await crew.get('/unknown')];
      for (const { body } of answers)
        expect(body[dialect === 'spec' ? 'message' : 'detail']).toEqual(expect.any(String));
    });
  });
});
