import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readDemoSettings } from '../../../src/sandbox/demo/command-line.ts';
import { demoCrewsFile } from '../../../src/sandbox/demo/crews-file.ts';
import { offeredHistory } from '../../../src/sandbox/demo/history.ts';
import { demoApp } from '../../../src/sandbox/demo/workspace.ts';
import { CHECKOUT } from '../../../src/setup/commands.mjs';
import { type GitRepository, longHistory, makeRepository } from '../crew-service/crews/git-repository.ts';
import { cardwallHistory } from './cardwall-history.ts';

it('installs the app as its manifest says, with what is not optional or what its crews need', async () => {
  const { commands, shortcuts, events, homeTab, scopes } = await demoApp();
  expect(commands).toMatchObject([{ command: '/kickoff', usageHint: expect.stringContaining('status') }]);
  expect(shortcuts.map(({ name }) => name)).toContain('Start a crew');
  expect(events).toEqual([
    'app_home_opened',
    'channel_unarchive',
    'group_unarchive',
    'member_joined_channel',
    'tokens_revoked',
    'app_uninstalled',
  ]);
  expect(homeTab).toBe(true);
  expect(scopes).toContain('users:read');
  expect(scopes).toContain('usergroups:read');
  expect(scopes).not.toContain('chat:write.public');
});

describe('the options of the demo', () => {
  it('are its folder and its ports where nothing is said', () => {
    const ports = { page: 4000, crews: 4100, bot: 4200 };
    expect(readDemoSettings([])).toEqual({ folder: join(CHECKOUT, '.demo'), ports });
  });

  it('move everything elsewhere', () => {
    const ports = { page: 5000, crews: 5100, bot: 5200 };
    expect(readDemoSettings(['--port', '5000', '--folder', '/tmp/other'])).toEqual({ folder: '/tmp/other', ports });
  });

  it.each([
    ['--port', 'many'],
    ['--port', '65500'],
    ['--port', '0'],
    ['--folders', 'x'],
  ])('are refused where they make no sense: %s %s', (...args) => {
    expect(() => readDemoSettings(args)).toThrow(/--port is a number|npm run demo --/);
  });
});

describe('the history that the form offers first', () => {
  let long: GitRepository;
  let short: GitRepository;
  beforeAll(async () => {
    [long, short] = await Promise.all([makeRepository(longHistory()), makeRepository(cardwallHistory())]);
  });
  afterAll(() => Promise.all([long.remove(), short.remove()]));

  it('begins on the day of its oldest commit, or of the 300th newest', async () => {
    expect(await offeredHistory(short.folder)).toEqual({ repository: short.folder, since: '2026-10-05' });
    expect(await offeredHistory(long.folder)).toEqual({ repository: long.folder, since: '2026-01-07' });
  });

  it('is none where there is no repository of its own, or no commit in it', async () => {
    const inside = join(short.folder, 'inside');
    await mkdir(inside);
    const empty = await makeRepository([]);
    expect(await offeredHistory(inside)).toBeNull();
    expect(await offeredHistory(empty.folder)).toBeNull();
    expect(await offeredHistory(join(empty.folder, '..'))).toBeNull();
    await empty.remove();
  });

  it('stands in the fields of the form, which are empty where there is none', () => {
    const defaults = (history: Awaited<ReturnType<typeof offeredHistory>>) => {
      const [crew] = parse(demoCrewsFile({ baseUrlOf: (name) => `http://x/${name}`, history, log: '/x.log' })).crews;
      return [crew.inputs.repository.default, crew.inputs.since.default];
    };
    expect(defaults({ repository: '/code', since: '2026-10-05' })).toEqual(['/code', '2026-10-05']);
    expect(defaults(null)).toEqual([undefined, undefined]);
  });
});
