import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CrewCaller, crewCaller } from '../sandbox/crew-service/crew-caller.ts';
import { textIn } from '../sandbox/crew-service/json-body.ts';
import { until } from '../sandbox/crew-service/until.ts';
import { type Received, startReceiver, type WebhookReceiver } from '../sandbox/crew-service/webhook-receiver.ts';
import { rawExchange, statusesIn } from '../support/raw-http.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { CREW_TOKEN, isServing, type SignoffCrew, startSignoffCrew } from './signoff-crew.ts';

let folder: string;
let receiver: WebhookReceiver;
let redis: TestRedis;
let service: SignoffCrew;
let crew: CrewCaller;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signoff-crew-'));
  [receiver, redis] = await Promise.all([startReceiver(), startRedis()]);
  service = await startSignoffCrew('editorial:Editorial', { folder, state: join(folder, 'runs.db') });
  crew = service.caller;
  await isServing(service);
});
afterAll(async () => {
  await service.stop('SIGKILL');
  await Promise.all([receiver.close(), redis.stop()]);
  await rm(folder, { recursive: true });
});

const inputs = { topic: 'tea', audience: 'everybody' };

const webhook = (path: string) => ({
  url: receiver.urlOf(path),
  authentication: { strategy: 'bearer', token: 'of-the-webhook' },
});

async function kickoff(path: string, more: object = {}, by = crew): Promise<string> {
  const { body } = await by.post('/kickoff', { inputs, humanInputWebhook: webhook(path), ...more });
  return textIn(body, 'kickoff_id');
}

interface Verdict {
  approved: boolean;
  text?: string;
  more?: object;
}

const resume = ({ body }: Received, { approved, text = 'Approved.', more = {} }: Verdict, by = crew) =>
  by.post('/resume', {
    execution_id: body.execution_id,
    task_id: body.task_id,
    is_approve: approved,
    human_feedback: text,
    ...more,
  });

const statusOf = async (id: string, by = crew) => (await by.get(`/status/${id}`)).body;

const endOf = (id: string, by = crew) =>
  until('the end', async () => {
    const status = await statusOf(id, by);
    return (status.status === 'completed' || status.status === 'error') && status;
  });

