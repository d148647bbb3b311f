import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineCrew } from '../../../../src/sandbox/crew-service/define-crew.ts';
import type { DialectName } from '../../../../src/sandbox/crew-service/dialects/dialect.ts';
import { createToldText } from '../../../../src/sandbox/crew-service/model/model.ts';
import { tool } from '../../../../src/sandbox/crew-service/model/tool.ts';
import { type CrewService, startCrewService } from '../../../../src/sandbox/crew-service/service.ts';
import { sharedRedis } from '../../shared.ts';
import { converse } from '../conversation.ts';
import { crewCaller } from '../crew-caller.ts';
import { textIn } from '../json-body.ts';
import { calling, type ModelServer, refused, startModelServer, streamed } from '../model-server.ts';
import { sharedReceiver } from '../webhook-receiver.ts';

const half = tool({
  name: 'half',
  description: 'Half of an even number',
  input: z.object({ of: z.number() }),
  run({ of }) {
    if (of % 2 === 1) throw new Error(`${of} is odd`);
    return { half: of / 2 };
  },
});

const crews = [
  defineCrew({ name: 'asking', inputs: { prompt: z.string() } }).task('ask', {
    agent: { name: 'Ada', role: 'You count.', goal: 'Right numbers.' },
    description: 'Count things.',
    expectedOutput: 'A number.',
    run: async ({ inputs, model }) =>
      (await model.ask({ prompt: inputs.prompt, thought: 'Think', tools: [half], maxToolCalls: 4 })).text,
  }),
  defineCrew({ name: 'asking-and-waiting', inputs: {} }).task('ask', {
    agent: 'Ada',
    async run({ model, step }) {
      const { text } = await model.ask({ prompt: 'Once?' });
      return step('Wait', () => (letGo ? `${text}, then` : new Promise<string>(() => {})));
    },
  }),
];
let letGo = false;

const reviewed = defineCrew({ name: 'reviewed', inputs: {} })
  .task('ask', { agent: 'Ada', humanInput: true, run: async ({ model }) => (await model.ask({ prompt: 'So?' })).text })
  .task('end', { agent: 'Ada', run: ({ outputs }) => outputs.ask });

const redis = sharedRedis();
const receiver = sharedReceiver();
let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});

let services: CrewService[] = [];

afterEach(async () => {
  await Promise.all(services.map((service) => service.close()));
  services = [];
  await server.close();
  await redis.flush();
});

async function start(dialect: DialectName, baseUrl: string | undefined = server.baseUrl): Promise<CrewService> {
  const model = { baseUrl, apiKey: 'secret-key', name: 'tiny' };
  const service = await startCrewService({
    ...{ crews: [...crews, reviewed], dialect, model, redisUrl: redis.socketPath },
    tokens: { organisation: 'org' },
  });
  services.push(service);
  return service;
}

/** Asks, and waits for the end. */
async function ask(service: CrewService, dialect: DialectName = 'observed') {
  const path = `/${randomUUID()}`;
  const crew = crewCaller(service.baseUrlOf('asking'), 'org');
  const addresses = { stepWebhookUrl: receiver.urlOf(`${path}/step`), crewWebhookUrl: receiver.urlOf(`${path}/crew`) };
  const { body } = await crew.post('/kickoff', { inputs: { prompt: 'How many?' }, ...addresses });
  const kickoffId = textIn(body, 'kickoff_id');
  const ended = await converse({ service, receiver, dialect, token: 'org' }).endOf('asking', kickoffId);
  return { ...ended, path, kickoffId, crew };
}

const usage = (turns: number) => ({
  prompt_tokens: 10 * turns,
  completion_tokens: 3 * turns,
  total_tokens: 13 * turns,
});

