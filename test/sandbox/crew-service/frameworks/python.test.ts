import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawExchange, statusesIn } from '../../../support/raw-http.ts';
import { type CrewCaller, crewCaller } from '../crew-caller.ts';
import { textIn } from '../json-body.ts';
import { until } from '../until.ts';
import { startReceiver, type WebhookReceiver } from '../webhook-receiver.ts';
import { PYTHON_TOKEN, type PythonService, startPythonService } from './python-service.ts';

let service: PythonService;
let receiver: WebhookReceiver;
let crew: CrewCaller;

beforeAll(async () => {
  [service, receiver] = await Promise.all([startPythonService(), startReceiver()]);
  crew = crewCaller(service.baseUrl, PYTHON_TOKEN);
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

const webhook = (path: string) => ({
  url: receiver.urlOf(path),
  authentication: { strategy: 'bearer', token: 'of-the-webhook' },
});

async function kickoff(path: string, more: object = {}): Promise<string> {
  const { body } = await crew.post('/kickoff', { inputs: { topic: 'tea' }, humanInputWebhook: webhook(path), ...more });
  return textIn(body, 'kickoff_id');
}

const statusOf = async (id: string) => (await crew.get(`/status/${id}`)).body;

const ended = (id: string) =>
  until('the end', async () => {
    const status = await statusOf(id);
    return status.status === 'completed' && status;
  });

describe('the example in Python', () => {
  it('asks for human input, takes feedback, asks again, and goes on once approved', async () => {
    expect((await crew.get('/inputs')).body).toEqual({ inputs: ['topic'] });
    const id = await kickoff('/story', { taskWebhookUrl: receiver.urlOf('/story/task') });
    const first = await receiver.nth('/story', 1);
    expect(first).toMatchObject({
      method: 'POST',
      authorization: 'Bearer of-the-webhook',
      contentType: 'application/json',
    });
    expect(first.body).toEqual({ execution_id: id, task_id: 'announcement-task', task_output: '# About tea' });
    expect((await receiver.nth('/story/task', 1)).body).toMatchObject({
      task_id: 'announcement-task',
      name: 'announcement',
    });
    expect(await statusOf(id)).toEqual({ status: 'Pending Human Input', current_task: 'announcement' });

    const decision = {
      execution_id: id,
      task_id: 'announcement-task',
      is_approve: false,
      human_feedback: 'Mention oolong 🍵',
    };
    expect(await crew.post('/resume', decision)).toMatchObject({ status: 200, body: { status: 'retrying' } });
    const second = await receiver.nth('/story', 2);
    expect(second.body).toEqual({ ...first.body, task_output: '# About tea\nMention oolong 🍵' });

    const approval = {
      ...decision,
      is_approve: true,
      human_feedback: 'Approved.',
      crewWebhookUrl: receiver.urlOf('/story/crew'),
    };
    expect(await crew.post('/resume', approval)).toMatchObject({ status: 200, body: { status: 'resumed' } });
    const output = 'Published:\n# About tea\nMention oolong 🍵';
    expect((await receiver.nth('/story/crew', 1)).body).toEqual({
      execution_id: id,
      status: 'completed',
      result: output,
    });
    expect(await ended(id)).toEqual({ status: 'completed', result: { output } });
    // Its address was not given again.
    expect(receiver.at('/story/task')).toHaveLength(1);
  });

  it('takes one of many decisions at once', async () => {
    const id = await kickoff('/many');
    await receiver.nth('/many', 1);
    const decision = { execution_id: id, task_id: 'announcement-task', is_approve: true };
    const answers = await Promise.all(Array.from({ length: 20 }, () => crew.post('/resume', decision)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(400)]);
    await ended(id);
  });

  it('never takes a rejection without words for an approval', async () => {
    const id = await kickoff('/silent');
    await receiver.nth('/silent', 1);
    await crew.post('/resume', {
      execution_id: id,
      task_id: 'announcement-task',
      is_approve: false,
      human_feedback: ' ',
    });
    expect((await receiver.nth('/silent', 2)).body.task_output).toContain('Rejected, without a reason.');
  });

  it('notifies until it is heard, but not where it is refused', async () => {
    receiver.answerWith(503, '/deaf');
    receiver.answerWith(410, '/gone');
    const [deaf, gone] = [await kickoff('/deaf'), await kickoff('/gone')];
    await receiver.nth('/deaf', 1);
    receiver.answerWith(200, '/deaf');
    await receiver.nth('/deaf', 2);
    await until('the log', () =>
      service.log().includes(`${gone}: the notification human_input was not taken: refused`),
    );
    const approval = { task_id: 'announcement-task', is_approve: true };
    for (const execution_id of [deaf, gone]) {
      expect((await crew.post('/resume', { ...approval, execution_id })).status).toBe(200);
      await ended(execution_id);
    }
    expect(receiver.at('/gone')).toHaveLength(1);
  });

  it('goes on unreviewed if nobody is to be asked', async () => {
    const id = await kickoff('/unused', { humanInputWebhook: null });
    expect(await ended(id)).toMatchObject({ result: { output: 'Published:\n# About tea' } });
  });
});

/** What the example uses of CrewAI, as its source has it: a task with `human_input=True` hands its answer to the provider. */
const CREWAI = `
from types import SimpleNamespace
from crewai.core.providers import human_input

class Agent(SimpleNamespace): pass
class Task(SimpleNamespace): id = "id-of-the-task"

class Crew(SimpleNamespace):
    def copy(self):
        return Crew(tasks=self.tasks, agents=self.agents)

    def kickoff(self, inputs):
        [task] = self.tasks
        context = Context(task, inputs)
        answer = context._invoke_loop()
        if task.human_input:
            answer = human_input.get_provider().handle_feedback(answer, context)
        return SimpleNamespace(raw=answer.output)

class Context:
    ask_for_human_input = True

    def __init__(self, task, inputs):
        self.task = task
        self.messages = [task.description.format(**inputs)]

    def _format_feedback_message(self, feedback):
        return f"Feedback: {feedback}"

    def _invoke_loop(self):
        return SimpleNamespace(output=" | ".join(self.messages))
`;

const PROVIDERS = `
from contextvars import ContextVar

provider = ContextVar("provider")
set_provider = provider.set
get_provider = provider.get

class SyncHumanInputProvider:
    @staticmethod
    def _get_output_string(answer):
        return answer.output
`;

it('the example in Python asks where CrewAI would ask on the terminal', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'crewai-'));
  const providers = join(folder, 'crewai/core/providers');
  await mkdir(providers, { recursive: true });
  await writeFile(join(folder, 'crewai/__init__.py'), CREWAI);
  await writeFile(join(providers, 'human_input.py'), PROVIDERS);
  const installed = await startPythonService(folder);
  const caller = crewCaller(installed.baseUrl, PYTHON_TOKEN);
  const kickoff = { inputs: { topic: 'tea' }, humanInputWebhook: webhook('/installed') };
  const { body } = await caller.post('/kickoff', kickoff);
  const first = await receiver.nth('/installed', 1);
  expect(first.body).toMatchObject({ task_id: 'id-of-the-task', task_output: 'Write an announcement about tea.' });
  const decision = { execution_id: body.kickoff_id, task_id: 'id-of-the-task' };
  await caller.post('/resume', { ...decision, is_approve: false, human_feedback: 'Shorter.' });
  const second = await receiver.nth('/installed', 2);
  expect(second.body.task_output).toBe('Write an announcement about tea. | Feedback: Shorter.');
  await caller.post('/resume', { ...decision, is_approve: true, human_feedback: 'Approved.' });
  const status = await until('the end', async () => {
    const { body: now } = await caller.get(`/status/${body.kickoff_id}`);
    return now.status === 'completed' && now;
  });
  expect(status.result).toEqual({ output: second.body.task_output });
  await installed.stop();
  await rm(folder, { recursive: true });
});

