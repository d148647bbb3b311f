import { afterAll, beforeAll, expect, it } from 'vitest';
import { homeText, visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { RedisClock } from '../faults/redis-clock.ts';
import { type RedisProxy, startRedisProxy } from '../faults/redis-proxy.ts';
import { SeenScripts } from '../faults/seen-scripts.ts';
import { scrape } from '../support/scrape.ts';
import { startWorld, type World } from '../support/world.ts';

/** A service may not know a run for two minutes before it counts as lost, and is asked at growing intervals, of a minute at most. */
const A_MINUTE_S = 61;

let world: World;
let proxy: RedisProxy;
let port: number;
const clock = new RedisClock();

beforeAll(async () => {
  // Only crews of this dialect notify of a run before its first resume.
  world = await startWorld({ fixtures: 3, dialect: 'observed' });
  proxy = await startRedisProxy({ port: world.redis.port, clock, scripts: new SeenScripts() });
  port = await freePort();
  await world.startBot({ port, env: { REDIS_URL: `redis://127.0.0.1:${proxy.port}` } });
});
afterAll(async () => {
  await world.stop();
  await proxy.close();
});

it('a run that its service no longer knows is said to be lost, and goes on in its thread when a notification arrives', async () => {
  const { start, setTasks, maria, addFault, asked, crew } = await world.fixture();
  const gate = `${crew}-works`;
  await world.crews.sandbox.shutGate(gate);
  await setTasks([{ name: 'work', output: 'Done after all.', hold: gate }]);
  await addFault({ route: 'status', respond: { status: 404, body: { detail: 'Execution not found' } }, times: 100 });
  const root = await start();
  for (const times of [1, 2, 3]) {
    await asked('status', times);
    clock.putForward(A_MINUTE_S);
  }
  await maria.seesChanged(root, 'Status unknown');
  await maria.seesChanged(root, 'no longer knows this run');

  await world.crews.sandbox.openGate(gate);
  await maria.seesInThread(root, 'Finished.');
  await maria.seesChanged(root, 'Completed');
});

const UNKNOWN = { status: 404, body: { detail: 'Execution not found' } };

const runsLost = async () => (await scrape(port)).get('signoff_execution_changes_total{status="lost"}');

it('a decision on a run that its service no longer knows is kept, and reaches the run where it is known again', async () => {
  const { start, card, jon, maria, addFault, asked, resumes, runs } = await world.fixture();
  const root = await start();
  const request = await card();
  for (const route of ['resume', 'status'] as const) await addFault({ route, respond: UNKNOWN, times: 100 });
  await jon.click('Approve', { in: request });
  const failed = visibleText(await jon.seesChanged(request, 'doesn’t know this run'));
  expect(failed).toMatch(/Jon the \w+ approved .*not delivered/);
  for (const words of ['Execution not found', '[Send again]', '[Run again]']) expect(failed).toContain(words);
  const sayings = async () => {
    await maria.openHome();
    const home = homeText(await maria.seesHome('Decision not delivered'));
    return `${visibleText(await maria.seesChanged(root, 'Decision not delivered'))}\n${home}`;
  };
  const saidAtOnce = await sayings();
  expect(saidAtOnce).toContain('Send it again from its card, or run the crew again.');

  const [polled, lost] = [(await asked('status', 1)).length, (await runsLost()) ?? 0];
  for (const times of [1, 2, 3]) {
    await asked('status', polled + times);
    clock.putForward(A_MINUTE_S);
  }
  await expect.poll(runsLost, { timeout: 10_000 }).toBe(lost + 1);
  for (const said of [saidAtOnce, await sayings()])
    for (const words of ['Waiting for approval', 'can’t be reached']) expect(said).not.toContain(words);

  await maria.click('Run again', { in: request });
  await maria.seesModal('Start a crew');
  await maria.submit();
  const [first, again] = (await asked('kickoff', 2)).map(({ body }) => JSON.parse(body).inputs);
  expect(again).toEqual(first);

  await world.crews.sandbox.clearFaults();
  await jon.click('Send again', { in: request, confirm: 'Send again' });
  await jon.seesChanged(request, 'Sent to the crew.');
  await maria.seesInThread(root, 'Finished.');
  await maria.seesChanged(root, 'Completed');
  const [, resumed] = (await resumes()).map(({ body }) => JSON.parse(body));
  expect((await runs()).find(({ executionId }) => executionId === resumed.executionId)?.reviews).toHaveLength(1);
  expect(await resumes()).toHaveLength(2);
});

it('a decision waits while its service restores its runs, says so, and is delivered once', async () => {
  const { start, card, jon, maria, addFault, asked, resumes, run } = await world.fixture();
  const root = await start();
  const request = await card();
  const restoring = { status: 503, headers: { 'retry-after': '30' } };
  for (const route of ['resume', 'status'] as const) await addFault({ route, respond: restoring, times: 100 });
  await jon.click('Approve', { in: request });
  const waiting = visibleText(await jon.seesChanged(request, 'is starting or busy'));
  expect(waiting).toContain('The decision is saved');
  const told = visibleText(await maria.seesChanged(root, 'Decided, not sent yet'));
  expect(told).toContain('is starting or busy');
  for (const times of [2, 3, 4, 5]) {
    clock.putForward(30);
    await asked('resume', times);
  }
  for (const message of [waiting, told, visibleText(await maria.seesChanged(root, 'Decided, not sent yet'))])
    for (const words of ['can’t be reached', 'error']) expect(message).not.toContain(words);

  await world.crews.sandbox.clearFaults();
  clock.putForward(30);
  await jon.seesChanged(request, 'Sent to the crew.');
  await maria.seesInThread(root, 'Finished.');
  expect((await run('is completed', ({ status }) => status === 'completed')).reviews).toHaveLength(1);
  expect(await resumes()).toHaveLength(6);
});
