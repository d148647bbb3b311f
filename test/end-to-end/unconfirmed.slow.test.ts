import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeRedis, connectRedis, pingRedis } from '../../src/redis/connection.ts';
import { readRecord } from '../../src/redis/record.ts';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { startWorld, type World } from '../support/world.ts';

/** A call may take 30 s, a claim lasts 40 s while its process lives, and evidence is waited for 20 s. */
const PATIENCE = { withinMs: 180_000 };

/** How long after its decision the only approval in a Redis was given up, by Redis' own clock. */
async function givenUpAfterMs(redisUrl: string): Promise<number> {
  const redis = connectRedis(redisUrl, { onTrouble: () => {} });
  try {
    await pingRedis(redis);
    const [key = ''] = await redis.keys('signoff:*:execution:*');
    const { requests } = readRecord(key.split(':').at(-1) ?? '', (await redis.hget(key, 'record')) ?? '');
    const [request] = requests;
    if (request?.state.status !== 'failed') throw new Error(`The approval is ${request?.state.status}.`);
    return request.state.failedAt - request.state.decision.at;
  } finally {
    await closeRedis(redis);
  }
}

let world: World;

beforeAll(async () => {
  world = await startWorld({ fixtures: 6 });
  await world.startBot();
});
afterAll(() => world.stop());

describe.concurrent('a decision that may not have arrived', () => {
  it.each([
    ['an error of the service', { status: 500, body: 'Internal Server Error' }],
    ['silence', 'silence'],
  ] as const)('says so after %s, and is sent again by a person only', async (_, respond) => {
    const { start, card, jon, maria, addFault, requests, run } = await world.fixture();
    await addFault({ route: 'resume', respond, apply: false });
    await start();
    const request = await card();
    await jon.click('Approve', { in: request });
    const said = visibleText(await jon.seesChanged(request, '[Send again]', PATIENCE));
    expect(said).toContain('didn’t confirm this decision');
    expect(said).toMatch(/Jon the \w+ approved/);
    // Whoever decided looks elsewhere by now.
    await jon.sees('Signoff', /approved(.|\n)*didn’t confirm this decision/, PATIENCE);
    expect(await maria.channel('Signoff')).toEqual([]);
    expect(await requests('resume')).toHaveLength(1);
    await expect(maria.click('Send again', { in: request })).rejects.toThrow();
    await maria.click('Send again', { in: request, confirm: 'Send again' });
    await jon.seesChanged(request, 'Sent to the crew.', PATIENCE);
    expect((await run('is completed', ({ status }) => status === 'completed')).reviews).toHaveLength(1);
    expect(await requests('resume')).toHaveLength(2);
  });

  it('is proved by a late notification, and can’t be sent again any more', async () => {
    const { start, setTasks, card, jon, addFault, requests, run, crew } = await world.fixture();
    await setTasks([
      { name: 'draft', humanInput: true, output: 'A draft.' },
      { name: 'print', output: 'Printed it.', hold: `${crew}-prints` },
    ]);
    await world.crews.sandbox.shutGate(`${crew}-prints`);
    await addFault({ route: 'resume', respond: { status: 502, body: 'Bad gateway' }, apply: true });
    await addFault({ webhook: 'task', effect: 'drop' });
    await start();
    const request = await card();
    await jon.click('Approve', { in: request });
    await jon.seesChanged(request, '[Send again]', PATIENCE);
    await world.crews.sandbox.openGate(`${crew}-prints`);
    const proved = visibleText(await jon.seesChanged(request, 'Sent to the crew.', PATIENCE));
    expect(proved).not.toContain('[Send again]');
    expect((await run('is completed', ({ status }) => status === 'completed')).reviews).toHaveLength(1);
    expect(await requests('resume')).toHaveLength(1);
  });

  it('says “maybe started” of a start that is never answered', async () => {
    const { types, root, maria, toldLate, addFault, requests } = await world.fixture();
    await addFault({ route: 'kickoff', respond: 'silence' });
    await types();
    await toldLate('didn’t answer in time', PATIENCE);
    await maria.seesChanged(await root(), 'Start not confirmed', PATIENCE);
    expect(await requests('kickoff')).toHaveLength(1);
  });

  it('is left to a person when the bot died over it and the crew is silent', async () => {
    const dying = await startWorld({ fixtures: 1 });
    try {
      const { start, card, jon, addFault, asked, requests } = await dying.fixture();
      const port = await freePort();
      const bot = await dying.startBotProcess({ port });
      await addFault({ route: 'resume', respond: 'silence' });
      await start();
      const request = await card();
      await jon.click('Approve', { in: request });
      await asked('resume', 1);
      await bot.kill();
      await dying.startBotProcess({ port });
      await jon.seesChanged(request, '[Send again]', PATIENCE);
      expect(await requests('resume')).toHaveLength(1);
      const waitedMs = await givenUpAfterMs(dying.redis.url);
      expect(waitedMs).toBeGreaterThanOrEqual(20_000);
      // The claim of a process that lives lasts 40 s.
      expect(waitedMs).toBeLessThan(30_000);
      await jon.click('Send again', { in: request, confirm: 'Send again' });
      await jon.seesChanged(request, 'Sent to the crew.', PATIENCE);
    } finally {
      await dying.stop();
    }
  });
});
