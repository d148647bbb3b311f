import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSlackClients, slackLogger } from '../../../src/slack/api/clients.ts';
import { findMessageText } from '../../../src/slack/listening/click.ts';
import { silent } from '../../crew/crew-values.ts';
import { DIRECTORY } from '../app/listeners/requests/cast.ts';
import { type AnsweringSlack, refusal, startAnsweringSlack } from '../directory/answering-slack.ts';

let slack: AnsweringSlack;
beforeAll(async () => {
  slack = await startAnsweringSlack({ 'conversations.info': (args) => CHANNELS[args.get('channel') ?? ''] ?? GONE });
});
afterAll(() => slack.close());

const GONE = refusal('channel_not_found');
const CHANNELS: Record<string, object | 'silence'> = {
  C0PUBLIC1: { channel: { name: 'releases', is_private: false } },
  C0SECRET1: { channel: { name: 'layoffs', is_private: true } },
  C0SLOW001: 'silence',
};

function read(text: string): Promise<string> {
  const { interactive } = createSlackClients({
    token: slack.botToken,
    apiUrl: slack.apiUrl,
    logger: slackLogger(silent),
  });
  const names: Record<string, string> = { UMARIA001: 'Maria', S0LEADS01: '@leads' };
  const nameOf = async ({ id, name }: { id: string; name: string }) => names[id] ?? name;
  const ports = {
    client: interactive,
    people: {
      nameOf,
      isInside: async () => false,
      languageOf: async () => 'en' as const,
      timeZoneOf: async () => null,
    },
    directory: {
      ...DIRECTORY,
      mentionsOf: async () => [],
      approverNames: async () => (id: string) => names[id] ?? id,
    },
  };
  return findMessageText(ports, { text, blocks: [], attachments: [] });
}

it('names people, groups and public channels', async () => {
  expect(await read('<@UMARIA001|m>, <!subteam^S0LEADS01>, <#C0PUBLIC1>')).toBe('@Maria, @leads, #releases');
});

it('doesn’t name a private channel, which Slack itself hides from those who aren’t in it', async () => {
  expect(await read('<#C0SECRET1>')).toBe('#C0SECRET1');
});

it('takes what the text says where Slack can’t tell, and waits no longer than people can', async () => {
  const begun = performance.now();
  expect(await read('<@UNOBODY01|jon> <@UNOBODY02> <#C0NOWHERE1|general> <#C0SLOW001>')).toBe(
    '@jon @UNOBODY02 #general #C0SLOW001',
  );
  expect(performance.now() - begun).toBeLessThan(5_000);
});

it('asks for the names of no more than twenty', async () => {
  const before = slack.calls().length;
  await read(Array.from({ length: 50 }, (_, i) => `<#C0MANY${i}X>`).join(' '));
  expect(slack.calls().length - before).toBe(20);
});
