import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Model } from '../../../../src/sandbox/crew-service/crews/release-notes/ask-model.ts';
import { releaseNotesCrew } from '../../../../src/sandbox/crew-service/crews/release-notes/crew.ts';
import { type CrewService, startCrewService } from '../../../../src/sandbox/crew-service/start-crew-service.ts';
import { startRedis, type TestRedis } from '../../../support/redis.ts';
import { type ConversationRun, converse } from '../conversation.ts';
import { crewCaller } from '../crew-caller.ts';
import { textIn } from '../json-body.ts';
import { startReceiver, type WebhookReceiver } from '../webhook-receiver.ts';
import { type GitRepository, longHistory, makeRepository } from './git-repository.ts';

const token = 'org-token';
let redis: TestRedis;
let receiver: WebhookReceiver;
let repository: GitRepository;
let outputFolder: string;
let service: CrewService;

beforeAll(async () => {
  redis = await startRedis();
  receiver = await startReceiver();
  repository = await makeRepository(longHistory());
});

afterAll(async () => {
  await repository.remove();
  await receiver.close();
  await redis.stop();
});

beforeEach(async () => {
  outputFolder = await mkdtemp(join(tmpdir(), 'crew-output-'));
});

afterEach(async () => {
  await service.close();
  await rm(outputFolder, { recursive: true });
  await redis.flush();
});

async function startNotes(model?: Model): Promise<ConversationRun> {
  const crews = [releaseNotesCrew({ outputFolder: join(outputFolder, 'notes'), model })];
  const tokens = { organisation: token };
  service = await startCrewService({ crews, tokens, redisUrl: redis.socketPath });
  const inputs = { repository: repository.folder, since: 'v1.0' };
  return converse({ service, receiver, dialect: 'spec', token }).start('release-notes', inputs);
}

async function endOf({ kickoffId }: ConversationRun): Promise<unknown> {
  const conversation = converse({ service, receiver, dialect: 'spec', token });
  return (await conversation.endOf('release-notes', kickoffId)).error;
}