describe('a crew that asks a model', () => {
  it('reports paragraphs while they are written, then the answer, and what it has cost', async () => {
    const service = await start('observed');
    server.answerWith(streamed(['One ', 'thing.\n', '\nAnd ', 'another', ' one.\n\n', '42']));
    const { result, path } = await ask(service);
    expect(result).toBe('One thing.\n\nAnd another one.\n\n42');
    expect((await receiver.nth(`${path}/crew`, 1)).body.token_usage).toEqual(usage(1));
    const steps = receiver.at(`${path}/step`).map(({ body }) => body);
    expect(steps.map((step) => step.result)).toEqual(['One thing.', 'And another one.', result]);
    expect(steps).toMatchObject(steps.map(() => ({ thought: 'Think', tool: 'tiny' })));
    expect(server.questions[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(server.questions[0]?.body.messages[0]?.content).toBe(
      'You are Ada: You count.\nYour goal: Right numbers.\nYour task: Count things.\nWhat you hand on: A number.',
    );
  });

  it('tells what it has used in status and reports of the specification, too', async () => {
    const service = await start('spec');
    const { kickoffId, crew } = await ask(service, 'spec');
    expect((await crew.get(`/status/${kickoffId}`)).body.token_usage).toEqual(usage(1));
    const run = await converse({ service, receiver, dialect: 'spec', token: 'org' }).start('reviewed', {});
    await run.resume(await run.pause(1), { approved: true, text: 'Approved.' }, { events: 'named' });
    expect((await run.event('crew', 1)).body).toMatchObject({ result: '# Draft 2', token_usage: usage(1) });
    const { body } = await crew.get(`/executions/${kickoffId}`);
    expect(body.runs).toMatchObject([{ token_usage: usage(1), tasks: [{ agent: 'Ada', goal: 'Right numbers.' }] }]);
  });

  it('lets the model call its tools, and tells it what was wrong with a call', async () => {
    const service = await start('observed');
    server.answerWith(
      calling({ name: 'half', given: '{"of":8}' }, { name: 'half', given: '{"of":"8"}' }),
      calling({ name: 'half', given: '{"of":7}' }, { name: 'third', given: '{}' }),
      streamed(['4']),
    );
    const { result, path } = await ask(service);
    expect(result).toBe('4');
    expect((await receiver.nth(`${path}/crew`, 1)).body.token_usage).toEqual(usage(3));
    expect(server.questions[0]?.body.tools).toMatchObject([
      { type: 'function', function: { name: 'half', parameters: { type: 'object', required: ['of'] } } },
    ]);
    const told = server.questions[2]?.body.messages.filter(({ role }) => role === 'tool');
    expect(told).toMatchObject([
      { tool_call_id: 'call-0', content: '{\n  "half": 4\n}' },
      { tool_call_id: 'call-1', content: expect.stringMatching(/^Not called: the arguments are wrong\.\n.*of/s) },
      { tool_call_id: 'call-0', content: 'The call failed: 7 is odd' },
      { tool_call_id: 'call-1', content: 'Not called: there is no tool "third".' },
    ]);
    expect(receiver.at(`${path}/step`).map(({ body }) => [body.tool, body.tool_input])).toEqual([
      ['tiny', ''],
      ['half', '{"of":8}'],
      ['half', '{"of":"8"}'],
      ['tiny', ''],
      ['half', '{"of":7}'],
      ['third', '{}'],
      ['tiny', ''],
    ]);
  });

  it('stops a model that does nothing but call tools', async () => {
    const service = await start('observed');
    server.answerWith(...[1, 2, 3, 4, 5].map(() => calling({ name: 'half', given: '{"of":2}' })));
    expect((await ask(service)).error).toBe('The model called tools 5 times without an answer.');
  });

  it('asks a busy server again, and one that broke off, but not for ever', async () => {
    const service = await start('observed');
    const cut = { ...streamed(['half an ']), body: streamed(['half an ']).body.slice(0, 2), end: 'cut' as const };
    server.answerWith(refused(429), cut, streamed(['answer']), refused(503), refused(503), refused(503));
    expect((await ask(service)).result).toBe('answer');
    expect((await ask(service)).error).toBe('The model’s server answered 503.');
  });

  it('takes the answer of a server that tells no usage, or answers in one piece', async () => {
    const service = await start('observed');
    const whole = '{\n  "choices": [{ "message": { "content": "in\\none piece" }, "finish_reason": "stop" }]\n}';
    server.answerWith(streamed(['free'], { usage: null }), { type: 'application/json', body: [whole] });
    const free = await ask(service);
    expect(free.result).toBe('free');
    expect((await receiver.nth(`${free.path}/crew`, 1)).body.token_usage).toEqual(usage(0));
    expect((await ask(service)).result).toBe('in\none piece');
  });

  it.each([
    [refused(401), 'The model’s server answered 401. It doesn’t take OPENAI_API_KEY.'],
    [{ body: ['data: {"choices":[]}\n\n', 'data: [DONE]\n\n'] }, 'The model’s server answered without a text.'],
    [streamed([' \n']), 'The model’s server answered without a text.'],
    [
      { body: ['data: {"error":{"message":"secret-key"}}\n\n'] },
      'The model’s server sent something that is no answer.',
    ],
    [{ body: ['data: no JSON\n\n'] }, 'The model’s server sent something that is no answer.'],
    [streamed(['x'.repeat(1_000_001)]), 'The model wrote more than 1000000 characters.'],
  ])('fails with a sentence that never has the key: %#', async (answer, sentence) => {
    const service = await start('observed');
    server.answerWith(answer);
    expect((await ask(service)).error).toBe(sentence);
    expect(server.questions).toHaveLength(1);
  });

  it('fails with a sentence where no model answers', async () => {
    const service = await start('observed', 'localhost:11434/v1');
    expect((await ask(service)).error).toBe('The model’s server gave no answer (UND_ERR_INVALID_ARG).');
  });

  it('neither asks nor pays again when its task runs again', async () => {
    const first = await start('observed');
    const addresses = { stepWebhookUrl: receiver.urlOf('/again/step'), crewWebhookUrl: receiver.urlOf('/again/crew') };
    const crew = crewCaller(first.baseUrlOf('asking-and-waiting'), 'org');
    await crew.post('/kickoff', { inputs: {}, ...addresses });
    await receiver.nth('/again/step', 1);
    await first.close();
    letGo = true;
    await start('observed');
    const { body } = await receiver.nth('/again/crew', 1);
    expect(body).toMatchObject({ result: '# Draft 1, then', token_usage: usage(1) });
    expect(server.questions).toHaveLength(1);
  });
});

describe('what is told of an answer that is being written', () => {
  it('comes each second at most where no paragraph ends, and not without end', async () => {
    const told: string[] = [];
    let now = 0;
    const add = createToldText(
      async (text) => void told.push(text),
      () => now,
    );
    for (const word of ['a ', 'b ', 'c ', 'd ']) {
      now += 500;
      await add(word);
    }
    expect(told).toEqual(['a b', 'c d']);
    for (let number = 0; number < 100; number++) await add(`${number}\n\n`);
    expect(told).toHaveLength(40);
  });
});

it('names its tools as a model’s server takes them', () => {
  const rest = { description: '', input: z.object({}), run: () => '' };
  expect(() => tool({ name: 'two words', ...rest })).toThrow("A tool's name has at most 64 letters");
});
