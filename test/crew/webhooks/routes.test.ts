import { describe, expect, it } from 'vitest';
import { recordCompletion } from '../../../src/core/execution/run.ts';
import { stopFollowing } from '../../../src/core/execution/tracking.ts';
import { StoreUnavailable } from '../../../src/core/ports.ts';
import { missesCrew } from '../../../src/core/state/execution.ts';
import { postOf } from '../../../src/core/state/message.ts';
import { ok } from '../../../src/core/values/result.ts';
import { MARIA, permittedTo } from '../../support/requests.ts';
import { credentials, headerOf, SECRET } from '../crew-values.ts';
import { CREW, webhookBotForTests } from '../webhook-bot.ts';

const bot = webhookBotForTests();

const REF = 'abcdefghijklmnopqrstuvwxyz';
const OTHER = 'bbcdefghijklmnopqrstuvwxyz';
const HUMAN_INPUT = `/webhooks/executions/${REF}/human-input`;
const request = { kickoff_id: 'K1', execution_id: 'E1', task_id: 'T1', task_output: 'The draft' };

const right = (hop = 0) => headerOf(credentials.ofExecution({ ref: REF, hop }, 'bearer'));
/** For services that send no credentials. */
const secretPath = (hop = 0) =>
  `/webhooks/executions/${REF}/${credentials.humanInputToken({ ref: REF, hop })}/human-input`;
const eventPath = (kind: string, hop = 0) =>
  `/webhooks/executions/${REF}/${credentials.pathToken({ ref: REF, hop })}/${kind}`;

