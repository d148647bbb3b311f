import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../src/logging.ts';
import { collectLog } from '../support/collected-log.ts';
import { CREW_TOKEN, startWorld, TEST_SECRET, type World } from '../support/world.ts';

// test/security/secrets.test.ts tries the same over HTTP.
describe('The log of a bot in Socket Mode at its finest level', () => {
  let world: World;
  const logged = collectLog();

  beforeAll(async () => {
    world = await startWorld({ slackMode: 'socket', dialect: 'observed', webhookAuth: 'basic', fixtures: 1 });
    await world.startBot({ log: createLog({ level: 'trace', readable: false, to: logged.to }) });
  });
  afterAll(() => world.stop());

  it('tells each thing with its ids, and holds neither secrets nor what people and crews wrote', async () => {
    const { start, card, reject, approve, maria, requests, run, addFault } = await world.fixture([
      { name: 'draft', agent: 'Writer', humanInput: true, output: 'Confidential draft {{round}}', steps: 2 },
      { name: 'print', output: 'Confidential result' },
    ]);
    await addFault({ route: 'kickoff', respond: { status: 503, headers: { 'retry-after': '1' } } });
    await addFault({ route: 'resume', respond: { status: 500, body: 'Confidential trouble' }, apply: true, skip: 1 });
    const root = await start('topic="Confidential topic"');
    await reject(await card(), 'Confidential feedback');
    await approve(await card('Round 2'));
    await maria.seesInThread(root, 'Finished.');
    const { kickoffId } = await run('is completed', ({ status }) => status === 'completed');

    await expect.poll(logged.text).toContain(kickoffId);
    for (const line of logged.text().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg');
    expect(logged.text()).toMatch(/"ref":"[a-z2-7]{26}"/);
    expect(logged.text()).toMatch(/"approvalId":"1"/);

    expect(logged.text()).not.toMatch(/confidential/i);
    const { slack } = world;
    for (const secret of [TEST_SECRET, CREW_TOKEN, slack.botToken, slack.appToken, slack.signingSecret])
      expect(logged.text()).not.toContain(secret);
    const [kickoff] = await requests('kickoff');
    const given = JSON.parse(kickoff?.body ?? '{}');
    const { token, password } = given.humanInputWebhook.authentication;
    expect(logged.text()).not.toContain(token ?? password);
    expect(logged.text()).not.toContain(given.taskWebhookUrl.split('/').at(-2));
  });
});
