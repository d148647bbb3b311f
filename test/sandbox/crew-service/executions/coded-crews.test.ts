import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineCrew } from '../../../../src/sandbox/crew-service/define-crew.ts';
import type { Json } from '../../../../src/sandbox/crew-service/json.ts';
import { type CrewService, startCrewService } from '../../../../src/sandbox/crew-service/service.ts';
import { sharedRedis } from '../../shared.ts';
import { crewCaller } from '../crew-caller.ts';
import { until } from '../until.ts';

const circle: { self?: unknown } = {};
circle.self = circle;

/** What crew code may return when types don't hold it back. */
const OUTPUTS: Readonly<Record<string, unknown>> = { circle, big: 1n, function: () => {}, nothing: undefined };

let computed = 0;
let counted = 0;
const failures = new Map<string, number>();

/** Throws until it has been called so often with this key. */
function failUntil(key: string, times: number): void {
  const before = failures.get(key) ?? 0;
  failures.set(key, before + 1);
  if (before < times) throw new Error(`failed ${before + 1} times`);
}

const crews = [
  defineCrew({ name: 'returning', inputs: { what: z.string() } }).task('return', {
    agent: 'A',
    run: ({ inputs }) => OUTPUTS[inputs.what] as Json,
  }),
  defineCrew({ name: 'stepping', inputs: { what: z.string() } }).task('step', {
    agent: 'A',
    run: ({ inputs, step }) => step('Try', () => OUTPUTS[inputs.what] as Json),
  }),
  defineCrew({
    name: 'defaulting',
    inputs: {
      number: z.number().default(() => ++computed),
      day: z.coerce.date().default(new Date(0)),
      word: z
        .string()
        .transform((word) => `${word}!`)
        .prefault('tea'),
      even: z.number().refine(async (number) => number % 2 === 0),
    },
  })
    .task('first', { agent: 'A', run: ({ inputs }) => inputs.number })
    .task('second', {
      agent: 'A',
      run: ({ inputs, outputs }) => [outputs.first, inputs.number, inputs.day.getTime(), inputs.word],
    }),
  defineCrew({ name: 'endless', inputs: {} }).task('wait', {
    agent: 'A',
    timeLimitMs: 20,
    run: () => new Promise<string>(() => {}),
  }),
  defineCrew({ name: 'flaky', inputs: { times: z.number() } }).task('try', {
    agent: 'A',
    humanInput: true,
    retries: 1,
    async run({ inputs, round, executionId, step }) {
      const number = await step('Count', () => ++counted);
      failUntil(`${executionId} ${round}`, inputs.times);
      return `round ${round}: ${number}`;
    },
  }),
];

const redis = sharedRedis();
let service: CrewService;

beforeAll(async () => {
  service = await startCrewService({ crews, tokens: { organisation: 'org' }, redisUrl: redis.socketPath });
});

afterAll(() => service.close());

async function outcomeOf(crew: string, inputs: object) {
  const { status, body } = await crewCaller(service.baseUrlOf(crew), 'org').post('/kickoff', { inputs });
  if (status !== 200) return { status, outcome: body.message };
  return outcomeOfRun(body.kickoff_id);
}

function outcomeOfRun(id: unknown) {
  return until('the end', async () => {
    const run = (await service.sandbox.runs()).find(({ kickoffId }) => kickoffId === id);
    return run?.status !== 'running' && run && { status: run.status, outcome: run.outcome };
  });
}

describe('the output of a task', () => {
  it.each([
    ['circle', 'failed', /^The output of the task "return" can't be JSON: Converting circular structure to JSON\.$/],
    ['big', 'failed', /^The output of the task "return" can't be JSON: Do not know how to serialize a BigInt\.$/],
    ['function', 'failed', /^The output of the task "return" can't be JSON: it is a function\.$/],
    ['nothing', 'completed', /^null$/],
  ])('that JSON can’t hold fails the run with that reason: %s', async (what, status, outcome) => {
    const ended = await outcomeOf('returning', { what });
    expect(ended).toMatchObject({ status });
    expect(String(ended.outcome)).toMatch(outcome);
  });

  it('fails the run, too, where it is the result of a step', async () => {
    const ended = await outcomeOf('stepping', { what: 'circle' });
    expect(ended.outcome).toMatch(/^The result of the step "Try" can't be JSON: Converting circular/);
  });
});

describe('inputs', () => {
  it('have their defaults computed once, arrive with the types that JSON doesn’t have, and may be checked slowly', async () => {
    const ended = await outcomeOf('defaulting', { even: 2 });
    expect(ended.outcome).toEqual([1, 1, 0, 'tea!']);
    const other = await outcomeOf('defaulting', { even: 2, number: 7, day: '2026-11-23' });
    expect(other.outcome).toEqual([7, 7, Date.UTC(2026, 10, 23), 'tea!']);
    expect(await outcomeOf('defaulting', { even: 3 })).toEqual({
      status: 400,
      outcome: expect.stringContaining('even: '),
    });
  });
});

describe('a task', () => {
  it('that reaches its time limit fails the run with words that say so', async () => {
    const ended = await outcomeOf('endless', {});
    expect(ended).toEqual({
      status: 'failed',
      outcome: 'The task "wait" took longer than its time limit of 20 ms.',
    });
  });

  it('that fails is tried again if that was asked for, without repeating its finished steps', async () => {
    const before = counted;
    expect(await outcomeOf('flaky', { times: 1 })).toEqual({ status: 'completed', outcome: `round 1: ${before + 1}` });
    expect(await outcomeOf('flaky', { times: 2 })).toEqual({ status: 'failed', outcome: 'failed 2 times' });
  });

  it('has as many tries in each round: a rejection is none', async () => {
    const crew = crewCaller(service.baseUrlOf('flaky'), 'org');
    const humanInputWebhook = { url: 'http://127.0.0.1:1/' };
    const { body } = await crew.post('/kickoff', { inputs: { times: 1 }, humanInputWebhook });
    for (const isApproved of [false, true]) {
      const waiting = await until('the question', async () => {
        const run = (await service.sandbox.runs()).find(({ kickoffId }) => kickoffId === body.kickoff_id);
        return run?.status === 'waiting' && run;
      });
      const verdict = { human_feedback: 'so', is_approve: isApproved, task_id: waiting.taskId };
      expect((await crew.post('/resume', { execution_id: body.kickoff_id, ...verdict })).status).toBe(200);
    }
    expect(await outcomeOfRun(body.kickoff_id)).toMatchObject({ outcome: expect.stringMatching(/^round 2: /) });
  });

  it.each([
    { timeLimitMs: 0 },
    { timeLimitMs: Number.NaN },
    { timeLimitMs: 2 ** 31 },
    { retries: -1 },
    { retries: 0.5 },
  ])('has limits that can be kept: not %j', (limits) => {
    const task = { agent: 'A', run: () => '', ...limits };
    expect(() => defineCrew({ name: 'a', inputs: {} }).task('a', task)).toThrow(`of the task "a"`);
  });
});

it('The service doesn’t start with two crews of one name', async () => {
  const options = { crews: [...crews, ...crews], tokens: { organisation: 'org' }, redisUrl: redis.socketPath };
  await expect(startCrewService({ ...options, keyPrefix: 'twice:' })).rejects.toThrow(
    'Two crews are named "returning": both in memory.',
  );
});