describe('a request for human input', () => {
  it('is answered after it is stored with its output', async () => {
    const { post, execution, load, changed, context } = await bot();
    await execution(REF);
    expect(await post(HUMAN_INPUT, request, right())).toEqual([200, 'accepted']);
    const { requests, run, executionId } = await load(REF);
    expect(requests).toMatchObject([
      { id: '1', question: { taskId: 'T1', round: 1, hop: 0, kickoffId: 'K1' }, state: { status: 'pending' } },
    ]);
    expect([run.status, executionId]).toEqual(['waiting', 'E1']);
    expect(await context.outputs.get(REF, requests[0]?.question.output.hash ?? '')).toBe('The draft');
    expect(changed).toEqual([REF]);
  });

  it('may come with basic credentials, also where bearer is set', async () => {
    const { post, execution } = await bot();
    await execution(REF);
    const basic = headerOf(credentials.ofExecution({ ref: REF, hop: 0 }, 'basic'));
    expect(await post(HUMAN_INPUT, request, basic)).toEqual([200, 'accepted']);
  });

  it('may come without credentials at an address that is secret, whose token carries the hop', async () => {
    const { post, execution, load, changed } = await bot();
    await execution(REF, { hop: 3 });
    expect(await post(secretPath(3), request)).toEqual([200, 'accepted']);
    expect((await load(REF)).requests).toMatchObject([
      { question: { taskId: 'T1', hop: 3 }, state: { status: 'pending' } },
    ]);
    expect(changed).toEqual([REF]);
  });

  it('that comes at both addresses is one request', async () => {
    const { post, execution, load } = await bot();
    await execution(REF);
    const sent = [post(HUMAN_INPUT, request, right()), post(secretPath(), request)];
    expect((await Promise.all(sent)).map(([, said]) => said).sort()).toEqual(['accepted', 'duplicate']);
    expect((await load(REF)).requests).toHaveLength(1);
  });

  it('of a crew that is no longer configured is stored, and waits with its run for the crew, which may end it', async () => {
    const { post, execution, load } = await bot({ crews: [], rulesOf: () => ({ policy: null, hours: null }) });
    await execution(REF);
    expect(await post(HUMAN_INPUT, request, right())).toEqual([200, 'accepted']);
    const asked = await load(REF);
    expect(asked).toMatchObject({
      run: { status: 'waiting' },
      requests: [{ state: { status: 'pending' } }],
      messages: { 'card:1': { post: { status: 'due' } } },
    });
    expect(missesCrew(asked)).toBe(true);
    const done = { execution_id: 'E1', kickoff_id: 'K1', result: 'All is well.' };
    expect(await post(eventPath('crew'), done)).toEqual([200, 'accepted']);
    expect((await load(REF)).run.status).toBe('completed');
  });

  it('carries the hop of its credential', async () => {
    const { post, execution, load } = await bot();
    await execution(REF, { hop: 3 });
    await post(HUMAN_INPUT, request, right(3));
    expect((await load(REF)).requests).toMatchObject([{ question: { hop: 3 } }]);
  });

  it('may overtake the answer of the kickoff', async () => {
    const { post, execution, load } = await bot();
    await execution(REF, {
      run: { status: 'starting' },
      kickoff: { status: 'sending', tries: 1, delayedBy: null, claim: null, until: 9e15 },
      kickoffIds: [],
    });
    expect(await post(HUMAN_INPUT, request, right())).toEqual([200, 'accepted']);
    expect(await load(REF)).toMatchObject({ run: { status: 'waiting' }, kickoffIds: ['K1'] });
  });

  it('that comes again changes nothing and is fine', async () => {
    const { post, execution, load, changed } = await bot();
    await execution(REF);
    await post(HUMAN_INPUT, request, right());
    expect(await post(HUMAN_INPUT, request, right())).toEqual([200, 'duplicate']);
    expect((await load(REF)).requests).toHaveLength(1);
    expect(changed).toEqual([REF]);
  });

  it('that comes many times at once makes one card', async () => {
    const { post, execution, load } = await bot();
    await execution(REF);
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(HUMAN_INPUT, request, right())));
    expect(answers.map(([, said]) => said).sort()).toEqual(['accepted', ...Array(9).fill('duplicate')]);
    expect((await load(REF)).requests).toHaveLength(1);
  });

  it('of a run that has ended or is not followed any more is fine too', async () => {
    const { post, execution, context } = await bot();
    await execution(REF);
    await context.executions.change(REF, (each, now) => stopFollowing(each, permittedTo(MARIA), now));
    expect(await post(HUMAN_INPUT, request, right())).toEqual([200, 'unfollowed']);
    await execution(OTHER);
    await context.executions.change(OTHER, (each, now) =>
      ok(recordCompletion(each, { hop: 0, kickoffId: null, result: null }, now)),
    );
    const other = headerOf(credentials.ofExecution({ ref: OTHER, hop: 0 }, 'bearer'));
    expect(await post(`/webhooks/executions/${OTHER}/human-input`, request, other)).toEqual([200, 'ended']);
  });

  it('links the ids that it names to the execution', async () => {
    const { post, execution, context } = await bot();
    await execution(REF);
    await post(HUMAN_INPUT, { ...request, kickoff_id: 'K7' }, right());
    for (const id of ['K7', 'E1']) expect(await context.executions.findById(CREW, id)).toBe(REF);
    expect(await context.executions.findById('writing', 'E1')).toBeNull();
  });

  it('attaches its output as a file where people can not read all of it in Slack', async () => {
    const { post, execution, load } = await bot({ readableLength: 10 });
    await execution(REF);
    for (const task_output of ['0123456789', '0123456789+'])
      await post(HUMAN_INPUT, { ...request, task_id: task_output, task_output }, right());
    const run = await load(REF);
    const fileOf = ({ id: approvalId }: { id: string }) => postOf(run, { kind: 'file', approvalId });
    expect(run.requests.map((each) => fileOf(each)?.status ?? null)).toEqual([null, 'due']);
  });

  it('with an output of five megabytes is stored whole', async () => {
    const { post, execution, load, context } = await bot();
    await execution(REF);
    const output = 'A line of the output.\n'.repeat(250_000);
    expect(await post(HUMAN_INPUT, { ...request, task_output: output }, right())).toEqual([200, 'accepted']);
    const run = await load(REF);
    const [approval] = run.requests;
    expect(await context.outputs.get(REF, approval?.question.output.hash ?? '')).toBe(output);
    expect(postOf(run, { kind: 'file', approvalId: '1' })?.status).toBe('due');
  });

  it.each([
    ['empty', '', ''],
    ['nothing', null, ''],
    ['an object', { a: 1 }, '{\n  "a": 1\n}'],
  ])('with an output that is %s is shown all the same', async (_, task_output, shown) => {
    const { post, execution, load, context } = await bot();
    await execution(REF);
    expect(await post(HUMAN_INPUT, { ...request, task_output }, right())).toEqual([200, 'accepted']);
    const [approval] = (await load(REF)).requests;
    expect(await context.outputs.get(REF, approval?.question.output.hash ?? '')).toBe(shown);
  });

  it('in an unknown shape is kept as it came and told to people', async () => {
    const { post, execution, load, reports, context, logged } = await bot();
    await execution(REF);
    const strange = { hello: 'the secret text', task: { id: 7 } };
    expect(await post(HUMAN_INPUT, strange, right())).toEqual([200, 'unsupported']);
    expect(reports).toEqual([{ kind: 'unreadable-request', crew: CREW, ref: REF, keys: ['hello', 'task'] }]);
    expect((await load(REF)).requests).toEqual([]);
    const hash = /"hash":"(\w+)"/.exec(logged())?.[1] ?? '';
    expect(await context.outputs.get(REF, hash)).toBe(JSON.stringify(strange));
    expect(logged()).not.toContain('the secret text');
  });

  it('in an unknown shape is kept although Slack is away', async () => {
    const { post, execution } = await bot({ report: () => Promise.reject(new Error('Slack is away')) });
    await execution(REF);
    expect(await post(HUMAN_INPUT, {}, right())).toEqual([200, 'unsupported']);
  });

  it('is told in one line with its ids, without its text', async () => {
    const { post, execution, logged } = await bot();
    await execution(REF);
    await post(HUMAN_INPUT, request, right());
    const lines = logged().trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ ref: REF, kickoffId: 'K1', approvalId: '1' });
    await post(secretPath(1), { ...request, task_id: 'T2' });
    await post(`${secretPath().replace(/.\/human/, 'X/human')}`, request);
    expect(logged().trim().split('\n')).toHaveLength(3);
    expect(logged()).not.toMatch(/The draft|h[01]\./);
  });
});