describe('signoff-crew and the specification', () => {
  it('"GET /inputs: report the parameters the crew requires"', async () => {
    const answer = await crew.get('/inputs');
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    expect(answer.body).toEqual({ inputs: ['topic', 'audience'] });
  });

  it('a kickoff that is repeated under the same key starts once, and another one under that key is refused', async () => {
    const send = (key: string, body: object) =>
      crew.send('POST', '/kickoff', {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      });
    const meta = { requestId: 'r1' };
    const [first, quoted] = [await send('k1', { inputs }), await send('"k1"', { inputs })];
    expect([first.status, quoted.body.kickoff_id]).toEqual([200, first.body.kickoff_id]);
    expect(await kickoff('/repeated', { meta })).toBe(await kickoff('/repeated', { meta }));
    const other = await send('k1', { inputs: { ...inputs, topic: 'coffee' } });
    expect([other.status, other.body.error]).toEqual([422, 'key-reused']);
  });

  it('a task with human input pauses the execution and sends execution ID, task ID and task output', async () => {
    const id = await kickoff('/pause');
    const asked = await receiver.nth('/pause', 1);
    expect(asked).toMatchObject({
      method: 'POST',
      authorization: 'Bearer of-the-webhook',
      contentType: 'application/json',
    });
    const output = { task_name: 'research', task_output: 'research 1 []' };
    expect(asked.body).toEqual({ execution_id: id, task_id: 'task-1', ...output });
    expect(await statusOf(id)).toMatchObject({ status: 'Pending Human Input', current_task: 'research' });
  });

  it('"Negative feedback makes the crew retry the task with the feedback", under the same task ID, as often as it takes', async () => {
    await kickoff('/retry');
    await resume(await receiver.nth('/retry', 1), { approved: false, text: 'more biscuits' });
    const second = await receiver.nth('/retry', 2);
    expect(second.body).toMatchObject({ task_id: 'task-1', task_output: 'research 2 [ | more biscuits]' });
    expect(await resume(second, { approved: false, text: 'less sugar' })).toMatchObject({
      status: 200,
      body: { status: 'retrying' },
    });
    expect((await receiver.nth('/retry', 3)).body.task_output).toContain('more biscuits | less sugar');
  });

  it('"Feedback text becomes extra context of the following task execution" after an approval, whole', async () => {
    const long = `Mention ${'the kettle '.repeat(2_000)}🍵`;
    const id = await kickoff('/note');
    await resume(await receiver.nth('/note', 1), { approved: true, text: long });
    const second = await receiver.nth('/note', 2);
    expect(second.body.task_output).toBe(`write 1 [${long}]`);
    expect((await resume(second, { approved: true })).body).toMatchObject({ status: 'resumed' });
    expect(await endOf(id)).toMatchObject({ result: 'print [Approved.]' });
  });

  it('without a human-input webhook at kickoff nothing pauses', async () => {
    const { body } = await crew.post('/kickoff', { inputs });
    expect(await endOf(textIn(body, 'kickoff_id'))).toMatchObject({ result: 'print []' });
  });

  it('the next question about a task goes where its resume says, and without that where the kickoff said', async () => {
    await kickoff('/where');
    const again = { humanInputWebhook: webhook('/where-else') };
    await resume(await receiver.nth('/where', 1), { approved: false, text: 'again', more: again });
    const second = await receiver.nth('/where-else', 1);
    await resume(second, { approved: true, text: 'fine' });
    expect((await receiver.nth('/where', 2)).body).toMatchObject({ task_name: 'write' });
  });

  it('"Webhook configuration from kickoff is not carried over": each resume names the addresses of tasks, steps and the end', async () => {
    const at = (path: string) => ({
      taskWebhookUrl: receiver.urlOf(`${path}/task`),
      stepWebhookUrl: receiver.urlOf(`${path}/step`),
      crewWebhookUrl: receiver.urlOf(`${path}/crew`),
    });
    const id = await kickoff('/events', at('/first'));
    const first = await receiver.nth('/events', 1);
    // Nothing is told as completed before anybody has decided.
    expect(receiver.at('/first/task')).toEqual([]);
    await resume(first, { approved: true, more: at('/second') });
    expect((await receiver.nth('/second/task', 1)).body).toMatchObject({ name: 'research', output: 'research 1 []' });
    await resume(await receiver.nth('/events', 2), {
      approved: true,
      more: { crewWebhookUrl: at('/third').crewWebhookUrl },
    });
    const end = await receiver.nth('/third/crew', 1);
    expect(end.body).toEqual({ execution_id: id, kickoff_id: id, status: 'completed', result: 'print [Approved.]' });
    expect(end.authorization).toBeUndefined();
    expect((await receiver.nth('/first/step', 1)).body).toMatchObject({ tool: 'pen', agent: 'Editor', kickoff_id: id });
    expect(['task', 'crew'].flatMap((event) => receiver.at(`/first/${event}`))).toEqual([]);
    expect(receiver.at('/second/task')).toHaveLength(1);
  });

  it('CrewAI’s own client, which reads `state` alone, sees how a run ends', async () => {
    const id = await kickoff('/state');
    await resume(await receiver.nth('/state', 1), { approved: true });
    await resume(await receiver.nth('/state', 2), { approved: true });
    expect(await endOf(id)).toEqual({ state: 'SUCCESS', status: 'completed', result: 'print [Approved.]' });
    const failed = await kickoff('/state', { inputs: { ...inputs, topic: 'nothing' } });
    expect(await endOf(failed)).toMatchObject({ state: 'FAILED', error: 'There is no paper in the printer.' });
  });

  it('a failure tells clients and webhooks nothing of what the exception says', async () => {
    const id = await kickoff('/failure', {
      inputs: { ...inputs, topic: 'trouble' },
      crewWebhookUrl: receiver.urlOf('/failure/crew'),
    });
    const error = `The crew failed (ValueError). The log of the crew's service says more, under ${id}.`;
    expect(await endOf(id)).toMatchObject({ error });
    expect((await receiver.nth('/failure/crew', 1)).body).toMatchObject({ status: 'failed', error });
  });

  it('takes one of many decisions at once', async () => {
    await kickoff('/many');
    const asked = await receiver.nth('/many', 1);
    const answers = await Promise.all(Array.from({ length: 20 }, () => resume(asked, { approved: true })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(400)]);
  });

  it('never takes a rejection without words for an approval', async () => {
    await kickoff('/silent');
    await resume(await receiver.nth('/silent', 1), { approved: false, text: ' ' });
    expect((await receiver.nth('/silent', 2)).body.task_output).toContain('Rejected, without a reason.');
  });

  it('an approval with edits makes the edited text the output of the task', async () => {
    await kickoff('/edits', { taskWebhookUrl: receiver.urlOf('/edits/task') });
    const text = 'Approved with these edits:\nTea.\n\nHot.';
    const more = { taskWebhookUrl: receiver.urlOf('/edits/task') };
    await resume(await receiver.nth('/edits', 1), { approved: true, text, more });
    expect((await receiver.nth('/edits/task', 1)).body.output).toBe('Tea.\n\nHot.');
    expect((await receiver.nth('/edits', 2)).body.task_output).toBe('write 1 []');
  });

  it('asks until it is heard, but not where it is refused', async () => {
    receiver.answerWith(503, '/deaf');
    receiver.answerWith(410, '/gone');
    const [, gone] = [await kickoff('/deaf'), await kickoff('/gone')];
    await receiver.nth('/deaf', 1);
    receiver.answerWith(200, '/deaf');
    const heard = await receiver.nth('/deaf', 2);
    expect((await resume(heard, { approved: true })).status).toBe(200);
    await until('the log', async () =>
      (await service.log()).includes(`${gone}: the notification human_input was not taken`),
    );
    expect(receiver.at('/gone')).toHaveLength(1);
  });

  it('404 for a run that it doesn’t know, 400 for a decision that nobody waits for', async () => {
    expect((await crew.get('/status/nothing')).status).toBe(404);
    const unknown = { execution_id: 'nothing', task_id: 'task-1', is_approve: true };
    expect((await crew.post('/resume', unknown)).status).toBe(404);
    const id = await kickoff('/later', { inputs: { ...inputs, topic: 'nothing' } });
    await endOf(id);
    expect((await crew.post('/resume', { ...unknown, execution_id: id })).status).toBe(400);
  });
});

