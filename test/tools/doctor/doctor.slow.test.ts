import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSlackWorkspace } from '../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { freePort } from '../../../src/setup/free-port.ts';
import { checkSecrets } from '../../../src/tools/doctor/examine.ts';
import { fine, summary, unchecked, wrong } from '../../../src/tools/doctor/finding.ts';
import { CREW_TOKEN, startWorld, TEST_SECRET, type World } from '../../support/world.ts';
import { type Diagnosis, diagnose, runDoctor } from './run-doctor.ts';

describe('the doctor', () => {
  let world: World;
  let port: number;
  const seen: Diagnosis[] = [];

  beforeAll(async () => {
    world = await startWorld({
      crews: [
        { name: 'editorial', settings: { channel: 'releases' } },
        { name: 'research', settings: { channel: 'C0INCIDNT3' } },
        { name: 'alone' },
        { name: 'rules', deployed: false, settings: { channel: 'releases' } },
      ],
    });
    port = await freePort();
  });
  afterAll(() => world.stop());

  async function found(env: Record<string, string> = {}, at = port): Promise<Diagnosis> {
    const diagnosis = await diagnose({ ...world.env(at), ...env });
    seen.push(diagnosis);
    return diagnosis;
  }

  /** The same with the command itself, which takes a second longer. */
  async function commandSays(env: Record<string, string> = {}) {
    const diagnosis = await runDoctor({ ...world.env(port), ...env });
    seen.push({ ...diagnosis, lines: [...diagnosis.lines, diagnosis.errors] });
    return diagnosis;
  }

  it('says what to do if the bot does not run yet, and finds nothing else', async () => {
    const { code, lines, errors, about } = await commandSays();
    expect(errors).toBe('');
    expect(lines.filter((line) => !/^[✓–]/.test(line))).toEqual([
      `! Public address: nothing answers (ECONNREFUSED) at http://127.0.0.1:${port}/healthz, and no bot runs here on port ${port}. Start the bot and run this again.`,
      '1 to look at (!).',
    ]);
    expect(code).toBe(0);
    expect(about('Slack token')).toContain('@signoff');
    expect(about('Slack scopes')).toContain('all that are required');
    expect(about('Slack scopes')).toContain('chat:write.public (the bot must be invited to public channels too)');
    expect(about('Slack mode')).toMatch(/^– Slack mode: HTTP. Not checked: .*\/slack\/events/);
    expect(about('Slash command')).toMatch(
      /^– Slash command: \/kickoff, as COMMAND says. Not checked: .* Slash Commands/,
    );
    expect(about('Crew editorial')).toBe('✓ Crew editorial: answers and names its inputs.');
    expect(about('Channel of editorial')).toBe('✓ Channel of editorial: releases, and the bot is in it.');
    expect(about('Channel of research')).toContain('the bot is in it');
    expect(about('Channel of alone')).toMatch(/^– .*are not followed/);
    expect(about('Credentials')).toMatch(/^✓ Credentials: APP_SECRET looks random, and has \d+ characters\.$/);
    expect(about('Crew rules')).toBe('✓ Crew rules: has no base_url: others ask by its rules, and nothing starts it.');
    expect(about('Policy of rules')).toBe('✓ Policy of rules: all members of the workspace can decide.');
    expect(about('Policy of alone')).toBe('✓ Policy of alone: all members of the workspace can start it and decide.');
    expect(about('Clock of Slack')).toContain('the same as on this machine');
    expect(about('Clock of Redis')).toContain('the same as on this machine');
  });

  it('finds the bot at its address while it runs', async () => {
    const bot = await world.startBot();
    const { about } = await found({}, bot.port);
    expect(about('Public address')).toContain('which only this machine can reach');
    await bot.stop();
  });

  it('recognises a bot that runs here but does not answer at its public address', async () => {
    const bot = await world.startBot();
    const { about } = await found({ PUBLIC_URL: `http://127.0.0.1:${await freePort()}` }, bot.port);
    expect(about('Public address')).toContain(
      '✗ Public address: the bot runs here, but nothing answers (ECONNREFUSED)',
    );
    await bot.stop();
  });

  it('recognises another server at the public address', async () => {
    const { about } = await found({ PUBLIC_URL: world.slack.pageUrl });
    expect(about('Public address')).toMatch(/something (else answers|answers \d+)/);
  });

  it('names a wrong Slack token', async () => {
    const { code, about } = await commandSays({ SLACK_BOT_TOKEN: 'xoxb-wrong-one' });
    expect(code).toBe(1);
    expect(about('Slack token')).toBe(
      '✗ Slack token: Slack refused it (invalid_auth). Copy SLACK_BOT_TOKEN from the app again.',
    );
    expect(about('Scopes, channels and policies')).toBe(
      '– Scopes, channels and policies: not checked without the token.',
    );
  });

  it('says that it could not reach Slack', async () => {
    const { about } = await found({ SLACK_API_URL: `http://127.0.0.1:${await freePort()}/api/` });
    expect(about('Slack token')).toContain("couldn't reach Slack");
    expect(about('Clock of Slack')).toContain('!');
  });

  it('names a crew that refuses the token, and one that does not answer', async () => {
    const one = { CREW_NAME: 'editorial', CREW_BASE_URL: world.crews.baseUrlOf('editorial'), CREWS_FILE: '' };
    const refused = await found({ ...one, CREW_TOKEN: 'not-the-token' });
    expect(refused.about('Crew editorial')).toContain('✗ Crew editorial: refuses our token.');
    const away = await found({ ...one, CREW_TOKEN, CREW_BASE_URL: `http://127.0.0.1:${await freePort()}` });
    expect(away.about('Crew editorial')).toContain("couldn't reach it");
  });

  it.each([
    ['nowhere', "the bot can't see a channel called nowhere"],
    ['C0MISSING9', "doesn't exist, or is private and the bot isn't in it"],
    ['C0RANDOM05', "the bot isn't in C0RANDOM05. Type /invite @signoff"],
    ['C0LAUNCH07', 'is archived'],
  ])('says what is wrong with the channel %s', async (channel, sentence) => {
    const crew = { CREW_NAME: 'editorial', CREW_BASE_URL: world.crews.baseUrlOf('editorial'), CREW_TOKEN };
    const { about } = await found({ ...crew, CREWS_FILE: '', CREW_CHANNEL: channel, AUDIT_CHANNEL: channel });
    for (const each of [about('Channel of editorial'), about('Audit channel')]) {
      expect(each).toMatch(/^✗ /);
      expect(each).toContain(sentence);
    }
  });

  it('names every bad setting, and then checks nothing else', async () => {
    const { code, lines } = await commandSays({ APP_SECRET: 'short', PORT: 'x' });
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(/^✗ Settings: PORT /),
      expect.stringMatching(/^✗ Settings: APP_SECRET .*32/),
      'Fix these first; then run this again to check the rest.',
      '2 wrong (✗).',
    ]);
  });

  it('mentions a secret that is being changed', async () => {
    const old = 'the-secret-of-the-year-before-this-one';
    expect((await found({ APP_SECRET: `${TEST_SECRET},${old}` })).about('Credentials')).toContain('is being changed');
  });

  it.each(['a'.repeat(40), '0123456789'.repeat(4), 'changeme-'.repeat(5), 'abcdefghijklmnopqrstuvwxyz-0123456789'])(
    'recognises a guessable secret: %s',
    (secret) => {
      expect(checkSecrets([secret]).found).toBe("APP_SECRET doesn't look random.");
    },
  );

  it('accepts what the advised command generates as random', () => {
    for (let n = 0; n < 1000; n += 1) expect(checkSecrets([randomBytes(32).toString('hex')]).mark).toBe('fine');
    for (let n = 0; n < 1000; n += 1) expect(checkSecrets([randomBytes(16).toString('hex')]).mark).toBe('fine');
  });

  it('never prints a secret', () => {
    const said = seen.flatMap(({ lines }) => lines).join('\n');
    const { botToken, signingSecret } = world.slack;
    for (const secret of [botToken, signingSecret, CREW_TOKEN, TEST_SECRET, 'xoxb-wrong-one', 'not-the-token', 'short'])
      expect(said).not.toContain(secret);
    expect(seen.length).toBeGreaterThan(10);
  });
});

