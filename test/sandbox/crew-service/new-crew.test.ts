import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newCrew } from '../../../src/sandbox/crew-service/new-crew.ts';
import type { CrewService } from '../../../src/sandbox/crew-service/service.ts';
import { sharedRedis } from '../shared.ts';
import { builtService } from './built-package.ts';
import { type Conversation, converse } from './conversation.ts';
import { crewCaller } from './crew-caller.ts';
import { type ModelServer, startModelServer, streamed } from './model-server.ts';
import { sharedReceiver } from './webhook-receiver.ts';

const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

let folder: string;
const redis = sharedRedis();
const receiver = sharedReceiver();
let model: ModelServer;
let service: CrewService;
let conversation: Conversation;

/** The examples of docs/hosting-crews.md, by the file names in their first lines. */
async function writeExamples(): Promise<string[]> {
  const page = await readFile(join(CHECKOUT, 'docs/hosting-crews.md'), 'utf8');
  const examples = [...page.matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)];
  await Promise.all(examples.map(([, name = '', code = '']) => writeFile(join(folder, name), code)));
  return examples.map(([, name = '']) => name);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'new-crew-'));
  model = await startModelServer();
  expect(await newCrew(['leaflet', folder], { npm_lifecycle_event: 'crew' })).toContain(
    `npm run crew -- --crews ${join(folder, 'leaflet.ts')}`,
  );
  expect(await writeExamples()).toEqual(['minutes.ts', 'briefing.ts']);
  const { startCrewService } = await builtService();
  service = await startCrewService({
    crews: [],
    crewFiles: ['leaflet', 'minutes', 'briefing'].map((name) => ({ file: join(folder, `${name}.ts`) })),
    crewProcesses: {
      env: { ...process.env, OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'key' },
    },
    tokens: { organisation: 'org' },
    redisUrl: redis.socketPath,
  });
  conversation = converse({ service, receiver, dialect: 'spec', token: 'org' });
});

afterAll(async () => {
  await service.close();
  await model.close();
  await rm(folder, { recursive: true });
});

describe('a crew that was made with `new`', () => {
  it('has at most 30 lines, and the types that editors need, like the examples of the documents', async () => {
    for (const name of ['leaflet.ts', 'minutes.ts']) {
      const crew = await readFile(join(folder, name), 'utf8');
      expect(crew.trim().split('\n').length).toBeLessThanOrEqual(30);
    }
    const tsc = join(CHECKOUT, 'node_modules/typescript/bin/tsc');
    const checked = run(process.execPath, [tsc, '-p', folder]).catch((error: { stdout: string }) => error);
    expect((await checked).stdout).toBe('');
  });

  it('runs to the end, through a rejection and an approval', async () => {
    model.answerWith(streamed(['Tea is ', 'hot.']), streamed(['Tea is warm.']));
    const leaflet = await conversation.start('leaflet', { topic: 'tea' });
    const first = await leaflet.pause(1);
    expect(first.body.task_output).toBe('Tea is hot.');
    await leaflet.resume(first, { approved: false, text: 'Say warm' });
    const second = await leaflet.pause(2);
    expect(model.questions[1]?.body.messages.at(-1)?.content).toContain('Tea is hot.\nFollow this:\nSay warm');
    await leaflet.resume(second, { approved: true, text: 'Approved.' });
    expect(await leaflet.result()).toBe('Published: Tea is warm.');
  });

  it('is never overwritten, nor is its tsconfig.json', async () => {
    const own = join(folder, 'tsconfig.json');
    const before = await readFile(own, 'utf8');
    await expect(newCrew(['leaflet', folder], {})).rejects.toThrow('leaflet.ts exists already.');
    await newCrew(['second', folder], {});
    expect(await readFile(own, 'utf8')).toBe(before);
    expect(await readdir(folder)).toContain('second.ts');
  });

  it.each([[[]], [['Big Name']], [['a', 'b', 'c']], [['--crews', 'x']]])(
    'needs a name that a crew may have: %j',
    async (args) => {
      await expect(newCrew(args, {})).rejects.toThrow(/name/);
    },
  );
});

describe('the examples of the documents', () => {
  it('write minutes as it says', async () => {
    const [notes, book] = [join(folder, 'notes.txt'), join(folder, 'book.md')];
    await writeFile(notes, 'Tea at four\nNo cake\n');
    const minutes = await conversation.start('minutes', { notes, book });
    const first = await minutes.pause(1);
    expect(first.body.task_output).toBe('- Tea at four\n- No cake');
    await minutes.resume(first, { approved: false, text: 'Who came' });
    const second = await minutes.pause(2);
    await minutes.resume(second, { approved: true, text: 'Approved.' });
    expect(await minutes.result()).toBe(`2 notes are in ${book}.`);
    expect(await readFile(book, 'utf8')).toBe('- Tea at four\n- No cake\n- Asked for: Who came\n');
  });

  it('run beside each other, leave out what isn’t wanted, and need no reviews where they say so', async () => {
    const crew = crewCaller(service.baseUrlOf('briefing'), 'org');
    const asked = model.questions.length;
    const { body } = await crew.post('/kickoff', { inputs: { topic: 'tea' } });
    const result = await conversation.resultOf('briefing', String(body.kickoff_id));
    expect(result).toBe(`# Draft ${asked + 1}\n\nNo news.`);
    expect((await crew.get(`/status/${body.kickoff_id}`)).body.token_usage).toMatchObject({ total_tokens: 13 });
  });
});