describe('the example in Python, attacked', () => {
  const kickoffBody = { inputs: { topic: 'x' } };

  it.each([
    ['no token', undefined],
    ['another token', 'wrong'],
    ['the beginning of the token', PYTHON_TOKEN.slice(0, -1)],
    ['a token with more', `${PYTHON_TOKEN}x`],
    ['characters that are not ASCII', 'tökén'],
  ])('tells nothing to %s', async (_what, token) => {
    const stranger = crewCaller(
      service.baseUrl,
      token === undefined ? undefined : Buffer.from(token).toString('latin1'),
    );
    const answers = [
      ...(await Promise.all(['/inputs', '/status/x', '/nowhere'].map((path) => stranger.get(path)))),
      ...(await Promise.all(['/kickoff', '/resume'].map((path) => stranger.post(path, kickoffBody)))),
    ];
    for (const { status, headers, body } of answers) {
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
      expect(body).toEqual({ error: 'unauthorized', message: 'Invalid bearer token.' });
    }
  });

  it.each([
    ['no JSON', '{"inputs": '],
    ['a list', '[]'],
    ['a number that JSON hasn’t', '{"inputs": {"topic": NaN}}'],
    ['half a character', '{"inputs": {"topic": "\\ud83d"}}'],
    ['what is nested too deeply', `{"inputs": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['inputs that are a text', '{"inputs": "topic"}'],
    ['a file as a webhook', '{"inputs": {"topic": "x"}, "humanInputWebhook": {"url": "file:///etc/passwd"}}'],
    ['a webhook without an address', '{"inputs": {"topic": "x"}, "humanInputWebhook": {}}'],
    ['a line break in an address', '{"inputs": {"topic": "x"}, "taskWebhookUrl": "http://127.0.0.1/\\r\\nX: y"}'],
    [
      'a line break in credentials',
      '{"inputs": {"topic": "x"}, "humanInputWebhook": {"url": "http://127.0.0.1/", "authentication": {"strategy": "bearer", "token": "a\\r\\nX: y"}}}',
    ],
    [
      'credentials that it doesn’t know',
      '{"inputs": {"topic": "x"}, "humanInputWebhook": {"url": "http://127.0.0.1/", "authentication": {"strategy": "digest"}}}',
    ],
  ])('refuses %s', async (_what, body) => {
    const answer = await crew.send('POST', '/kickoff', { body, headers: { 'content-type': 'application/json' } });
    expect([answer.status, answer.body.error]).toEqual([400, 'malformed']);
  });

  it('says which inputs and fields are missing, and what it doesn’t know', async () => {
    expect(await crew.post('/kickoff', {})).toMatchObject({
      status: 422,
      body: { message: 'Missing inputs: topic', details: { missing_inputs: ['topic'] } },
    });
    expect(await crew.post('/resume', { execution_id: 'x' })).toMatchObject({
      status: 422,
      body: { message: 'Missing fields: task_id, is_approve' },
    });
    const unknown = { execution_id: 'x', task_id: 'y', is_approve: true };
    expect((await crew.post('/resume', { ...unknown, is_approve: 'yes' })).status).toBe(400);
    expect((await crew.post('/resume', unknown)).status).toBe(404);
    expect((await crew.get('/status/__class__')).status).toBe(404);
    expect((await crew.get('/kickoff')).status).toBe(404);
  });

  it('reads no body that is too large, of unknown length, or without a token', async () => {
    const body = JSON.stringify({ inputs: { topic: 'x'.repeat(1_100_000) } });
    const headers = { 'content-type': 'application/json' };
    expect((await crew.send('POST', '/kickoff', { body, headers })).status).toBe(413);
    expect((await crewCaller(service.baseUrl, 'wrong').send('POST', '/kickoff', { body, headers })).status).toBe(401);

    const head = (...lines: string[]) =>
      ['POST /kickoff HTTP/1.1', 'Host: x', `Authorization: Bearer ${PYTHON_TOKEN}`, ...lines, '', ''].join('\r\n');
    const smuggled = `GET /inputs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${PYTHON_TOKEN}\r\n\r\n`;
    for (const [lines, status] of [
      [['Content-Length: 99999999999999999999'], 413],
      [['Content-Length: -1'], 411],
      [['Content-Length: 5', 'Transfer-Encoding: chunked'], 411],
      [['Transfer-Encoding: chunked'], 411],
      [[], 411],
    ] as const)
      expect(statusesIn(await rawExchange(service.port, `${head(...lines)}${smuggled}`, 1_000))).toEqual(
        lines.length === 0 ? [status, 200] : [status],
      );
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
    await until('the log', () => service.log().includes(`${id}: the notification human_input was not taken: refused`));
    redirecting.close();
    expect(receiver.at('/elsewhere')).toEqual([]);
  });

  it('never writes a token to its log', () => {
    expect(service.log()).not.toMatch(/a-token-of-python|of-the-webhook|Traceback/);
  });
});
