import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { connectCrewSandbox } from '../../../../src/sandbox/crew-service/sandbox-api/sandbox-over-http.ts';
import { sharedRedis } from '../../shared.ts';
import { builtService } from '../built-package.ts';
import { converse } from '../conversation.ts';
import { crewCaller } from '../crew-caller.ts';
import { PROCESS_TOKEN, type ServiceProcess, startServiceProcess } from '../service-process.ts';
import { until } from '../until.ts';
import { sharedReceiver } from '../webhook-receiver.ts';

const token = PROCESS_TOKEN;
const CREWS = fileURLToPath(new URL('./served-crews.ts', import.meta.url));

const redis = sharedRedis({ appendOnly: true });
const receiver = sharedReceiver();
let folder: string;

beforeEach(async () => {
  await redis.flush();
  folder = await mkdtemp(join(tmpdir(), 'framework-crews-'));
  return () => rm(folder, { recursive: true });
});

const NO = { approved: false, text: 'Shorter.' };
const YES = { approved: true, text: 'Approved.' };

describe.each(['spec', 'observed'] as const)('crews of other frameworks, served in the dialect %s', (dialect) => {
  const serve = async () => {
    const { startCrewService } = await builtService();
    const service = await startCrewService({
      crews: [],
      crewFiles: [{ file: CREWS }],
      crewProcesses: { env: { ...process.env, CREW_FOLDER: folder } },
      tokens: { organisation: token },
      redisUrl: redis.socketPath,
      dialect,
    });
    return { service, talk: converse({ service, receiver, dialect, token }) };
  };

  it('asks for what a graph interrupts for, round by round, and takes each decision once', async () => {
    const { service, talk } = await serve();
    const run = await talk.start('news', { topic: 'tea' }, { strategy: 'bearer', token: 'secret' });
    const first = await run.pause(1);
    expect([first.authorization, first.body.task_output]).toEqual(['Bearer secret', 'About tea, draft 1']);
    expect(await run.summary()).toMatchObject({ status: 'waiting', task: 'review', round: 1 });

    await run.resume(first, NO, { events: 'named' });
    const second = await run.pause(2);
    expect([second.body.task_id, second.body.task_output]).toEqual([first.body.task_id, 'About tea, draft 2']);
    expect((await run.event('task', 1)).body).toMatchObject({ name: 'review', agent: 'news' });

    // A decision on what waits no longer is without effect.
    const late = run.resumeWith(second, {});
    const again = run.resumeWith(second, {});
    expect([(await late).status, (await again).status].toSorted()).toEqual(
      dialect === 'spec' ? [200, 400] : [200, 200],
    );
    const third = await run.pause(3);
    // What comes after an approval is another question.
    expect(third.body.task_output).toBe('Title for: About tea, draft 2');
    expect(third.body.task_id).not.toBe(first.body.task_id);
    await service.close();
  });

  it('asks for the approval of an agent’s tool calls, and says why one was rejected', async () => {
    const { service, talk } = await serve();
    const run = await talk.start('refunds', { order: 'A-1' });
    await run.resume(await run.pause(1), YES);
    await run.resume(await run.pause(2), { approved: false, text: 'Too much.' });
    const third = await run.pause(3);
    expect(third.body.task_output).toContain('"amount": 15');
    await run.resume(third, YES);
    expect(await run.result()).toBe('A-1: 50 EUR, paid 20, Too much., paid 15');
    expect(await readFile(join(folder, 'paid'), 'utf8')).toBe('A-1: 20\nA-1: 15\n');
    expect((await run.summary())?.reviews.map(({ task, round }) => [task, round])).toEqual([
      ['refund', 1],
      ['refund', 1],
      ['refund', 2],
    ]);
    await service.close();
  });

  it('fails a run whose graph fails, has nobody to ask or was forgotten by its checkpointer', async () => {
    const { service, talk } = await serve();
    const failure = async (crew: string, run: { kickoffId: string }) => (await talk.endOf(crew, run.kickoffId)).error;
    const broken = await talk.start('broken', { topic: 'tea' });
    const alone = await talk.start('news', { topic: 'tea' }, undefined, { kickoff: { humanInputWebhook: null } });
    const forgotten = await talk.start('forgetful', { topic: 'tea' });
    await run(forgotten);
    expect(await failure('broken', broken)).toBe('The oven is cold.');
    expect(await failure('news', alone)).toContain('It asks for human input (review), but the kickoff gave no');
    await until('the end', async () => (await forgotten.summary())?.status === 'failed');
    expect((await forgotten.summary())?.outcome).toContain('The checkpointer of the graph has forgotten');
    await service.close();

    async function run(one: typeof forgotten) {
      await one.resume(await one.pause(1), YES);
    }
  });
});

