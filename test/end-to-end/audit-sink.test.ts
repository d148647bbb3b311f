import type { ServerResponse } from 'node:http';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { createReceiver } from '../../src/ledger/sink/create-receiver.ts';
import { sinkKey, treeKey } from '../../src/redis/keys.ts';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { type Siem, startSiem } from '../ledger/sink/siem.ts';
import { eventually } from '../redis/store-under-test.ts';
import { audit } from '../support/audit-program.ts';
import { type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';
import { scrape } from '../support/scrape.ts';
import { startWorld, TEST_SECRET } from '../support/world.ts';

let siem: Siem;
let world: PolicyWorld;
let redis: Redis;
/** What the sink leaves without an answer. */
const held: ServerResponse[] = [];

beforeAll(async () => {
  siem = await startSiem(TEST_SECRET);
  siem.answerWith((response) => void held.push(response));
  world = await startPolicyWorld({
    crews: { pair: { approvers: ['UJON00002', 'UAIKO0003'], quorum: 2 }, other: {} },
    env: { AUDIT_SINK: siem.url, AUDIT_CHANNEL: 'general' },
    bot: { sealEveryMs: 200 },
  });
  redis = new Redis({ path: world.redis.socketPath });
});
afterAll(async () => {
  await redis.quit();
  await world.stop();
  await siem.goAway();
});

/** Where Redis has how far the sink has got. */
function stateKey(): string {
  const config = readConfig(world.env(0));
  if (!config.ok || config.value.audit.sink === null) throw new Error('the bots have a sink');
  return sinkKey(createReceiver(config.value.audit.sink, { secrets: [], auditDays: 400 }).id);
}

const sealed = async () => Number(await redis.hget(treeKey, 'size'));
const exportedHashes = async () => {
  const { out } = await audit(['export'], { REDIS_URL: world.redis.url, APP_SECRET: TEST_SECRET });
  return out.split('\n').flatMap((line) => (line.includes('"kind":') ? [JSON.parse(line).hash] : []));
};
const postsWith = (text: string) =>
  world.slack
    .messages()
    .map((message) => visibleText({ ...message, files: [] }))
    .filter((each) => each.includes(text));

it('people decide and entries are sealed while the sink hangs, and then it gets all of them', async () => {
  await eventually(async () => held.length > 0);
  const before = await sealed();
  const run = await world.run('pair');
  await world.slack.as('jon').click('Approve', { in: run.card });
  await run.shows('1 of 2 approved: Jon Bell');
  await world.slack.as('aiko').click('Approve', { in: run.card });
  expect(await run.told()).toEqual(['approved: Approved.']);
  await run.shows('Sent to the crew.');
  await eventually(async () => (await sealed()) >= before + 5);
  expect(siem.taken()).toEqual([]);
  const lags = await Promise.all(
    world.ports.map(async (port) => (await scrape(port)).get('signoff_audit_sink_unsent')),
  );
  for (const unsent of lags) expect(unsent).toBeGreaterThanOrEqual(before + 5);

  await redis.hset(stateKey(), 'failing-since', 1);
  for (const response of held) response.destroy();
  await eventually(async () => postsWith('has taken nothing for').length > 0);
  siem.answerWith('take');
  await eventually(async () => postsWith('takes entries again').length > 0);
  expect(siem.entries().map(({ entry }) => entry.hash)).toEqual(await exportedHashes());
  expect(postsWith('AUDIT_SINK')).toHaveLength(2);
  for (const port of world.ports)
    expect(Object.fromEntries(await scrape(port))).toMatchObject({
      signoff_audit_sink_unsent: 0,
      signoff_audit_sink_lag_seconds: 0,
      signoff_audit_sink_missed: 0,
    });
}, 60_000);

it('a bot that is killed while it sends leaves all to the next one, and prints no secret of the address', async () => {
  const receiver = await startSiem(TEST_SECRET);
  const address = `${receiver.url.replace('//', '//collector:HUSH-password@')}/HUSH-path?key=HUSH-key`;
  const alone = await startWorld({ env: { AUDIT_SINK: address, LOG_LEVEL: 'trace' } });
  const records = new Redis({ path: alone.redis.socketPath });
  const auditEnv = { REDIS_URL: alone.redis.url, APP_SECRET: TEST_SECRET };
  try {
    // It enters the policies, which an export seals, too.
    const first = await alone.startBotProcess();
    expect((await audit(['export'], auditEnv)).code).toBe(0);
    await first.stop();
    receiver.answerWith(() => {});
    const killed = await alone.startBotProcess();
    await eventually(async () => receiver.seen.length === 1);
    await killed.kill();
    // Its time runs out.
    const [state = ''] = await records.keys('signoff:{*}:ledger-sink:*');
    await records.hset(state, 'held-until', 0);
    // One that is asked to stop doesn't wait for the sink.
    const stopped = await alone.startBotProcess();
    await eventually(async () => receiver.seen.length === 2);
    expect(await stopped.stop()).toBe(0);
    receiver.answerWith('take');
    const last = await alone.startBotProcess();
    await eventually(async () => receiver.entries().length > 0);
    expect(new Set(receiver.seen.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(1);
    const { out } = await audit(['export'], auditEnv);
    expect(receiver.entries()).toHaveLength(out.split('\n').filter((line) => line.includes('"kind":')).length);
    for (const bot of [first, killed, stopped, last]) expect(bot.printed()).not.toMatch(/HUSH|collector/);
  } finally {
    await records.quit();
    await alone.stop();
    await receiver.goAway();
  }
}, 120_000);