describe.each([
  ['SQLite', (name: string) => join(folder, name)],
  ['Redis', () => `unix://${redis.socketPath}`],
])('runs that are kept in %s', (store, stateOf) => {
  const start = (name: string, args: string[] = []) =>
    startSignoffCrew('editorial:Editorial', { folder, state: stateOf(name), args: ['--name', name, ...args] });

  it('outlive their process, and a decision that was acknowledged counts', async () => {
    const path = `/outlive-${store}`;
    let before = await start('outlive');
    await isServing(before);
    const id = await kickoff(path, {}, before.caller);
    const first = await receiver.nth(path, 1);
    expect((await resume(first, { approved: true, text: 'Go.' }, before.caller)).status).toBe(200);
    await before.stop('SIGKILL');
    before = await start('outlive');
    await isServing(before);
    const second = await until('the second question', () =>
      receiver.at(path).find(({ body }) => body.task_output === 'write 1 [Go.]'),
    );
    await before.stop('SIGTERM');
    const after = await start('outlive');
    await isServing(after);
    expect((await resume(second, { approved: true }, after.caller)).status).toBe(200);
    expect(await endOf(id, after.caller)).toMatchObject({ result: 'print [Approved.]' });
    await after.stop('SIGKILL');
  });

  it('belong to one process: a second waits with 503 and Retry-After, and takes over when the first ends', async () => {
    const first = await start('owner');
    await isServing(first);
    const id = await kickoff(`/owner-${store}`, {}, first.caller);
    const second = await start('owner');
    const refused = await second.caller.get(`/status/${id}`);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2']);
    expect((await crewCaller(second.baseUrl, 'wrong').get('/inputs')).status).toBe(401);
    expect(await first.stop('SIGTERM')).toBe(0);
    await isServing(second);
    expect(await statusOf(id, second.caller)).toMatchObject({ status: 'Pending Human Input' });
    await second.stop('SIGKILL');
  });

  it('are deleted some days after their end', async () => {
    const kept = await start('kept', ['--keep-days', '0']);
    await isServing(kept);
    const id = await kickoff(`/kept-${store}`, { inputs: { ...inputs, topic: 'nothing' } }, kept.caller);
    await endOf(id, kept.caller);
    await kept.stop('SIGTERM');
    const next = await start('kept', ['--keep-days', '0']);
    await isServing(next);
    await until('the deletion', async () => (await next.caller.get(`/status/${id}`)).status === 404);
    await next.stop('SIGKILL');
  });
});

