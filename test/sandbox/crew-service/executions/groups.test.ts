import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineCrew } from '../../../../src/sandbox/crew-service/define-crew.ts';
import type { DialectName } from '../../../../src/sandbox/crew-service/dialects/dialect.ts';
import { type CrewService, startCrewService } from '../../../../src/sandbox/crew-service/service.ts';
import { sharedRedis } from '../../shared.ts';
import { converse } from '../conversation.ts';
import { crewCaller } from '../crew-caller.ts';
import { objectIn } from '../json-body.ts';
import { until } from '../until.ts';
import { sharedReceiver } from '../webhook-receiver.ts';

/** Which tasks have been at work, in order; each waits until its name is let through. */
const worked: string[] = [];
const letThrough = new Set<string>();

async function work(name: string, signal: AbortSignal): Promise<void> {
  worked.push(name);
  await until(`${name} to be let through`, () => signal.aborted || letThrough.has(name));
  signal.throwIfAborted();
}

const brief = defineCrew({
  name: 'brief',
  inputs: { quotes: z.boolean().default(true), print: z.boolean().default(true) },
})
  .task('collect', { agent: 'A', humanInput: true, run: () => ({ found: 3 }) })
  .parallel((group) =>
    group
      .task('facts', {
        agent: 'A',
        humanInput: true,
        retries: 1,
        when: () => worked.push('asked') > 0,
        async run({ outputs, round, feedback, step, signal }) {
          const started = await step('Start', () => worked.push('start'));
          if (round === 1) await work('facts', signal);
          return `${outputs.collect.found} facts, round ${round}, ${started > 0}, ${feedback.map(({ text }) => text)}`;
        },
      })
      .task('quotes', {
        agent: 'A',
        when: ({ inputs, outputs }) => inputs.quotes && outputs.collect.found > 2,
        async run({ signal }) {
          await work('quotes', signal);
          return ['to be', 'or not'];
        },
      })
      .task('title', {
        agent: 'A',
        humanInput: true,
        run: ({ round }) => `Title ${round}`,
        whenApproved: (title) => `${title}!`,
      }),
  )
  .task('join', {
    agent: 'A',
    run: ({ outputs, feedback }) =>
      [outputs.facts, outputs.quotes?.length ?? 'no quotes', outputs.title, feedback.length].join(' | '),
  })
  .task('print', {
    agent: 'A',
    when: ({ inputs }) => inputs.print,
    run: ({ outputs }) => `${outputs.join} | printed`,
  });

const flaky = defineCrew({ name: 'flaky', inputs: {} }).parallel((group) =>
  group
    .task('fine', { agent: 'A', run: ({ signal }) => work('fine', signal).then(() => 1) })
    .task('failing', { agent: 'A', run: () => Promise.reject(new Error('no paper')) }),
);

const redis = sharedRedis();
const receiver = sharedReceiver();
let service: CrewService;

afterEach(async () => {
  await service.close();
  await redis.flush();
  worked.length = 0;
  letThrough.clear();
});

async function start(dialect: DialectName) {
  const tokens = { organisation: 'org' };
  service = await startCrewService({ crews: [brief, flaky], dialect, tokens, redisUrl: redis.socketPath });
  return converse({ service, receiver, dialect, token: 'org' });
}

const approval = { approved: true, text: 'Approved.' };
const statusOf = async (id: string, crew = 'brief') =>
  (await crewCaller(service.baseUrlOf(crew), 'org').get(`/status/${id}`)).body;

/** The newest run of an execution, which a resume of the dialect `observed` has made. */
const newestOf = async (run: { summary(): Promise<{ kickoffId: string } | undefined> }) =>
  (await run.summary())?.kickoffId ?? '';