describe('a service with crews of other frameworks that is killed', () => {
  const running: ServiceProcess[] = [];
  beforeEach(() => () => Promise.all(running.splice(0).map((service) => service.kill())));

  /** One run, whichever process serves it. */
  async function start(crew: string, inputs: object) {
    const path = `/${crew}-${Date.now()}`;
    let service = await boot();
    const caller = () => crewCaller(`${service.origin}/crews/${crew}`, token);
    const humanInputWebhook = { url: receiver.urlOf(path) };
    const { body } = await caller().post('/kickoff', { inputs, humanInputWebhook });
    /** What came last that says so: after a crash, a notification may come twice. */
    const asked = (text: string) =>
      until(`a question with "${text}"`, () =>
        receiver.at(path).findLast((one) => `${one.body.task_output}`.includes(text)),
      );
    return {
      asked,
      died: () => service.exited,
      async killed() {
        await service.kill();
        service = await boot();
      },
      async decide(question: string, { approved, text }: typeof YES) {
        const { task_id } = (await asked(question)).body;
        const answer = { execution_id: body.kickoff_id, task_id, human_feedback: text, is_approve: approved };
        expect((await caller().post('/resume', answer)).status).toBe(200);
      },
      ended: () =>
        until('the end', async () => {
          const [run] = await connectCrewSandbox({ origin: service.origin, token }).runs();
          return run?.status === 'completed' && run;
        }),
    };
  }

  async function boot() {
    const service = await startServiceProcess(redis.socketPath, CREWS, { env: { CREW_FOLDER: folder } });
    running.push(service);
    return service;
  }

  it('goes on where a graph stands, and gives it no decision twice', async () => {
    const run = await start('news', { topic: 'tea' });
    await run.asked('draft 1');
    await run.killed();
    // The graph takes the decision and asks the next question in the same node: the service hears of neither.
    await writeFile(join(folder, 'kill-after'), 'Title for');
    await run.decide('draft 1', YES);
    await run.died();
    await run.killed();
    for (const question of ['Title', 'columns', 'links', 'everybody', 'noon'])
      await run.decide(question, { approved: true, text: `on ${question}` });
    const { outcome, reviews } = await run.ended();
    expect(reviews.map(({ task, round }) => [task, round])).toEqual([
      ['review', 1],
      ['review', 1],
      ['layout', 1],
      ['links', 1],
      ['mailing/confirm', 1],
      ['mailing/confirm', 1],
    ]);
    expect(outcome).toMatchObject({
      heard: [
        '"About tea, draft 1": yes, Approved.',
        '"Title for: About tea, draft 1": yes, on Title',
        '"Two columns?": yes, on columns',
        '"Three links?": yes, on links',
        '"Send to everybody?": yes, on everybody',
        '{"at":"noon","to":"on everybody"}: yes, on noon',
      ],
    });
  });

  it('asks again before it repeats an approved call that was under way', async () => {
    const run = await start('refunds', { order: 'A-1' });
    await run.asked('20');
    await run.killed();
    await writeFile(join(folder, 'hold-payments'), '');
    await run.decide('20', YES);
    await until('the payment', () => readFile(join(folder, 'paid'), 'utf8').catch(() => undefined));
    await rm(join(folder, 'hold-payments'));
    await run.killed();
    await run.decide('may have been made already', { approved: false, text: 'It was paid.' });
    await run.decide('30', YES);
    expect((await run.ended()).outcome).toBe('A-1: 50 EUR, It was paid., paid 30');
    expect(await readFile(join(folder, 'paid'), 'utf8')).toBe('A-1: 20\nA-1: 30\n');
  });
});
