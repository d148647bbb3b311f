import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findRange, readCommits } from '../../../src/sandbox/crew-service/crews/git-history.ts';
import { changeOf, writeNotes } from '../../../src/sandbox/crew-service/crews/notes.ts';
import { readDemoSettings } from '../../../src/sandbox/demo/command-line.ts';
import { demoCrewsFile } from '../../../src/sandbox/demo/crews-file.ts';
import { ensureSampleProject } from '../../../src/sandbox/demo/sample-project.ts';
import { demoApp } from '../../../src/sandbox/demo/workspace.ts';
import { CHECKOUT } from '../../../src/setup/commands.mjs';

it('The demo installs the app as its manifest says, with what is not optional or what its crews need', async () => {
  const { commands, shortcuts, events, homeTab, scopes } = await demoApp();
  expect(commands).toMatchObject([{ command: '/kickoff', usageHint: expect.stringContaining('status') }]);
  expect(shortcuts.map(({ name }) => name)).toContain('Start a crew');
  expect(events).toContain('app_home_opened');
  expect(homeTab).toBe(true);
  expect(scopes).toEqual(expect.arrayContaining(['users:read', 'usergroups:read']));
  expect(scopes).not.toContain('chat:write.public');
});

describe('the options of the demo', () => {
  it('are its folder and its ports where nothing is said, and move everything elsewhere', () => {
    const ports = (page: number) => ({ page, crews: page + 100, bot: page + 200 });
    expect(readDemoSettings([])).toEqual({ folder: join(CHECKOUT, '.demo'), isVerbose: false, ports: ports(4000) });
    const settings = readDemoSettings(['--port', '5000', '--folder', '/tmp/other', '--verbose']);
    expect(settings).toEqual({ folder: '/tmp/other', isVerbose: true, ports: ports(5000) });
  });

  it.each([
    ['--port', 'many'],
    ['--port', '65500'],
    ['--port', '0'],
    ['--folders', 'x'],
  ])('are refused where they make no sense: %s %s', (...args) => {
    expect(() => readDemoSettings(args)).toThrow(/--port is a number|Unknown option '--folders'/);
  });
});

describe('the sample project', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signoff-sample-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is a repository with a history of its own, made once', async () => {
    const sample = await ensureSampleProject(folder);
    expect(sample).toEqual({ repository: join(folder, 'cardwall'), since: 'v2.3' });
    const { repository, since } = sample ?? { repository: '', since: '' };
    const { signal } = new AbortController();
    const commits = await readCommits(await findRange(repository, since, signal), signal);
    expect(commits).toHaveLength(20);
    expect(await ensureSampleProject(folder)).toEqual(sample);
    expect(await readCommits(await findRange(repository, since, signal), signal)).toEqual(commits);
  });

  it('gives notes whose first lines say what matters', async () => {
    const { signal } = new AbortController();
    const commits = await readCommits(await findRange(join(folder, 'cardwall'), 'v2.3', signal), signal);
    const notes = writeNotes(commits.map(changeOf), { project: 'cardwall', since: 'v2.3' }, []);
    expect(notes.split('\n').filter(Boolean).slice(0, 5)).toEqual([
      '# Release notes: cardwall',
      '**20 changes** since `v2.3` (5 to 28 Oct 2026): 1 breaking, 4 new, 5 fixed, 1 faster, 9 under the hood.',
      '## Breaking',
      '- **Scripts:** Access tokens expire after a year. Make a new token for each script by 31 January; older ones stop working then.',
      '## What’s new',
    ]);
    expect(notes).toMatch(/\n\nThanks to Ana López, Ben Okafor, Chloé Martin, Emi Sato and Noor Haddad\.$/);
  });

  it('stands in the fields of the form, which are empty where there is none', () => {
    const defaults = (sample: Parameters<typeof demoCrewsFile>[0]['sample']) => {
      const [crew] = parse(demoCrewsFile({ baseUrlOf: (name) => `http://x/${name}`, sample, log: '/x.log' })).crews;
      return [crew.inputs.repository.default, crew.inputs.since.default];
    };
    expect(defaults({ repository: '/sample', since: 'v2.3' })).toEqual(['/sample', 'v2.3']);
    expect(defaults(null)).toEqual([undefined, undefined]);
  });
});