describe('signoff-crew, attacked', () => {
  it.each([
    ['no token', undefined],
    ['another token', 'wrong'],
    ['the beginning of the token', CREW_TOKEN.slice(0, -1)],
    ['a token with more', `${CREW_TOKEN}x`],
    ['characters that are not ASCII', 'tökén'],
  ])('tells nothing to %s', async (_what, token) => {
    const stranger = crewCaller(
      service.baseUrl,
      token === undefined ? undefined : Buffer.from(token).toString('latin1'),
    );
    const answers = [
      ...(await Promise.all(['/inputs', '/status/x', '/nowhere', '/kickoff'].map((path) => stranger.get(path)))),
      ...(await Promise.all(['/kickoff', '/resume', '/inputs'].map((path) => stranger.post(path, { inputs })))),
    ];
    for (const { status, headers, body } of answers) {
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
      expect(body).toEqual({ error: 'unauthorized', message: 'Invalid bearer token.' });
    }
  });

  it.each([
    ['no JSON', '{"inputs": '],
    ['nothing', ''],
    ['a list', '[]'],
    ['a number that JSON hasn’t', '{"inputs": {"topic": NaN}}'],
    ['half a character', '{"inputs": {"topic": "\\ud83d"}}'],
    ['what is nested too deeply', `{"inputs": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['inputs that are a text', '{"inputs": "topic"}'],
    ['a file as a webhook', '{"humanInputWebhook": {"url": "file:///etc/passwd"}}'],
    ['a webhook without an address', '{"humanInputWebhook": {}}'],
    ['a password in an address', '{"taskWebhookUrl": "http://bot:let-me-in@127.0.0.1/"}'],
    ['a line break in an address', '{"taskWebhookUrl": "http://127.0.0.1/\\r\\nX: y"}'],
    ...[
      ['a line break in a token', { strategy: 'bearer', token: 'let-me-in\r\nX: y' }],
      ['an empty token', { strategy: 'bearer', token: '' }],
      ['a token with a space', { strategy: 'bearer', token: 'let-me-in twice' }],
      ['a user name with a colon', { strategy: 'basic', username: 'bot:x', password: 'let-me-in' }],
      ['a password with a line break', { strategy: 'basic', username: 'bot', password: 'let-me-in\n' }],
      ['credentials that it doesn’t know', { strategy: 'digest' }],
    ].map(([what, authentication]) => [
      String(what),
      JSON.stringify({ humanInputWebhook: { url: 'http://127.0.0.1/', authentication } }),
    ]),
  ] as [string, string][])('refuses %s, and repeats no secret', async (_what, body) => {
    const answer = await crew.send('POST', '/kickoff', { body, headers: { 'content-type': 'application/json' } });
    expect([answer.status, answer.body.error]).toEqual([400, 'malformed']);
    expect(answer.text).not.toContain('let-me-in');
  });

  it('says which inputs and fields are missing, and which are wrong', async () => {
    expect(await crew.post('/kickoff', { inputs: { topic: 'tea' } })).toMatchObject({
      status: 422,
      body: { message: 'Missing inputs: audience', details: { missing_inputs: ['audience'] } },
    });
    const resumed = { execution_id: 'x', task_id: 'y', is_approve: true };
    const missing = await crew.post('/resume', { execution_id: 'x' });
    expect([missing.status, missing.text]).toEqual([422, expect.stringContaining('task_id, is_approve')]);
    expect((await crew.post('/resume', { ...resumed, is_approve: 'yes' })).status).toBe(400);
    expect((await crew.get('/kickoff')).status).toBe(405);
    expect((await crew.get('/nowhere')).status).toBe(404);
  });

  it('reads no body that is too large, whether its length is said or not, and none without a token', async () => {
    const body = JSON.stringify({ inputs: { topic: 'x'.repeat(9_000_000) } });
    const headers = { 'content-type': 'application/json' };
    expect((await crew.send('POST', '/kickoff', { body, headers })).status).toBe(413);
    const [status] = statusesIn(
      await rawExchange(
        service.port,
        ['POST /kickoff HTTP/1.1', 'Host: x', 'Content-Length: 9000000', '', ''].join('\r\n'),
        1_000,
      ),
    );
    expect(status).toBe(401);
    const chunk = `${(1_000_000).toString(16)}\r\n${' '.repeat(1_000_000)}\r\n`;
    const lines = ['POST /kickoff HTTP/1.1', 'Host: x', `Authorization: Bearer ${CREW_TOKEN}`];
    const chunked = [...lines, 'Transfer-Encoding: chunked', '', ''].join('\r\n');
    expect(statusesIn(await rawExchange(service.port, `${chunked}${chunk.repeat(9)}0\r\n\r\n`, 3_000))).toEqual([413]);
    expect((await crew.get('/inputs')).status).toBe(200);
  });

  it('gives credentials to no other address', async () => {
    const redirecting = createServer((_request, response) =>
      response.writeHead(307, { location: receiver.urlOf('/elsewhere') }).end(),
    );
    redirecting.listen(0, '127.0.0.1');
    await once(redirecting, 'listening');
    const address = redirecting.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
    const id = await kickoff('/unused', { humanInputWebhook: { ...webhook('/unused'), url } });
    await until('the log', async () =>
      (await service.log()).includes(`${id}: the notification human_input was not taken`),
    );
    redirecting.close();
    expect(receiver.at('/elsewhere')).toEqual([]);
  });

  it('never writes a token or an address to its log, and says nothing of people’s texts', async () => {
    const log = await service.log();
    expect(log).not.toMatch(/a-token-of-python|of-the-webhook|http:\/\/127|biscuits|let-me-in/);
    // What the operator needs stands there alone.
    expect(log).toContain('a-secret-of-the-crew');
  });
});

it('signoff-crew refuses a CrewAI that can ask nowhere but on a terminal', async () => {
  const old = join(folder, 'old');
  await mkdir(join(old, 'crewai'), { recursive: true });
  await mkdir(join(old, 'crewai-1.9.3.dist-info'));
  await writeFile(join(old, 'crewai/__init__.py'), 'class Crew: pass\n');
  await writeFile(
    join(old, 'crewai-1.9.3.dist-info/METADATA'),
    'Metadata-Version: 2.1\nName: crewai\nVersion: 1.9.3\n',
  );
  await writeFile(join(old, 'my_crew.py'), 'from crewai import Crew\ndef make_crew():\n    return Crew()\n');
  const refused = await startSignoffCrew('my_crew:make_crew', { cwd: old, folder: old, state: join(old, 'runs.db') });
  expect(await refused.exited).toBe(1);
  expect(await refused.log()).toMatch(
    /^CrewAI 1\.9\.3 can't ask people except on a terminal\. Install 1\.14\.3 or newer: /m,
  );
});

describe('signoff-crew says in one sentence what is wrong, and exits with 1', () => {
  it.each([
    ['a module that isn’t there', 'nowhere:make', 'There is no module nowhere here or among the installed packages.'],
    ['a function that isn’t there', 'editorial:nothing', 'editorial has no function nothing.'],
    ['a name without a function', 'editorial', "'editorial' must be MODULE:FUNCTION, such as my_crew:make_crew."],
    ['something else than a crew', 'editorial:TASKS.copy', 'editorial has no function TASKS.copy.'],
    ['a function that makes something else', 'pathlib:Path', 'The function must return a Crew or a Flow of CrewAI.'],
  ])('%s', async (_what, target, sentence) => {
    const refused = await startSignoffCrew(target, { folder, state: join(folder, `refused-${target}.db`) }).catch(
      (error: Error) => error,
    );
    if (refused instanceof Error) return expect(refused.message).toContain(sentence);
    expect(await refused.exited).toBe(1);
    expect(await refused.log()).toContain(sentence);
  });
});
