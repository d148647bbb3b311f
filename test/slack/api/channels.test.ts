import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type SlackWorkspace,
  startSlackWorkspace,
} from '../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { ChannelIds, ChannelNames } from '../../../src/slack/api/channels.ts';
import { createSlackClients, slackLogger } from '../../../src/slack/api/clients.ts';
import { silent } from '../../crew/crew-values.ts';
import { refusal, startAnsweringSlack } from '../directory/answering-slack.ts';

let slack: SlackWorkspace;
beforeAll(async () => {
  slack = await startSlackWorkspace({ rateLimits: 'off' });
});
afterAll(() => slack.close());

it('a channel is called by its new name as soon as Slack tells of it', async () => {
  const { interactive } = createSlackClients({
    token: slack.botToken,
    apiUrl: slack.apiUrl,
    logger: slackLogger(silent),
  });
  const names = new ChannelNames(interactive);
  const name = async () => (await names.find(['C0RELEASE2'])).get('C0RELEASE2');
  expect(await name()).toBe('releases');
  names.renamed('C0RELEASE2', 'launches');
  expect(await name()).toBe('launches');
});

it('programs that name a hundred channels read the list of them once, and go on from where Slack refused to', async ({
  onTestFinished,
}) => {
  const refusedOnce = new Set<string>();
  const answering = await startAnsweringSlack({
    'conversations.list': (args) => {
      const page = Number(args.get('cursor') ?? 0);
      if (page === 2 && !refusedOnce.has('2')) {
        refusedOnce.add('2');
        return refusal('ratelimited');
      }
      const channels = Array.from({ length: 50 }, (_, i) => ({ id: `C0ROOM${page}${i}`, name: `room-${page}-${i}` }));
      return { channels, response_metadata: { next_cursor: page === 3 ? '' : String(page + 1) } };
    },
  });
  onTestFinished(() => answering.close());
  const { background: client } = createSlackClients({
    token: answering.botToken,
    apiUrl: answering.apiUrl,
    logger: slackLogger(silent),
  });
  const ids = new ChannelIds({ client, workspaces: async () => [{}] });
  const names = Array.from({ length: 100 }, (_, i) => `room-${i % 2}-${i % 50}`);
  expect(await Promise.all(names.map((name) => ids.find(name)))).toEqual(
    names.map((name) => `C0${name.replaceAll('-', '').toUpperCase()}`),
  );
  expect(answering.calls()).toHaveLength(2);
  await expect(ids.find('#room-3-7')).rejects.toThrow('ratelimited');
  expect(await ids.find('#room-3-7')).toBe('C0ROOM37');
  expect(await ids.find('nowhere')).toBeNull();
  expect(answering.calls()).toHaveLength(5);
});
