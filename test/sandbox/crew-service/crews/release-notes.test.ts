import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { releaseNotesCrew } from '../../../../src/sandbox/crew-service/crews/release-notes.ts';
import type { ModelSettings } from '../../../../src/sandbox/crew-service/model/model-server.ts';
import { type CrewService, startCrewService } from '../../../../src/sandbox/crew-service/service.ts';
import { sharedRedis } from '../../shared.ts';
import { type ConversationRun, converse } from '../conversation.ts';
import { crewCaller } from '../crew-caller.ts';
import { textIn } from '../json-body.ts';
import { type ModelServer, refused, startModelServer, streamed } from '../model-server.ts';
import { sharedReceiver } from '../webhook-receiver.ts';
import { type GitRepository, longHistory, makeRepository } from './git-repository.ts';

const token = 'org-token';
const redis = sharedRedis();
const receiver = sharedReceiver();
let repository: GitRepository;
let outputFolder: string;
let service: CrewService;

beforeAll(async () => {
  repository = await makeRepository(longHistory());
});

afterAll(() => repository.remove());

beforeEach(async () => {
  outputFolder = await mkdtemp(join(tmpdir(), 'crew-output-'));
});

afterEach(async () => {
  await service.close();
  await rm(outputFolder, { recursive: true });
  await redis.flush();
});

async function startNotes(model?: ModelSettings): Promise<ConversationRun> {
  const crews = [releaseNotesCrew({ outputFolder: join(outputFolder, 'notes') })];
  const tokens = { organisation: token };
  service = await startCrewService({ crews, tokens, redisUrl: redis.socketPath, model });
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
    expect(draft).toMatch(
      /^# Release notes: project\n\n\*\*319 changes\*\* since `v1\.0` \(2 Jan to 22 Mar 2026\): 1 breaking, 32 new/,
    );

    await run.resume(first, { approved: false, text: 'Make it shorter. Leave out under the hood. Make it rhyme' });
    const second = await run.pause(2);
    const shorter = textIn(second.body, 'task_output');
    expect(shorter).toMatch(/^\*I did not understand:\* “Make it rhyme”\..*\n\n---\n\n# Release notes: project\n/);
    expect(shorter.length).toBeLessThan(draft.length * 0.6);
    expect(shorter).not.toContain('Under the hood');

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

  it('goes on with a text that a person has approved in place of its own, and publishes it', async () => {
    const run = await startNotes();
    const text = 'Approved with these edits:\n# Cardwall 2.4\n\nNew.';
    await run.resume(await run.pause(1), { approved: true, text });
    const final = await run.pause(2);
    expect(final.body.task_output).toBe('# Cardwall 2.4\n\nNew.');
    await run.resume(final, { approved: true, text: 'On Monday.\n\nApproved with these edits:\n# Cardwall 2.5' });
    expect(String(await run.result())).toMatch(/^Published to `.+`\n\n# Cardwall 2\.5$/);
  });

  it('fails with a sentence for the person who typed the inputs', async () => {
    await startNotes();
    const crew = crewCaller(service.baseUrlOf('release-notes'), token);
    const kickoff = (repository: unknown, since: string) => crew.post('/kickoff', { inputs: { repository, since } });
    const errorFor = async (folder: string, since: string) => {
      const kickoffId = textIn((await kickoff(folder, since)).body, 'kickoff_id');
      return (await converse({ service, receiver, dialect: 'spec', token }).endOf('release-notes', kickoffId)).error;
    };
    expect(await errorFor('/nowhere', 'v1.0')).toBe('There is no folder "/nowhere" on this machine.');
    expect(await errorFor(repository.folder, '--all')).toContain('is neither a tag nor a commit');
    expect((await kickoff(repository.folder, '')).text).toContain('Missing inputs: since');
    expect((await kickoff(7, 'v1.0')).status).toBe(400);
  });
});

describe('the crew release-notes with a model', () => {
  let server: ModelServer;

  beforeEach(async () => {
    server = await startModelServer();
  });

  afterEach(() => server.close());

  const model = (baseUrl = server.baseUrl) => ({ baseUrl, apiKey: 'secret-key', name: 'tiny' });
  const asked = (number: number) => server.questions[number]?.body.messages.at(-1)?.content;

  it('lets the model draft, with all feedback', async () => {
    const run = await startNotes(model());
    const first = await run.pause(1);
    expect(first.body.task_output).toBe('# Draft 1');
    expect(server.questions[0]?.headers).toMatchObject({
      authorization: 'Bearer secret-key',
      path: '/v1/chat/completions',
    });
    expect(server.questions[0]?.body).toMatchObject({ model: 'tiny', stream: true });
    expect(server.questions[0]?.body.messages[0]?.content).toMatch(
      /^You are Writer: You write release notes.*\nYour goal: /,
    );
    expect(asked(0)).toContain('Commits (319)');

    await run.resume(first, { approved: false, text: 'Write it as a haiku. Shorter' });
    const second = await run.pause(2);
    expect(second.body.task_output).toBe('# Draft 2');
    expect(asked(1)).toMatch(/- Write it as a haiku\. Shorter\n[\s\S]*# Draft 1/);

    await run.resume(second, { approved: true, text: 'But in French' });
    const third = await run.pause(3);
    expect(asked(2)).toMatch(/haiku[\s\S]*- But in French\n[\s\S]*# Draft 2/);
    await run.resume(third, { approved: true, text: 'Approved.' });
    expect(await run.result()).toMatch(/^Published to `.+`\n\n# Draft 3$/);
  });

  it('takes the draft alone from the answer, and says where it was cut off', async () => {
    server.answerWith(
      streamed(['<think>What do\nthey ', 'want?</think>\n\n```markdown', '\n# Fenced\n```\n'], { finish: 'length' }),
    );
    const run = await startNotes(model());
    expect((await run.pause(1)).body.task_output).toMatch(/^# Fenced\n\n_.*the end is missing.*_$/);
  });

  it('fails with a sentence for its reviewers where the model fails', async () => {
    server.answerWith(refused(401));
    expect(await endOf(await startNotes(model()))).toBe(
      'The model’s server answered 401. It doesn’t take OPENAI_API_KEY.',
    );
  });
});