describe('who has not shown who it is', () => {
  it('is refused without a trace, whether the execution exists or not', async () => {
    const { origin, execution, load } = await bot();
    await execution(REF);
    const before = await load(REF);
    const headers = [
      undefined,
      'Bearer wrong',
      right().toLowerCase(),
      headerOf(credentials.ofExecution({ ref: OTHER, hop: 0 }, 'bearer')),
      headerOf(credentials.ofCrew(CREW, 'bearer')),
      `Bearer ${credentials.pathToken({ ref: REF, hop: 0 })}`,
      `Bearer ${SECRET}`,
    ];
    const answers = new Set<string>();
    for (const ref of [REF, OTHER, 'nonsense', '..%2f..']) {
      for (const authorization of headers) {
        if (ref === OTHER && authorization === headers[3]) continue;
        const url = `${origin}/webhooks/executions/${ref}/human-input`;
        const init = {
          method: 'POST',
          body: JSON.stringify(request),
          headers: { ...(authorization && { authorization }) },
        };
        const answer = await fetch(url, init);
        answers.add(`${answer.status} ${await answer.text()} ${answer.headers.get('www-authenticate')}`);
      }
    }
    expect([...answers]).toEqual([expect.stringMatching(/^401 /)]);
    expect(await load(REF)).toEqual(before);
  });

  it.each(['task', 'step', 'crew'])('is refused at the address of a %s', async (kind) => {
    const { post, execution } = await bot();
    await execution(REF);
    const foreign = credentials.pathToken({ ref: OTHER, hop: 0 });
    for (const token of ['wrong', foreign, right().replace('Bearer ', '')]) {
      expect(await post(`/webhooks/executions/${REF}/${token}/${kind}`, {})).toEqual([401, 'refused']);
    }
  });

  it('is refused at the secret address of a request', async () => {
    const { post, execution } = await bot();
    await execution(REF);
    const foreign = credentials.humanInputToken({ ref: OTHER, hop: 0 });
    const others = [credentials.pathToken({ ref: REF, hop: 0 }), credentials.crewToken(CREW)];
    for (const token of ['wrong', foreign, right().replace('Bearer ', ''), ...others])
      expect(await post(`/webhooks/executions/${REF}/${token}/human-input`, request)).toEqual([401, 'refused']);
    expect(await post(`/webhooks/executions/${REF}/x/human-input`, request, right())).toEqual([401, 'refused']);
  });

  it('is told nothing by an address of nothing', async () => {
    const { post } = await bot();
    const token = credentials.pathToken({ ref: REF, hop: 0 });
    for (const path of [
      `/webhooks/executions/${REF}`,
      `/webhooks/executions/${REF}/${token}`,
      `/webhooks/executions/${REF}/${token}/other`,
      `/webhooks/executions/${REF}/${token}/task/more`,
      `/webhooks/executions/${REF}/human-input/more`,
      `/webhooks/crews/${CREW}`,
      `/webhooks/crews/${CREW}/task`,
      `/webhooks/crews/${CREW}/human-input/more`,
      '/webhooks/other/x/human-input',
    ]) {
      expect(await post(path, {}, right())).toEqual([404, 'refused']);
    }
  });
});

