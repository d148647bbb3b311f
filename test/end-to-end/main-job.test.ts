import { HTTPReceiver, SocketModeReceiver } from '@slack/bolt';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { slackLogger } from '../../src/slack/api/clients.ts';
import { startWorld, type World, type WorldOptions } from '../support/world.ts';

const MODES = [
  { dialect: 'spec', slackMode: 'http', webhookAuth: 'bearer', receiver: 'our receiver' },
  { dialect: 'observed', slackMode: 'socket', webhookAuth: 'basic', receiver: 'our receiver' },
  { dialect: 'flows', platform: 'amp', slackMode: 'http', webhookAuth: 'bearer', receiver: 'our receiver' },
  { dialect: 'spec', slackMode: 'http', webhookAuth: 'bearer', receiver: 'the receiver of Bolt' },
  { dialect: 'observed', slackMode: 'socket', webhookAuth: 'basic', receiver: 'the receiver of Bolt' },
] as const satisfies (WorldOptions & { receiver: string })[];

/** One of them keeps its data in a Redis Cluster, wherever the others do. */
const redisOf = ({ slackMode, receiver }: (typeof MODES)[number]) =>
  slackMode === 'socket' && receiver === 'our receiver' ? { redisOfBots: 'a Cluster' as const } : {};

describe.concurrent.each(MODES)(
  'the main job, dialect $dialect, Slack over $slackMode with $receiver, webhooks with $webhookAuth',
  (mode) => {
    const { receiver, ...options } = mode;
    let world: World;

    beforeAll(async () => {
      world = await startWorld({ ...options, ...redisOf(mode) });
      await (receiver === 'our receiver' ? world.startBot() : startOnBoltReceiver(world, mode.slackMode));
    });
    afterAll(() => world.stop());

    it('goes from /kickoff over a rejection and an approval to the result', async () => {
      const maria = world.slack.as('maria');
      const jon = world.slack.as('jon');

      await maria.command('#releases', '/kickoff');
      await maria.seesModal('topic');
      await maria.fill('topic', 'tea');
      await maria.submit();

      const first = await jon.sees('#releases', 'Approval needed');
      const root = await rootOf(world, first);
      expect(root.text).toContain('editorial');

      await jon.click('Reject…', { in: first });
      await jon.seesModal('What should change?');
      await jon.fill('What should change?', 'Please mention oolong');
      await jon.submit();
      await jon.seesChanged(first, 'rejected');

      const second = await maria.sees('#releases', 'Round 2');
      await maria.seesChanged(second, 'mention oolong');
      await maria.click('Approve', { in: second });
      await maria.seesChanged(second, 'approved');

      await maria.seesInThread(root, 'Published: the article about tea.');
      await maria.seesChanged(root, 'Completed');

      const [run] = (await world.crews.sandbox.runs()).filter(({ status }) => status === 'completed');
      expect(run?.reviews.map(({ approved, text }) => [approved, text])).toEqual([
        [false, 'Please mention oolong'],
        [true, 'Approved.'],
      ]);
      expect(world.slack.calls().flatMap(({ broken }) => broken)).toEqual([]);
    });
  },
);

/** Starts a bot that Slack's requests reach by what Bolt itself has for that. */
async function startOnBoltReceiver({ slack, startBot }: World, mode: 'http' | 'socket'): Promise<void> {
  const logger = slackLogger(pino({ level: 'silent' }));
  const [port, clientOptions] = [await freePort(), { slackApiUrl: slack.apiUrl }];
  const stock =
    mode === 'http'
      ? new HTTPReceiver({ signingSecret: slack.signingSecret, port, logger })
      : new SocketModeReceiver({ appToken: slack.appToken, installerOptions: { clientOptions }, logger });
  await startBot({ receiver: Object.assign(stock, { isConnected: () => true, trouble: () => null }) });
  if (mode === 'http') slack.installAt(`http://127.0.0.1:${port}/slack/events`);
}

/** The root message of the thread that a reply stands in. */
async function rootOf(world: World, reply: Message): Promise<Message> {
  const maria = world.slack.as('maria');
  return maria.waitFor('the root', (seen) => seen.messages[reply.channel]?.find(({ ts }) => ts === reply.threadTs));
}
