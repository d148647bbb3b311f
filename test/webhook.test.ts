import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';
import { crewAddress } from '../src/crew/addresses.ts';
import { createCredentials } from '../src/crew/credentials.ts';
import { SECRET } from './crew/crew-values.ts';
import { programPath } from './support/program-path.ts';

const SETTINGS = {
  PUBLIC_URL: 'https://bot.example.org',
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_SIGNING_SECRET: 'signing-secret-of-the-app',
  REDIS_URL: 'redis://127.0.0.1:6379',
  APP_SECRET: SECRET,
  CREW_NAME: 'research',
  CREW_BASE_URL: 'https://crew.example.org',
  CREW_TOKEN: 'crew-token',
};

interface Run {
  code: number;
  out: string;
  errors: string;
}

/** Runs the command as an operator does, with nothing but these settings. */
function webhook(env: Record<string, string>, ...args: string[]): Promise<Run> {
  return new Promise((done) => {
    execFile(process.execPath, [programPath('webhook'), ...args], { env }, (error, out, errors) => {
      done({ code: typeof error?.code === 'number' ? error.code : 0, out, errors });
    });
  });
}

it('prints the address and the credentials of a crew', async () => {
  const { code, out, errors } = await webhook(SETTINGS, 'research');
  expect([code, errors]).toEqual([0, '']);
  expect(out).toContain(crewAddress('https://bot.example.org', 'research'));
  const given = createCredentials([SECRET]).ofCrew('research', 'bearer');
  expect(out).toContain(given.strategy === 'bearer' ? given.token : '-');
});

it('says that a crew without a channel needs one', async () => {
  expect((await webhook(SETTINGS)).out).toContain('CREW_CHANNEL');
  expect((await webhook({ ...SETTINGS, CREW_CHANNEL: 'research' })).out).not.toContain('CREW_CHANNEL');
});

it('needs no name if there is only one crew', async () => {
  expect((await webhook(SETTINGS)).out).toContain('/webhooks/crews/research/human-input');
});

it('lists the crews if the name is wrong', async () => {
  const { code, out, errors } = await webhook(SETTINGS, 'other');
  expect([code, out]).toEqual([1, '']);
  expect(errors).toContain('The crews are: research');
});

it('names what is missing in the settings, and no secret', async () => {
  const { APP_SECRET: _, ...rest } = SETTINGS;
  const { code, errors } = await webhook(rest, 'research');
  expect(code).toBe(1);
  expect(errors).toContain('APP_SECRET');
  expect(errors).not.toContain('crew-token');
});
