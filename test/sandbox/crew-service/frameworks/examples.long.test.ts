import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sharedRedis } from '../../shared.ts';
import { type CrewCaller, crewCaller } from '../crew-caller.ts';
import { type ModelServer, startModelServer } from '../model-server.ts';
import { PROCESS_TOKEN, type ServiceProcess, startServiceProcess } from '../service-process.ts';
import { until } from '../until.ts';
import { sharedReceiver } from '../webhook-receiver.ts';

const example = (name: string) =>
  fileURLToPath(new URL(`../../../../src/sandbox/crew-service/examples/${name}`, import.meta.url));

const redis = sharedRedis();
const receiver = sharedReceiver();
let model: ModelServer;
let folder: string;
let service: ServiceProcess;

beforeAll(async () => {
  model = await startModelServer();
  folder = await mkdtemp(join(tmpdir(), 'examples-'));
  const files = ['langchain.mjs', 'langgraph.ts', 'openai-agents.ts'].map(example);
  const env = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'a-key' };
  service = await startServiceProcess(redis.socketPath, files, { env, cwd: folder });
});
afterAll(async () => {
  await service.kill();
  await model.close();
  await rm(folder, { recursive: true });
});

/** Starts a crew, and answers what it asks. Resolves to what it asked and put out. */
async function play(crew: string, inputs: object, answers: readonly { approved: boolean; text: string }[]) {
  const caller: CrewCaller = crewCaller(`${service.origin}/crews/${crew}`, PROCESS_TOKEN);
  const humanInputWebhook = { url: receiver.urlOf(`/${crew}`) };
  const { body } = await caller.post('/kickoff', { inputs, humanInputWebhook });
  const asked: unknown[] = [];
  for (const [index, { approved, text }] of answers.entries()) {
    const { task_id, task_output } = (await receiver.nth(`/${crew}`, index + 1)).body;
    asked.push(task_output);
    const decision = { execution_id: body.kickoff_id, task_id, human_feedback: text, is_approve: approved };
    expect((await caller.post('/resume', decision)).status).toBe(200);
  }
  const result = await until('the end', async () => {
    const { body: status } = await caller.get(`/status/${body.kickoff_id}`);
    return (status.status === 'completed' || status.status === 'error') && (status.result ?? status.error);
  });
  return { asked, result };
}

it('the example of LangGraph drafts a leaflet until it is approved', async () => {
  const answers = [
    { approved: false, text: 'Mention oolong.' },
    { approved: true, text: 'Approved.' },
  ];
  expect(await play('leaflet', { topic: 'tea' }, answers)).toMatchObject({
    asked: ['# About tea', '# About tea\nMention oolong.'],
    result: { output: 'Published:\n# About tea\nMention oolong.' },
  });
});

it.each([
  ['LangChain', 'support-by-langchain'],
  ['the OpenAI Agents SDK', 'support'],
])('the example of %s pays nothing back that was rejected, and what was approved once', async (_name, crew) => {
  const call = (amount: number) => ({
    tool_calls: [
      {
        ...{ id: `call-${amount}`, type: 'function' },
        function: { name: 'refund', arguments: JSON.stringify({ order: 'A-1', amount }) },
      },
    ],
  });
  model.answerWith(...[call(50), call(20), { content: 'Sorry! You get 20 EUR.' }].map(completion));
  const answers = [
    { approved: false, text: 'It was only one cup.' },
    { approved: true, text: 'Approved.' },
  ];
  const { asked, result } = await play(crew, { complaint: 'My cup of A-1 is broken.' }, answers);
  expect(asked).toEqual([expect.stringContaining('"amount": 50'), expect.stringContaining('"amount": 20')]);
  expect(result).toMatchObject({ output: 'Sorry! You get 20 EUR.' });
  const told = model.questions.at(-1)?.body.messages.filter(({ role }) => role === 'tool');
  expect(told?.map(({ content }) => content)).toEqual(['It was only one cup.', 'Paid 20 EUR back for A-1.']);
});

/** https://platform.openai.com/docs/api-reference/chat/object */
function completion(message: object) {
  const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: null, ...message } }];
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const body = { id: randomUUID(), object: 'chat.completion', created: 1, model: 'm', choices, usage };
  return { type: 'application/json', body: [JSON.stringify(body)] };
}