describe('the crew release-notes', () => {
  it('drafts, follows feedback and publishes the notes of 319 commits', async () => {
    const run = await startNotes();
    const first = await run.pause(1);
    const draft = textIn(first.body, 'task_output');
    expect(draft).toMatch(/^# Release notes: project\n\n\*\*319 changes\*\* by \*\*5 authors\*\* since `v1\.0` /);

    await run.resume(first, { approved: false, text: 'Make it shorter. Leave out the chores. Make it rhyme' });
    const second = await run.pause(2);
    const shorter = textIn(second.body, 'task_output');
    expect(shorter).toMatch(/^\*Not followed:\* “Make it rhyme”\.\n.*\n\n---\n\n# Release notes: project\n/);
    expect(shorter.length).toBeLessThan(draft.length / 2);
    expect(shorter).not.toContain('Chores');

    await run.resume(second, { approved: true, text: 'Group by author' });
    const third = await run.pause(3);
    expect(third.body.task_output).toMatch(/^# Release notes: project\n/);
    expect(third.body.task_output).toContain('## Ana López\n');

    await run.resume(third, { approved: false, text: 'Title: Spring release' });
    const fourth = await run.pause(4);
    expect(await readdir(outputFolder)).toEqual([]);
    await run.resume(fourth, { approved: true, text: 'Thank you.' });
    const result = String(await run.result());
    const path = /^Published to `(.+)`\n\n# Spring release\n/.exec(result)?.[1] ?? '';
    expect(path.startsWith(join(outputFolder, 'notes', 'project-'))).toBe(true);
    expect(await readFile(path, 'utf8')).toBe(`${fourth.body.task_output}\n`);
  });

  it('publishes the approved draft without its remark where nothing else was said', async () => {
    const run = await startNotes();
    await run.resume(await run.pause(1), { approved: false, text: 'Draw a picture' });
    const second = await run.pause(2);
    await run.resume(second, { approved: true, text: 'Approved.' });
    const third = textIn((await run.pause(3)).body, 'task_output');
    expect(third).toMatch(/^# Release notes: project\n/);
    expect(textIn(second.body, 'task_output').endsWith(third)).toBe(true);
  });

  it('fails with a sentence for the person who typed the inputs', async () => {
    await startNotes();
    const crew = crewCaller(service.baseUrlOf('release-notes'), token);
    const { endOf } = converse({ service, receiver, dialect: 'spec', token });
    const errorFor = async (inputs: Record<string, unknown>) => {
      const { body } = await crew.post('/kickoff', { inputs });
      return (await endOf('release-notes', textIn(body, 'kickoff_id'))).error;
    };
    expect(await errorFor({ repository: '/nowhere', since: 'v1.0' })).toBe(
      'There is no folder "/nowhere" on this machine.',
    );
    expect(await errorFor({ repository: repository.folder, since: '--all' })).toContain(
      'is neither a tag nor a commit',
    );
    expect((await crew.post('/kickoff', { inputs: { repository: repository.folder, since: '' } })).text).toContain(
      'Missing inputs: since',
    );
    expect((await crew.post('/kickoff', { inputs: { repository: 7, since: 'v1.0' } })).status).toBe(400);
  });
});

describe('the crew release-notes with a model', () => {
  type Question = {
    headers: Record<string, unknown>;
    body: { model: string; messages: { role: string; content: string }[] };
  };
  let server: Server;
  let questions: Question[];
  let answers: { status: number; body: string }[];
  let baseUrl: string;

  beforeEach(async () => {
    questions = [];
    answers = [];
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      questions.push({
        headers: { ...request.headers, path: request.url },
        body: JSON.parse(Buffer.concat(chunks).toString()),
      });
      const { status, body } = answers.shift() ?? { status: 200, body: drafted(`# Draft ${questions.length}`) };
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1/`;
  });

  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const drafted = (content: string, finish_reason = 'stop') =>
    JSON.stringify({ choices: [{ message: { role: 'assistant', content }, finish_reason }] });

  const model = (address = baseUrl) => ({ baseUrl: address, apiKey: 'key', name: 'tiny' });

  it('lets the model draft, with all feedback', async () => {
    const run = await startNotes(model());
    const first = await run.pause(1);
    expect(first.body.task_output).toBe('# Draft 1');
    expect(questions[0]?.headers).toMatchObject({ authorization: 'Bearer key', path: '/v1/chat/completions' });
    expect(questions[0]?.body.model).toBe('tiny');
    expect(questions[0]?.body.messages[1]?.content).toContain('Commits (319)');

    await run.resume(first, { approved: false, text: 'Write it as a haiku. Shorter' });
    const second = await run.pause(2);
    expect(second.body.task_output).toBe('# Draft 2');
    expect(questions[1]?.body.messages[1]?.content).toMatch(/- Write it as a haiku\. Shorter\n[\s\S]*# Draft 1/);

    await run.resume(second, { approved: true, text: 'But in French' });
    const third = await run.pause(3);
    expect(questions[2]?.body.messages[1]?.content).toMatch(/haiku[\s\S]*- But in French\n[\s\S]*# Draft 2/);
    await run.resume(third, { approved: true, text: 'Approved.' });
    expect(await run.result()).toMatch(/^Published to `.+`\n\n# Draft 3$/);
  });

  it('asks a busy model again, but not for ever', async () => {
    const busy = { status: 429, body: 'later' };
    answers.push(busy);
    const run = await startNotes(model());
    const first = await run.pause(1);
    expect(first.body.task_output).toBe('# Draft 2');

    answers.push(busy, busy, busy);
    await run.resume(first, { approved: false, text: 'shorter' });
    expect(await endOf(run)).toBe("The model's server answered 429.");
  });

  it('takes the draft alone from the answer, and says where it was cut off', async () => {
    const content = '<think>What do\nthey want?</think>\n\n```markdown\n# Fenced\n```\n';
    answers.push({ status: 200, body: drafted(content, 'length') });
    const run = await startNotes(model());
    expect((await run.pause(1)).body.task_output).toMatch(/^# Fenced\n\n_.*the end is missing.*_$/);
  });

  it.each([
    [{ status: 401, body: 'no' }, "The model's server answered 401."],
    [{ status: 200, body: '{"choices":[]}' }, "The model's server answered without a draft."],
    [{ status: 200, body: drafted(' \n') }, "The model's server answered without a draft."],
    [{ status: 200, body: 'not JSON' }, "The model's server answered without a draft."],
    [
      { status: 200, body: 'x'.repeat(1_100_000) },
      "The model's server gave no answer (UND_ERR_RES_EXCEEDED_MAX_SIZE).",
    ],
  ])('fails with a sentence when the model fails: %#', async (answer, sentence) => {
    answers.push(answer);
    expect(await endOf(await startNotes(model()))).toBe(sentence);
  });

  it.each([
    ['http://127.0.0.1:1/v1', "The model's server gave no answer (ECONNREFUSED)."],
    ['localhost:11434/v1', "The model's server gave no answer (UND_ERR_INVALID_ARG)."],
  ])('fails with a sentence where no model answers at %s', async (address, sentence) => {
    expect(await endOf(await startNotes(model(address)))).toBe(sentence);
  });
});