describe.each<DialectName>(['spec', 'observed'])('tasks side by side, in the dialect %s', (dialect) => {
  const progress = dialect === 'spec' ? ['completed_tasks', 'total_tasks'] : ['completed', 'total'];
  const progressOf = async (id: string) => {
    const {
      [progress[0] ?? '']: completed,
      [progress[1] ?? '']: total,
      current,
    } = objectIn(await statusOf(id), 'progress');
    return { completed, total, current };
  };

  it('run at the same time, are reviewed one after another, and hand on what they returned', async () => {
    const conversation = await start(dialect);
    const run = await conversation.start('brief', {});
    await run.resume(await run.pause(1), { approved: true, text: 'Be quick' });
    await until('both at work', () => worked.includes('facts') && worked.includes('quotes'));
    const id = await until('the title', async () => {
      const newest = await newestOf(run);
      const report = await crewCaller(service.baseUrlOf('brief'), 'org').get(`/executions/${newest}`);
      return JSON.stringify(report.body.runs).includes('"task":"facts, quotes"') && newest;
    });
    expect(await progressOf(id)).toMatchObject({ completed: 1, total: 6 });
    letThrough.add('quotes');
    await until('the quotes', async () => (await progressOf(id)).completed === 2);
    letThrough.add('facts');

    const facts = await run.pause(2);
    expect(facts.body.task_output).toBe('3 facts, round 1, true, Be quick');
    await run.resume(facts, { approved: false, text: 'More' });
    const better = await run.pause(3);
    expect(better.body.task_output).toBe('3 facts, round 2, true, Be quick,More');
    await run.resume(better, { approved: true, text: 'Good' });
    const title = await run.pause(4);
    expect(title.body.task_output).toBe('Title 1');
    await run.resume(title, { approved: true, text: 'Nice' });
    expect(await run.result()).toBe(`${better.body.task_output} | 2 | Title 1! | 2 | printed`);
    expect(worked.sort()).toEqual(['asked', 'facts', 'quotes', 'start', 'start']);
  });

  it('are left out where their condition doesn’t hold, also as the last', async () => {
    const conversation = await start(dialect);
    letThrough.add('facts');
    const run = await conversation.start('brief', { quotes: false, print: false });
    for (const count of [1, 2, 3]) await run.resume(await run.pause(count), approval, { events: 'named' });
    expect(await run.result()).toBe('3 facts, round 1, true, Approved. | no quotes | Title 1! | 2');
    const id = await newestOf(run);
    if (dialect === 'observed') expect(await progressOf(id)).toEqual({ completed: 4, total: 4, current: null });
    const { body } = await crewCaller(service.baseUrlOf('brief'), 'org').get(`/executions/${id}`);
    expect(body.runs).toMatchObject(
      dialect === 'spec' ? [{ skipped: ['quotes', 'print'] }] : [{}, {}, {}, { skipped: ['quotes', 'print'] }],
    );
    expect(run.events('task').map((event) => event.body.name)).not.toContain('quotes');
    expect(worked).not.toContain('quotes');
  });
});

it('tasks side by side go on from what each has done, after a restart', async () => {
  const first = await start('spec');
  const run = await first.start('brief', {});
  await run.resume(await run.pause(1), approval);
  letThrough.add('quotes');
  await until('the quotes', async () => objectIn(await statusOf(run.kickoffId), 'progress').completed_tasks === 2);
  await service.close();
  letThrough.add('facts');
  await start('spec');
  await until('the facts', () => worked.filter((name) => name === 'facts').length === 2);
  await run.pause(2);
  expect(worked.filter((name) => name === 'quotes')).toHaveLength(1);
  expect(worked.filter((name) => name === 'start')).toHaveLength(1);
  expect(worked.filter((name) => name === 'asked')).toHaveLength(1);
});

it('a task that fails ends those beside it', async () => {
  const conversation = await start('spec');
  const { kickoffId } = await conversation.start('flaky', {});
  expect((await conversation.endOf('flaky', kickoffId)).error).toBe('no paper');
  expect(worked).toEqual(['fine']);
});
