import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CrewService, startCrewService } from '../../../../src/sandbox/crew-service/crew-server.ts';
import { releaseNotesCrew } from '../../../../src/sandbox/crew-service/crews/release-notes/crew.ts';
import type { DialectName } from '../../../../src/sandbox/crew-service/dialect.ts';
import { startRedis, type TestRedis } from '../../../support/redis.ts';
import { type ConversationRun, converse } from '../conversation.ts';
import { crewCaller } from '../crew-caller.ts';
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

type Options = { dialect?: DialectName; model?: { baseUrl: string; apiKey: string; name: string } };

async function startNotes({ dialect = 'spec', model }: Options = {}): Promise<ConversationRun> {
  const crew = releaseNotesCrew({ outputFolder: join(outputFolder, 'notes'), model });
  service = await startCrewService({
    crews: [crew],
    tokens: { organisation: token },
    redisUrl: redis.socketPath,
    dialect,
  });
  return converse({ service, receiver, dialect, token }).start('release-notes', {
    repository: repository.folder,
    since: 'v1.0',
  });
}

describe('the crew release-notes', () => {
  it.each(['spec', 'observed'] as const)(
    'drafts, follows feedback and publishes the notes of 320 commits, in the dialect %s',
    async (dialect) => {
      const run = await startNotes({ dialect });
      const first = await run.pause(1);
      const draft: string = first.body.task_output;
      expect(draft).toMatch(/^# Release notes: project\n/);
      expect(draft).toContain('**319 changes** by **5 people** since `v1.0` (2026-01-02 to 2026-03-22).');
      expect(draft).toContain('## Breaking changes\n- Drop Node.js 18');
      expect(draft).toMatch(/- \*\*cli:\*\* Add a `--dry-run` flag in part \d+ \(`[0-9a-f]{7}`, [\p{L} ]+\)/u);
      expect(draft).not.toContain('Merge branch');
      expect(draft.length).toBeLessThan(10_000);

      await run.resume(first, {
        approved: false,
        text: 'Shorter, group by author and leave out chores. Also make it rhyme',
      });
      const second = await run.pause(2);
      const shorter: string = second.body.task_output;
      expect(shorter.length).toBeLessThan(draft.length / 2);
      expect(shorter).toMatch(/## Ana López\n/);
      expect(shorter).not.toMatch(/bump undici|Refactor/i);
      expect(shorter).toMatch(/^\*Could not follow:\* “make it rhyme”\n\n---\n\n# Release notes: project\n/);

      await run.resume(second, { approved: true, text: 'Mention the search index' });
      const third = await run.pause(3);
      const final: string = third.body.task_output;
      expect(final).toContain('## Highlights\n- **The search index**');
      expect(final).toMatch(/## Ana López\n/);
      expect(final).not.toContain('Could not follow');
      expect(await readdir(outputFolder)).toEqual([]);

      await run.resume(third, { approved: false, text: 'Call it "Spring release"' });
      const fourth = await run.pause(4);
      await run.resume(fourth, { approved: true, text: 'Approved.' });
      const result = String(await run.result());
      const path = /^Published to `(.+)`\n\n# Spring release\n/.exec(result)?.[1] ?? '';
      expect(path.startsWith(join(outputFolder, 'notes', 'project-'))).toBe(true);
      expect(await readFile(path, 'utf8')).toBe(`${fourth.body.task_output}\n`);
      expect(await readdir(join(outputFolder, 'notes'))).toHaveLength(1);
    },
  );

  it('publishes the approved draft unchanged when nothing else was said', async () => {
    const run = await startNotes();
    const first = await run.pause(1);
    await run.resume(first, { approved: true, text: 'Approved.' });
    expect((await run.pause(2)).body.task_output).toBe(first.body.task_output);
  });

  it('answers the last feedback alone, and each wish once', async () => {
    const run = await startNotes();
    await run.resume(await run.pause(1), { approved: false, text: 'Make it rhyme. Shorter' });
    await run.resume(await run.pause(2), { approved: false, text: 'Draw a picture. Draw a picture!' });
    const third = await run.pause(3);
    expect(third.body.task_output.split('\n')[0]).toBe('*Could not follow:* “Draw a picture”');
  });

  it('tells its steps', async () => {
    const run = await startNotes();
    await run.resume(await run.pause(1), { approved: false, text: 'shorter' }, { events: 'named' });
    await run.pause(2);
    expect(run.events('step').map((one) => one.body.thought)).toEqual([
      'Sort 320 commits by what they change',
      'Write the notes again (round 2), following: shorter',
    ]);
  });

  it('fails with a sentence for the person who typed the inputs', async () => {
    await startNotes();
    const crew = crewCaller(service.baseUrlOf('release-notes'), token);
    const { endOf } = converse({ service, receiver, dialect: 'spec', token });
    const errorFor = async (inputs: Record<string, unknown>) => {
      const { body } = await crew.post('/kickoff', { inputs });
      return (await endOf('release-notes', body.kickoff_id)).error;
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

  it('lets the model draft, with the same feedback loop', async () => {
    const run = await startNotes({ model: { baseUrl, apiKey: 'key', name: 'tiny' } });
    const first = await run.pause(1);
    expect(first.body.task_output).toBe('# Draft 1');
    expect(questions[0]?.headers).toMatchObject({ authorization: 'Bearer key', path: '/v1/chat/completions' });
    expect(questions[0]?.body.model).toBe('tiny');
    expect(questions[0]?.body.messages[1]?.content).toContain('Commits (320)');

    await run.resume(first, { approved: false, text: 'Write it as a haiku' });
    const second = await run.pause(2);
    expect(second.body.task_output).toBe('# Draft 2');
    expect(questions[1]?.body.messages[1]?.content).toMatch(/- Write it as a haiku[\s\S]*# Draft 1/);

    await run.resume(second, { approved: true, text: 'Approved.' });
    const third = await run.pause(3);
    await run.resume(third, { approved: true, text: 'Approved.' });
    expect(await run.result()).toMatch(/^Published to `.+`\n\n# Draft 2$/);
    expect(questions).toHaveLength(2);
  });

  it('asks a busy model again, but not for ever', async () => {
    const busy = { status: 429, body: 'later' };
    answers.push(busy);
    const run = await startNotes({ model: { baseUrl, apiKey: 'key', name: 'tiny' } });
    const first = await run.pause(1);
    expect(first.body.task_output).toBe('# Draft 2');

    answers.push(busy, busy, busy);
    await run.resume(first, { approved: false, text: 'shorter' });
    const { endOf } = converse({ service, receiver, dialect: 'spec', token });
    expect((await endOf('release-notes', run.kickoffId)).error).toBe("The model's server answered 429.");
  });

  it('takes a draft out of a code fence, from behind the thoughts of a local model', async () => {
    answers.push({ status: 200, body: drafted('<think>What do\nthey want?</think>\n\n```markdown\n# Fenced\n```\n') });
    const run = await startNotes({ model: { baseUrl, apiKey: 'key', name: 'tiny' } });
    expect((await run.pause(1)).body.task_output).toBe('# Fenced');
  });

  it('says that a draft was cut off', async () => {
    answers.push({ status: 200, body: drafted('# Long\n\n- One', 'length') });
    const run = await startNotes({ model: { baseUrl, apiKey: 'key', name: 'tiny' } });
    expect((await run.pause(1)).body.task_output).toMatch(/^# Long\n\n- One\n\n_.*the end is missing.*_$/);
  });

  it.each([
    [{ status: 401, body: 'no' }, "The model's server answered 401."],
    [{ status: 200, body: '{"choices":[]}' }, "The model's server answered without a draft."],
    [{ status: 200, body: drafted(' \n') }, "The model's server answered without a draft."],
    [
      { status: 200, body: 'data: {"error":{"message":"overloaded"}}\n\n' },
      "The model's server answered without a draft.",
    ],
    [
      { status: 200, body: 'x'.repeat(1_100_000) },
      "The model's server gave no answer (UND_ERR_RES_EXCEEDED_MAX_SIZE).",
    ],
  ])('fails with a sentence when the model fails: %#', async (answer, sentence) => {
    answers.push(answer);
    const run = await startNotes({ model: { baseUrl, apiKey: 'key', name: 'tiny' } });
    const { endOf } = converse({ service, receiver, dialect: 'spec', token });
    expect((await endOf('release-notes', run.kickoffId)).error).toBe(sentence);
  });

  it.each([
    ['http://127.0.0.1:1/v1', "The model's server gave no answer (ECONNREFUSED)."],
    ['localhost:11434/v1', "The model's server gave no answer (UND_ERR_INVALID_ARG)."],
  ])('fails with a sentence where no model answers at %s', async (address, sentence) => {
    const run = await startNotes({ model: { baseUrl: address, apiKey: 'key', name: 'tiny' } });
    const { endOf } = converse({ service, receiver, dialect: 'spec', token });
    expect((await endOf('release-notes', run.kickoffId)).error).toBe(sentence);
  });
});
