import { describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../../src/core/ports.ts';
import { credentials, headerOf } from '../crew-values.ts';
import { type WebhookBot, webhookBotForTests } from '../webhook-bot.ts';

const bot = webhookBotForTests();

const REF = 'abcdefghijklmnopqrstuvwxyz';
const OTHER = 'bbcdefghijklmnopqrstuvwxyz';
const ADDRESS = `/webhooks/executions/${REF}/events`;
const right = (hop = 0, ref = REF) => `Bearer ${credentials.ofStream({ ref, hop })}`;

let events = 0;

/** An event as deployed services stream it. */
function event(type: string, data: unknown = {}, more: object = {}): object {
  events += 1;
  const timestamp = new Date(Date.now() + events).toISOString();
  return { id: `event-${events}`, execution_id: 'K1', timestamp, type, data, ...more };
}

const taskCompleted = (name = 'draft', raw = 'The draft') =>
  event('task_completed', {
    ...{ task_id: `id of ${name}`, task_name: name, agent_role: 'Writer' },
    output: { name, description: 'Write it', expected_output: 'A text', raw, agent: 'Writer' },
  });
const toolUsed = (more: object = {}) =>
  event('tool_usage_finished', {
    agent_role: 'Writer',
    tool_name: 'search',
    tool_args: { q: 'tea' },
    output: 'Oolong',
    ...more,
  });

/** A running execution, and how its stream is answered. */
async function running(override?: Parameters<ReturnType<typeof webhookBotForTests>>[0], change = {}) {
  const found = await bot(override);
  await found.execution(REF, change);
  const send = (...sent: unknown[]) => found.post(ADDRESS, { events: sent }, right());
  return { ...found, send };
}

async function resultIn({ load, context }: WebhookBot): Promise<string | null> {
  const { run } = await load(REF);
  return run.status === 'completed' && run.result ? context.outputs.get(REF, run.result.hash) : null;
}

describe('a streamed event', () => {
  it('tells of a completed task, with its output beside the record', async () => {
    const { send, load, context, changed } = await running();
    expect(await send(taskCompleted())).toEqual([200, 'accepted']);
    const { tasks } = await load(REF);
    expect(tasks).toMatchObject([{ name: 'draft', agent: 'Writer', summary: 'The draft' }]);
    expect(await context.outputs.get(REF, tasks[0]?.output?.hash ?? '')).toBe('The draft');
    expect(changed).toEqual([REF]);
  });

  it.each<[string, object]>([
    ['as a text', { task_name: 'draft', output: 'The draft' }],
    ['in camel case', { taskName: 'draft', raw: 'The draft' }],
    ['with the task as an object', { task: { id: 'T', name: 'draft' }, output: { raw: 'The draft' } }],
    ['with the name in its output alone', { output: { name: 'draft', raw: 'The draft', agent: 'Writer' } }],
  ])('of a task is read %s, too', async (_, data) => {
    const { send, load } = await running();
    await send(event('task_completed', data));
    expect((await load(REF)).tasks).toMatchObject([{ name: 'draft', summary: 'The draft' }]);
  });

  it('names the task for the rules that depend on it', async () => {
    const { send, load } = await running();
    await send(taskCompleted());
    expect((await load(REF)).taskNames).toMatchObject([{ taskId: 'id of draft', name: 'draft' }]);
  });

  it('that comes again changes nothing, whether alone or with others', async () => {
    const { send, load, context } = await running();
    const [task, step] = [taskCompleted(), toolUsed()];
    await send(task, step);
    await send(step, task);
    await Promise.all([send(step), send(task), send(step, step)]);
    expect((await load(REF)).tasks).toHaveLength(1);
    expect(await context.activity.latest(REF, 10)).toHaveLength(1);
  });

  it('of a step is shown with what the tool was given and gave', async () => {
    const { send, context } = await running();
    await send(toolUsed(), event('tool_usage_error', { tool_name: 'post', error: 'No network' }));
    expect(await context.activity.latest(REF, 10)).toMatchObject([
      { tool: 'post', result: 'No network', agent: null },
      { tool: 'search', result: 'Oolong', agent: 'Writer', toolInput: expect.stringContaining('tea') },
    ]);
  });

  it('counts in the order of its time, in whatever order it comes', async () => {
    const { send, context } = await running();
    const [first, second, third] = [1, 2, 3].map((i) => toolUsed({ output: `Step ${i}` }));
    await send(third, first, second);
    expect((await context.activity.latest(REF, 10)).map(({ result }) => result)).toEqual([
      'Step 3',
      'Step 2',
      'Step 1',
    ]);
  });

  it('with a time that can’t be is kept with our own', async () => {
    const { send, context } = await running();
    for (const timestamp of ['1970-01-01T00:00:00Z', '9999-12-31T23:59:59Z', 'soon', '', 7, null])
      await send(event('tool_usage_finished', { tool_name: 'search' }, { timestamp }));
    for (const { at } of await context.activity.latest(REF, 10)) expect(Math.abs(Date.now() - at)).toBeLessThan(60_000);
  });

  it('of the start proves a kickoff whose answer is missing', async () => {
    const unconfirmed = { run: { status: 'not-confirmed', doubt: 'no-answer', since: 1 }, kickoffIds: [] };
    const { send, load, context } = await running({}, unconfirmed);
    expect(await send(event('crew_kickoff_started', { crew_name: 'research' }))).toEqual([200, 'accepted']);
    expect(await load(REF)).toMatchObject({ run: { status: 'running' }, kickoffIds: ['K1'] });
    expect(await context.executions.findById('research', 'K1')).toBe(REF);
  });

  it.each<[string, unknown, string]>([
    ['a text', 'All of it', 'All of it'],
    ['the raw text', { raw: 'All of it', json_dict: null }, 'All of it'],
    ['the object', { raw: '{}', json_dict: { a: 1 } }, '{\n  "a": 1\n}'],
  ])('of the end brings %s as the result', async (_, output, result) => {
    const found = await running();
    expect(await found.send(event('crew_kickoff_completed', { output }))).toEqual([200, 'accepted']);
    expect(await resultIn(found)).toBe(result);
  });

  it('of a failure ends a run that failed early', async () => {
    const { send, load } = await running();
    await send(event('crew_kickoff_failed', { crew_name: 'research', error: 'Out of <b>tea</b>.' }));
    expect((await load(REF)).run).toMatchObject({ status: 'failed', error: expect.stringContaining('Out of') });
    expect(await send(event('crew_kickoff_completed', { output: 'x' }))).toEqual([200, 'noted']);
    expect((await load(REF)).run.status).toBe('failed');
  });

  it('is told by the addresses of a resume from then on, and proves no more', async () => {
    const { send, load, context } = await running({}, { hop: 1 });
    const before = await load(REF);
    expect(await send(taskCompleted(), toolUsed())).toEqual([200, 'noted']);
    expect(await load(REF)).toMatchObject({ tasks: before.tasks, kickoffIds: before.kickoffIds });
    expect(await context.activity.latest(REF, 10)).toEqual([]);
  });

  it('of a type that nobody asked for is ignored', async () => {
    const { send, load, changed } = await running();
    const before = await load(REF);
    for (const type of [
      'llm_call_started',
      'task_started',
      'constructor',
      '__proto__',
      'toString',
      '',
      'TASK_COMPLETED',
    ])
      expect(await send(event(type, { task_name: 'x', output: 'y', error: 'z' }))).toEqual([200, 'ignored']);
    expect(await load(REF)).toEqual(before);
    expect(changed).toEqual([]);
  });
});

describe('a body of events', () => {
  it.each<[string, unknown]>([
    ['no object', []],
    ['a text', '"events"'],
    ['nothing', 'null'],
    ['no events', {}],
    ['events that are none', { events: 'task_completed' }],
    ['an object of events', { events: { 0: { type: 'task_completed' } } }],
    ['events without their list', { type: 'task_completed', data: { output: 'x' } }],
    ['half of JSON', '{"events":['],
    ['lists five hundred deep', `{"events":${'['.repeat(500)}${']'.repeat(500)}}`],
  ])('with %s is a 400', async (_, body) => {
    const { post, load } = await running();
    const before = await load(REF);
    expect(await post(ADDRESS, body, right())).toEqual([400, 'bad-request']);
    expect(await load(REF)).toEqual(before);
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['a list', []],
    ['a text', 'task_completed'],
    ['an empty one', {}],
    ['a type that is no text', { type: ['task_completed'], data: { output: 'x' } }],
    ['a type of prototypes', { type: '__proto__', data: {} }],
  ])('with %s for an event ignores it, and reads the others', async (_, strange) => {
    const { send, load } = await running();
    expect(await send(strange, taskCompleted(), strange)).toEqual([200, 'accepted']);
    expect((await load(REF)).tasks).toHaveLength(1);
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['a text', 'output'],
    ['a list', [1, 2]],
    ['other data', { output: null, task_name: 7, agent_role: {} }],
    ['prototypes', JSON.parse('{"__proto__":{"output":"x"},"constructor":{"raw":"y"}}')],
    [
      'endless texts',
      { task_name: 'n'.repeat(100_000), agent_role: 'a'.repeat(100_000), tool_name: 't'.repeat(100_000) },
    ],
  ])('with %s as the data of known events is answered all the same', async (_, data) => {
    const { post, send, load } = await running();
    for (const type of ['task_completed', 'tool_usage_finished', 'crew_kickoff_started'])
      expect((await send(event(type, data)))[0]).toBe(200);
    expect((await send(event('task_completed', data, { execution_id: 'x'.repeat(10_000), id: {} })))[0]).toBe(200);
    expect((await load(REF)).kickoffIds).toEqual(['K1']);
    expect((await send(event('crew_kickoff_failed', data)))[0]).toBe(200);
    expect((await load(REF)).run.status).toBe('failed');
    expect(await post(ADDRESS, { events: [] }, right())).toEqual([200, 'ignored']);
  });

  it('with more than a thousand events is too large', async () => {
    const { send, load } = await running();
    const many = Array.from({ length: 1_001 }, (_, i) => taskCompleted(`task ${i}`));
    expect(await send(...many)).toEqual([413, 'refused']);
    expect((await load(REF)).tasks).toEqual([]);
    expect((await send(...many.slice(0, 300)))[0]).toBe(200);
    expect((await load(REF)).tasks).toHaveLength(100);
  });

  it('that can’t be stored is a 503', async () => {
    const away = () => Promise.reject(new StoreUnavailable('Redis is away.'));
    const { context } = await bot();
    const { post } = await bot({ executions: { ...context.executions, load: away, change: away } });
    for (const sent of [taskCompleted(), toolUsed(), event('crew_kickoff_failed')])
      expect(await post(ADDRESS, { events: [sent] }, right())).toEqual([503, 'unavailable']);
  });

  it('of an execution that isn’t known here is a 404', async () => {
    const { post } = await bot();
    expect(await post(ADDRESS, { events: [taskCompleted()] }, right())).toEqual([404, 'unknown']);
  });

  it('needs the bearer of its execution’s stream', async () => {
    const { post, load, logged } = await running();
    const before = await load(REF);
    const wrong = [
      undefined,
      'Bearer wrong',
      right(0, OTHER),
      `${right()}A`,
      right().toLowerCase(),
      right().replace('h0.', 'h1.'),
      headerOf(credentials.ofExecution({ ref: REF, hop: 0 }, 'bearer')),
      headerOf(credentials.ofCrew('research', 'bearer')),
      `Bearer ${credentials.pathToken({ ref: REF, hop: 0 })}`,
      `Bearer ${credentials.humanInputToken({ ref: REF, hop: 0 })}`,
    ];
    for (const authorization of wrong)
      expect(await post(ADDRESS, { events: [taskCompleted()] }, authorization)).toEqual([401, 'refused']);
    const request = { task_id: 'T', task_output: 'Forged' };
    expect(await post(`/webhooks/executions/${REF}/human-input`, request, right())).toEqual([401, 'refused']);
    expect(await post(`${ADDRESS}/task`, {}, right())).toEqual([401, 'refused']);
    expect(await post(`/webhooks/executions/${REF}/events/more/still`, {}, right())).toEqual([404, 'refused']);
    expect(await load(REF)).toEqual(before);
    expect(logged()).not.toMatch(/h[01]\./);
  });

  it('is told in one line an event, with ids and without texts', async () => {
    const { send, logged } = await running();
    await send(taskCompleted(), toolUsed());
    expect(
      logged()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).msg),
    ).toEqual(['task completed', 'step']);
    expect(logged()).not.toMatch(/The draft|Oolong/);
  });
});
