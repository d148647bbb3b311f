import { expect, it } from 'vitest';
import { describeWorkspace, HELP, readCommandLine } from '../../../src/sandbox/slack-workspace/command-line.ts';

const manifest = ['--manifest', 'manifest.json'];

it('the command keeps nothing, and does as the manifest says, unless told otherwise', () => {
  expect(readCommandLine(manifest)).toEqual({
    command: undefined,
    manifest: 'manifest.json',
    host: '127.0.0.1',
    port: 4300,
    folder: undefined,
    seed: undefined,
    workflows: undefined,
    rateLimits: 'real',
    admin: false,
    delivery: undefined,
  });
});

it('the command takes every option that its help names', () => {
  const more = ['--port', '0', '--host', 'tea.local', '--folder', '/tmp/tea', '--workflows', 'tea.yml', '--admin'];
  const least = ['--seed', 'people.yml', '--rate-limits', 'off'];
  const url = 'https://tea.example/slack';
  expect(readCommandLine([...manifest, ...more, ...least, '--socket'])).toEqual({
    command: undefined,
    manifest: 'manifest.json',
    host: 'tea.local',
    port: 0,
    folder: '/tmp/tea',
    seed: 'people.yml',
    rateLimits: 'off',
    workflows: 'tea.yml',
    admin: true,
    delivery: { mode: 'socket' },
  });
  expect(readCommandLine([...manifest, '--request-url', url])).toMatchObject({
    delivery: { mode: 'http', requestUrl: url },
  });
  for (const asked of ['--help', '-h'])
    for (const first of [[], ['run']]) expect(readCommandLine([...first, asked])).toBe('help');
  for (const first of [[], ['run']]) expect(readCommandLine([...first, '--version'])).toBe('version');
  const named = [...more, ...least, ...manifest, '--socket', '--request-url', '--help', '--version'];
  for (const option of named.filter((arg) => arg.startsWith('--'))) expect(HELP).toContain(option);
});

it('run takes everything after -- as the command, options too', () => {
  const command = ['npm', 'start', '--', '--port', '3000'];
  expect(readCommandLine(['run', ...manifest, '--socket', '--', ...command])).toMatchObject({ port: 4300, command });
  expect(HELP).toContain('slack-workspace run --manifest FILE [options] -- COMMAND');
});

it.each([
  [['run', ...manifest], 'run needs a command after --'],
  [['run', ...manifest, '--'], 'run needs a command after --'],
  [['run', ...manifest, 'npm', 'start'], 'run needs a command after --'],
  [[...manifest, '--rate-limits', 'none'], '--rate-limits is real or off, not "none"'],
  [[], '--manifest is missing'],
  [[...manifest, '--port', 'x'], '--port is a number'],
  [[...manifest, '--port', '70000'], '--port is a number'],
  [[...manifest, '--request-url', 'tea.example'], '--request-url begins with http'],
  [[...manifest, '--socket', '--request-url', 'http://tea'], 'exclude each other'],
  [['--nonsense'], 'nonsense'],
  [['stray'], 'stray'],
])('the command refuses %j', (args, reason) => {
  expect(() => readCommandLine(args)).toThrow(reason);
});

it('the command says where it delivers, how to point Bolt at it, and what it never sends', () => {
  const slack = {
    apiUrl: 'http://127.0.0.1:1/api/',
    pageUrl: 'http://127.0.0.1:1/',
    botToken: 'xoxb-1',
    appToken: 'xapp-1',
    signingSecret: 's3cret',
  };
  const said = describeWorkspace(
    {
      name: 'Tea',
      events: ['app_mention', 'star_added'],
      delivery: {
        mode: 'http',
        requestUrl: undefined,
        urls: { events: 'http://tea/e', interactivity: 'http://tea/i' },
      },
    },
    slack,
    { folder: '/tmp/tea', command: undefined },
  );
  expect(said).toContain('Events that it never sends: star_added.');
  expect(said).toContain('Delivers to     http://tea/e, http://tea/i\n');
  expect(said).toContain("signingSecret: 's3cret'");
  expect(said).toContain('Everything stays in /tmp/tea.');
  const silent = { name: 'Tea', events: [], delivery: { mode: 'http', requestUrl: undefined } } as const;
  expect(describeWorkspace({ ...silent, events: [] }, slack, { folder: undefined, command: ['npm', 'start'] })).toMatch(
    /nowhere: see --socket and --request-url[\s\S]*Runs npm start, and ends with it\.$/,
  );
});