describe('the doctor in Socket Mode', () => {
  it('tries the app-level token', async () => {
    const world = await startWorld({ slackMode: 'socket' });
    try {
      const right = await diagnose(world.env(await freePort()));
      expect(right.about('Slack app token')).toBe(
        '✓ Slack app token: can open Socket Mode connections. Not checked: whether it belongs to the same app as SLACK_BOT_TOKEN.',
      );
      const wrong = await diagnose({ ...world.env(await freePort()), SLACK_APP_TOKEN: 'xapp-wrong' });
      expect(wrong.about('Slack app token')).toContain('Slack refused it (invalid_auth)');
      expect(world.slack.sockets.connections()).toBe(0);
    } finally {
      await world.stop();
    }
  });
});

describe('the doctor and an app that was installed with too few scopes', () => {
  it('names the scopes that are missing', async () => {
    const world = await startWorld();
    const slack = await startSlackWorkspace({ app: { scopes: ['commands', 'chat:write', 'channels:read'] } });
    try {
      const env = { ...world.env(await freePort()), SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: slack.botToken };
      const { about } = await diagnose(env);
      expect(about('Slack scopes')).toBe(
        '✗ Slack scopes: missing: files:write, users:read, groups:read, metadata.message:read (deleted cards stay away, and a message may appear twice if Slack did not confirm it). Add them under OAuth & Permissions (manifest.yml lists them all) and reinstall the app.',
      );
    } finally {
      await slack.close();
      await world.stop();
    }
  });
});

it('sums up what it found, and whether it could check everything', () => {
  const [good, open] = [fine('One', 'works.'), unchecked('Two', 'not checked.')];
  expect(summary([good])).toBe('Everything is fine.');
  expect(summary([good, open])).toBe('Everything that was checked is fine (–: not checked).');
  expect(summary([good, open, wrong('Three', 'fails.', null)])).toBe('1 wrong (✗).');
});
