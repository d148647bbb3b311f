import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type SlackWorkspace,
  startSlackWorkspace,
} from '../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { ChannelNames } from '../../../src/slack/api/channels.ts';
import { createSlackClients, slackLogger } from '../../../src/slack/api/clients.ts';
import { silent } from '../../crew/crew-values.ts';

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
