import { expect, it } from 'vitest';
import { describeWorkspace, HELP, readCommandLine } from '../../../src/sandbox/slack-workspace/command-line.ts';

const manifest = ['--manifest', 'manifest.json'];

it('the command keeps nothing, and does as the manifest says, unless told otherwise', () => {
  expect(readCommandLine(manifest)).toEqual({
    manifest: 'manifest.json',
    port: 4300,
    folder: undefined,
    workflows: undefined,
    admin: false,
    delivery: undefined,
  });
});

it('the command takes every option that its help names', () => {
  const more = ['--port', '0', '--folder', '/tmp/tea', '--workflows', 'tea.yml', '--admin'];
  const url = 'https://tea.example/slack';
  expect(readCommandLine([...manifest, ...more, '--socket'])).toEqual({
    manifest: 'manifest.json',
    port: 0,
    folder: '/tmp/tea',
    workflows: 'tea.yml',
    admin: true,
    delivery: { mode: 'socket' },
  });
  expect(readCommandLine([...manifest, '--request-url', url])).toMatchObject({
    delivery: { mode: 'http', requestUrl: url },
  });
  for (const name of ['manifest', 'port', 'folder', 'workflows', 'admin', 'socket', 'request-url', 'help'])
    expect(HELP).toContain(`--${name}`);
  for (const asked of ['--help', '-h']) expect(readCommandLine([asked])).toBe('help');
});

it.each([
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
      events: ['app_mention', 'reaction_added'],
      delivery: {
        mode: 'http',
        requestUrl: undefined,
        urls: { events: 'http://tea/e', interactivity: 'http://tea/i' },
      },
    },
    slack,
    '/tmp/tea',
  );
  expect(said).toContain('Events that it never sends: reaction_added.');
  expect(said).toContain('Delivers to     http://tea/e, http://tea/i\n');
  expect(said).toContain("signingSecret: 's3cret'");
  expect(said).toContain('Everything stays in /tmp/tea.');
  const silent = { name: 'Tea', events: [], delivery: { mode: 'http', requestUrl: undefined } } as const;
  expect(describeWorkspace({ ...silent, events: [] }, slack, undefined)).toContain(
    'nowhere: see --socket and --request-url',
  );
});
