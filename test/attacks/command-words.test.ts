import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { parseCommandLine } from '../../src/slack/features/kickoff/command-line.ts';

const SETTINGS = {
  PUBLIC_URL: 'https://signoff.example.com',
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_SIGNING_SECRET: 'signing',
  REDIS_URL: 'redis://localhost:6379',
  APP_SECRET: 'a-secret-of-more-than-32-characters',
  CREW_BASE_URL: 'https://crew.example.com/',
  CREW_TOKEN: 'crew-token',
};

/** What people can type after `/kickoff`, as docs/using.md has it. */
const WORDS = [...readFileSync('docs/using.md', 'utf8').matchAll(/\/kickoff ([a-z]+)/g)].map(([, word = '']) => word);

it('The bot doesn’t start with a crew that has the name of a command', () => {
  const commands = new Set(
    WORDS.filter((word) => {
      const line = parseCommandLine(word, [word]);
      return line.ok && line.value.kind !== 'start';
    }),
  );
  expect(commands.size).toBeGreaterThan(4);
  const taken = [...commands].filter((word) => readConfig({ ...SETTINGS, CREW_NAME: word }).ok);
  expect(taken).toEqual([]);
});
