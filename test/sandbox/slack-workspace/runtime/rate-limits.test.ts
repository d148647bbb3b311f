import { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRateLimits } from '../../../../src/sandbox/slack-workspace/runtime/rate-limits.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

let playground: Playground;
let clock = 1_800_000_000_000;
beforeEach(async () => {
  playground = await workspaceWithApp({ now: () => clock });
});
afterEach(() => playground.close());

const post = (channel: string) => playground.call('chat.postMessage', { channel, text: 'x' });

describe('Slack’s rates', () => {
  // https://docs.slack.dev/apis/web-api/rate-limits
  it('allow about one message a second in a channel, with a short burst', async () => {
    for (let count = 0; count < 5; count += 1) expect((await post('C0GENERAL1')).status).toBe(200);
    const refused = await post('C0GENERAL1');
    expect(refused).toMatchObject({ status: 429, body: { ok: false, error: 'ratelimited' } });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await post('C0RELEASE2')).status).toBe(200);
    clock += 1000;
    expect((await post('C0GENERAL1')).status).toBe(200);
    expect((await post('C0GENERAL1')).status).toBe(429);
  });

  it('allow 50 updates a minute', async () => {
    const ts = String((await post('C0GENERAL1')).body.ts);
    const update = () => playground.call('chat.update', { channel: 'C0GENERAL1', ts, text: 'y' });
    for (let count = 0; count < 50; count += 1) expect((await update()).status).toBe(200);
    expect((await update()).headers.get('retry-after')).toBe('2');
  });

  it('allow 20 reads of a user group a minute', async () => {
    const read = () => playground.callForm('usergroups.users.list', { usergroup: 'SLEGAL002' });
    for (let count = 0; count < 20; count += 1) expect((await read()).status).toBe(200);
    expect((await read()).headers.get('retry-after')).toBe('3');
  });

  // https://docs.slack.dev/reference/methods/assistant.threads.setStatus
  it('allow 600 statuses a minute', () => {
    const limits = createRateLimits(() => clock);
    const refused = () => limits.refuse('special', 'assistant.threads.setStatus');
    for (let count = 0; count < 600; count += 1) expect(refused()).toBeUndefined();
    expect(refused()).toBe(1);
  });

  it('are told in a way that Slack’s own client understands', async () => {
    const { slack } = playground;
    for (let count = 0; count < 5; count += 1) await post('C0GENERAL1');
    const client = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl, rejectRateLimitedCalls: true });
    await expect(client.chat.postMessage({ channel: 'C0GENERAL1', text: 'x' })).rejects.toMatchObject({
      code: 'slack_webapi_rate_limited_error',
      retryAfter: 1,
    });
  });

  it('can be switched off', async () => {
    await playground.close();
    playground = await workspaceWithApp({ rateLimits: 'off' });
    for (let count = 0; count < 30; count += 1) expect((await post('C0GENERAL1')).status).toBe(200);
  });
});
