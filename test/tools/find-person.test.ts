import { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEFAULT_APP } from '../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import { type SlackWorkspace, startSlackWorkspace } from '../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { DEFAULT_SEED, withEveryKindOfPerson } from '../../src/sandbox/slack-workspace/state/seed.ts';
import { findPerson } from '../../src/tools/find-person.ts';

let slack: SlackWorkspace;
let client: WebClient;

beforeAll(async () => {
  const scopes = [...DEFAULT_APP.scopes, 'users:read.email'];
  slack = await startSlackWorkspace({ seed: withEveryKindOfPerson(DEFAULT_SEED), app: { scopes } });
  client = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl });
});
afterAll(() => slack.close());

it.each([
  ['UJON00002', 'UJON00002'],
  ['<@UJON00002|jon>', 'UJON00002'],
  ['@jon', 'UJON00002'],
  ['Jon', 'UJON00002'],
  ['jon bell', 'UJON00002'],
  ['bell', 'UJON00002'],
  [' @Aiko ', 'UAIKO0003'],
  ['dora', 'UDORA0008'],
  ['maria', 'UMARIA001'],
  ['Aiko@sandbox.example', 'UAIKO0003'],
])('%s means %s', async (typed, id) => {
  expect(await findPerson(typed, client)).toEqual({ ok: true, value: id });
});

it.each([
  ['@nobody', '@nobody stands for nobody in Slack.'],
  ['no@example.com', 'no@example.com stands for nobody in Slack.'],
  ['builder', 'builder stands for nobody in Slack.'],
  ['Maria Alvarez', /^Maria Alvarez may be any of Maria Alvarez \(U\w+\), Maria Alvarez \(U\w+\)\. Give the id\.$/],
])('%s is refused with why', async (typed, told) => {
  expect(await findPerson(typed, client)).toEqual({ ok: false, refusal: expect.stringMatching(told) });
});

it('Without a token, an id is enough, and a name says what it takes', async () => {
  expect(await findPerson('UJON00002', null)).toEqual({ ok: true, value: 'UJON00002' });
  expect(await findPerson('@jon', null)).toEqual({
    ok: false,
    refusal:
      '@jon takes Slack: set SLACK_BOT_TOKEN, or give the person’s id (U0123ABC; their profile, ⋯, Copy member ID).',
  });
  const away = new WebClient(slack.botToken, { slackApiUrl: 'http://127.0.0.1:1/api/', retryConfig: { retries: 0 } });
  expect(await findPerson('@jon', away)).toEqual({
    ok: false,
    refusal: '@jon can’t be looked up, since Slack could not be asked. An id (U0123ABC) needs no look-up.',
  });
});
