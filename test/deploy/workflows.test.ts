// What GitHub runs: pinned actions, few permissions, and a release that has notes.
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const CHECKOUT = resolve(fileURLToPath(new URL('../..', import.meta.url)));
const WORKFLOWS = resolve(CHECKOUT, '.github/workflows');

const WORKFLOW = z.object({
  permissions: z.record(z.string(), z.string()),
  concurrency: z.object({ group: z.string() }).loose(),
  jobs: z.record(
    z.string(),
    z.object({
      uses: z.string().optional(),
      'timeout-minutes': z.number().optional(),
      permissions: z.record(z.string(), z.string()).optional(),
      steps: z.array(z.object({ uses: z.string().optional() }).loose()).optional(),
    }),
  ),
});

const workflows = readdirSync(WORKFLOWS).map((file) => {
  const text = readFileSync(resolve(WORKFLOWS, file), 'utf8');
  return { file, text, ...WORKFLOW.parse(parse(text)) };
});

describe.each(workflows)('$file', ({ text, permissions, jobs }) => {
  it('uses actions at a full commit, with the version beside it', () => {
    const uses = [...text.matchAll(/uses: (.+)$/gm)].map(([, action = '']) => action);
    expect(uses.length).toBeGreaterThan(0);
    for (const action of uses) {
      if (action.startsWith('./')) continue;
      expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  it('may only read, but for the jobs that publish', () => {
    expect(permissions).toEqual({ contents: 'read' });
    const more = Object.entries(jobs).flatMap(([name, job]) => (job.permissions ? [[name, job.permissions]] : []));
    for (const [name] of more) expect(['image', 'packages', 'publish']).toContain(name);
  });

  it('ends jobs that hang', () => {
    for (const job of Object.values(jobs)) if (!job.uses) expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
  });
});

describe('a release publishes packages', () => {
  const read = (path: string) => JSON.parse(readFileSync(resolve(CHECKOUT, path), 'utf8'));
  const folders: string[] = read('package.json').workspaces;
  const published = folders.filter((folder) => read(`${folder}/package.json`).private !== true);
  const { notes, packages, publish } = parse(readFileSync(resolve(WORKFLOWS, 'release.yml'), 'utf8')).jobs;

  it('and these are all that the repository has, each after the tests', () => {
    expect(packages.strategy.matrix.package.map((name: string) => `src/sandbox/${name}`)).toEqual(published);
    expect(packages.steps.at(-1).run).toMatch(
      /^\.github\/publish-package\.sh "src\/sandbox\/\$\{\{ matrix\.package \}\}"$/,
    );
    expect(packages.needs).toBe('test');
    expect(publish.needs).toContain('packages');
  });

  it('with a token that proves which run has built them', () => {
    expect(packages.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  });

  it.each(published)(
    'from %s, which says where it comes from, that its provenance is public, and what has changed',
    (folder) => {
      const { name, version, homepage, bugs, repository, publishConfig, files } = read(`${folder}/package.json`);
      const { version: locked } = read('package-lock.json').packages[folder];
      const source = repository.url.replace(/^git\+|\.git$/g, '');
      expect(source).toMatch(/^https:\/\/github\.com\/[\w-]+\/[\w-]+$/);
      expect({ homepage, bugs, repository, publishConfig }).toEqual({
        homepage: `${source}/tree/main/${folder}#readme`,
        bugs: `${source}/issues`,
        repository: { type: 'git', url: `git+${source}.git`, directory: folder },
        publishConfig: { access: 'public', provenance: true },
      });
      expect(files).toContain('CHANGELOG.md');
      const changelog = readFileSync(resolve(CHECKOUT, folder, 'CHANGELOG.md'), 'utf8');
      expect(changelog).toContain(name);
      expect([/^## \[(\d.*?)\]/m.exec(changelog)?.[1], locked]).toEqual([version, version]);
    },
  );

  it('only where the packages name the repository that the release comes from', () => {
    const check = notes.steps.find(({ run }: { run?: string }) => run?.startsWith('jq -es')).run;
    const inRepository = (GITHUB_REPOSITORY: string) =>
      spawnSync('bash', ['-c', check], { cwd: CHECKOUT, env: { ...process.env, GITHUB_REPOSITORY } }).status;
    const [, own = ''] = /github\.com\/(.+)\.git$/.exec(read(`${published[0]}/package.json`).repository.url) ?? [];
    for (const folder of published) expect(check).toContain(`${folder}/package.json`);
    expect([inRepository(own), inRepository('somebody/fork')]).toEqual([0, 1]);
  });
});

describe('the notes of a release', () => {
  const script = resolve(CHECKOUT, '.github/release-notes.sh');

  it('are the section of its version in the changelog', () => {
    const { version } = JSON.parse(readFileSync(resolve(CHECKOUT, 'package.json'), 'utf8'));
    const sections = readFileSync(resolve(CHECKOUT, 'CHANGELOG.md'), 'utf8').split(/^## /m);
    const section = sections.find((each) => each.startsWith(`[${version}]`)) ?? '';
    const [, ...notes] = section.split('\n');
    expect(execFileSync(script, [version], { encoding: 'utf8' }).trim()).toBe(notes.join('\n').trim());
  });

  it.each(['0.2', '9.9.9'])('are missing for %s, which the changelog does not have', (version) => {
    const { status, stdout, stderr } = spawnSync(script, [version], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`CHANGELOG.md says nothing about version ${version}.`);
  });
});
