import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { type LossyProxy, startLossyProxy } from '../support/lossy-proxy.ts';
import { startWorld, type World } from '../support/world.ts';

const CHANNEL = '#releases';
const CREWS = ['resumed', 'kicked-off'];

let world: World;
const proxies = new Map<string, LossyProxy>();

beforeAll(async () => {
  for (const name of CREWS) proxies.set(name, await startLossyProxy());
  world = await startWorld({
    dialect: 'spec',
    crews: CREWS.map((name) => ({ name, settings: { base_url: `${proxies.get(name)?.origin}/` } })),
  });
  for (const [name, proxy] of proxies) proxy.forwardTo(world.crews.baseUrlOf(name));
  await world.startBot();
});
afterAll(async () => {
  await world.stop();
  for (const proxy of proxies.values()) await proxy.close();
});

/** The calls that the crew has accepted. */
async function accepted(crew: string, route: string): Promise<number> {
  const requests = await world.crews.sandbox.requests();
  const isAccepted = ({ answer }: (typeof requests)[number]) => typeof answer === 'object' && answer.status === 200;
  return requests.filter((each) => each.crew === crew && each.route === route && isAccepted(each)).length;
}

it('a proxy answers 503 after forwarding the resume: the crew isn’t resumed twice', async () => {
  const jon = world.slack.as('jon');
  const { sandbox } = world.crews;
  // Nothing proves the resume before a repetition would come, which would reject the next round's text unseen.
  await sandbox.addFault({ webhook: 'task', crew: 'resumed', times: 9, effect: 'drop' });
  await sandbox.addFault({ webhook: 'human-input', crew: 'resumed', skip: 1, effect: { delayMs: 4_000 } });
  await world.slack.as('maria').command(CHANNEL, '/kickoff', 'resumed topic=tea');
  const card = await jon.sees(CHANNEL, 'Approval needed');
  proxies.get('resumed')?.lose('resume');
  await jon.click('Reject…', { in: card });
  await jon.fill('What should change?', 'Shorter.');
  await jon.submit();
  await expect.poll(() => accepted('resumed', 'resume')).toBeGreaterThan(0);
  await eventually(
    async () => {
      const asked = (await sandbox.webhooks()).filter(({ crew, kind }) => crew === 'resumed' && kind === 'human-input');
      return asked.length > 1 || (await accepted('resumed', 'resume')) > 1 || undefined;
    },
    async () => 'the crew neither asked again nor was resumed again',
  );
  expect(await accepted('resumed', 'resume')).toBe(1);
  // The new round proves that the feedback arrived.
  await jon.seesChanged(card, 'rejected');
  await jon.sees(CHANNEL, 'Round 2');
});

it('a proxy answers 503 after forwarding the kickoff: no second run is started', async () => {
  const maria = world.slack.as('maria');
  const { sandbox } = world.crews;
  await sandbox.setScript('kicked-off', [{ name: 'research', hold: 'sources', output: 'Three sources were read.' }]);
  proxies.get('kicked-off')?.lose('kickoff');
  await maria.command(CHANNEL, '/kickoff', 'kicked-off topic=tea');
  await eventually(
    async () =>
      (await accepted('kicked-off', 'kickoff')) > 1 || (await maria.screen()).includes('not confirmed') || undefined,
    () => maria.screen(),
  );
  expect(await accepted('kicked-off', 'kickoff')).toBe(1);
});