describe('a notification', () => {
  it('of an execution that is not known here is a 404 for its own credential', async () => {
    const { post, changed } = await bot();
    expect(await post(HUMAN_INPUT, request, right())).toEqual([404, 'unknown']);
    expect(await post(secretPath(), request)).toEqual([404, 'unknown']);
    for (const kind of ['task', 'step', 'crew']) {
      expect(await post(eventPath(kind), { name: 'a', thought: 'b' })).toEqual([404, 'unknown']);
    }
    expect(changed).toEqual([]);
  });

  it('that is no JSON is a 400', async () => {
    const { post, execution } = await bot();
    await execution(REF);
    for (const body of ['', 'a=b', '{', '['.repeat(500) + ']'.repeat(500)]) {
      expect(await post(HUMAN_INPUT, body, right())).toEqual([400, 'bad-request']);
      expect(await post(secretPath(), body)).toEqual([400, 'bad-request']);
      expect(await post(eventPath('task'), body)).toEqual([400, 'bad-request']);
    }
  });

  it('that can not be stored is a 503', async () => {
    const away = () => Promise.reject(new StoreUnavailable('Redis is away.'));
    const { context } = await bot();
    const { post } = await bot({
      executions: { ...context.executions, load: away, change: away, findById: away, unanswered: away },
    });
    expect(await post(HUMAN_INPUT, request, right())).toEqual([503, 'unavailable']);
    expect(await post(eventPath('task'), { name: 'a' })).toEqual([503, 'unavailable']);
    const elsewhere = headerOf(credentials.ofCrew(CREW, 'bearer'));
    expect(await post(`/webhooks/crews/${CREW}/human-input`, request, elsewhere)).toEqual([503, 'unavailable']);
  });
});

describe('a completed task', () => {
  const task = { name: 'draft', agent: 'Writer', output: 'The text', kickoff_id: 'K1' };

  it('is noted once, with its output beside the record', async () => {
    const { post, execution, load, changed, context } = await bot();
    await execution(REF);
    expect(await post(eventPath('task'), task)).toEqual([200, 'accepted']);
    await post(eventPath('task'), task);
    const { tasks } = await load(REF);
    expect(tasks).toMatchObject([{ name: 'draft', agent: 'Writer', summary: 'The text' }]);
    expect(await context.outputs.get(REF, tasks[0]?.output?.hash ?? '')).toBe('The text');
    expect(changed[0]).toBe(REF);
  });

  it('proves by its hop that a resume arrived, and names the new run', async () => {
    const { post, execution, load, context } = await bot();
    await execution(REF);
    await post(eventPath('task', 2), { ...task, kickoff_id: 'K2' });
    expect((await load(REF)).kickoffIds).toEqual(['K1', 'K2']);
    expect(await context.executions.findById(CREW, 'K2')).toBe(REF);
  });

  it('that is unreadable proves that the run is alive', async () => {
    const { post, execution, load } = await bot();
    await execution(REF, { run: { status: 'lost', lostAt: 1 } });
    expect(await post(eventPath('task'), {})).toEqual([200, 'accepted']);
    expect(await load(REF)).toMatchObject({ run: { status: 'running' }, tasks: [] });
  });
});

describe('steps', () => {
  it('are kept beside the record, which is touched once a window', async () => {
    const { post, execution, load, changed, context } = await bot();
    await execution(REF);
    for (let i = 1; i <= 5; i++) {
      const expected = i === 1 ? 'accepted' : 'noted';
      expect(await post(eventPath('step'), { thought: `Step ${i}`, kickoff_id: 'K1' })).toEqual([200, expected]);
    }
    expect((await context.activity.latest(REF, 10)).map(({ thought }) => thought)).toEqual(
      [5, 4, 3, 2, 1].map((i) => `Step ${i}`),
    );
    expect((await load(REF)).activity.refreshAt).not.toBeNull();
    expect(changed).toEqual([REF]);
  });
});

describe('the end of a crew', () => {
  it('ends the run with its result', async () => {
    const { post, execution, load, context } = await bot();
    await execution(REF);
    expect(await post(eventPath('crew'), { kickoff_id: 'K1', result: 'All of it' })).toEqual([200, 'accepted']);
    const { run } = await load(REF);
    expect(run.status).toBe('completed');
    expect(await context.outputs.get(REF, (run.status === 'completed' && run.result?.hash) || '')).toBe('All of it');
    expect(await post(eventPath('crew'), { kickoff_id: 'K1', result: 'All of it' })).toEqual([200, 'noted']);
  });

  it('ends a run that failed as failed', async () => {
    const { post, execution, load } = await bot();
    await execution(REF);
    await post(eventPath('crew'), { status: 'failed', error: 'No model' });
    expect((await load(REF)).run).toMatchObject({ status: 'failed', error: 'No model' });
  });
});
