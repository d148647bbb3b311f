import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRange, readCommits } from '../../../../src/sandbox/crew-service/crews/git-history.ts';
import { type GitRepository, longHistory, makeRepository } from './git-repository.ts';

const { signal } = new AbortController();
const ODD_MESSAGE = 'Odd\u001e\u001f\u001d message\n\n\u001edeadbeef\u001f';
let repository: GitRepository;

beforeAll(async () => {
  repository = await makeRepository(longHistory());
});

afterAll(() => repository.remove());

const read = async (since: string) => readCommits(await findRange(repository.folder, since, signal), signal);

describe('the history of a repository', () => {
  it('is read since a tag, a commit or a date, newest first', async () => {
    const commits = await read('v1.0');
    expect(commits).toHaveLength(319);
    expect(commits[0]).toMatchObject({
      hash: expect.stringMatching(/^[0-9a-f]{40}$/),
      author: 'Emi Sato',
      at: '2026-03-22T18:00:00+00:00',
      subject: 'fix: stop <!channel> **pings** from `output`',
      files: ['src/web/page.ts'],
    });
    expect(commits.some(({ subject }) => subject.startsWith('Merge'))).toBe(false);
    expect(await read(commits[9]?.hash ?? '')).toHaveLength(9);
    expect(await read((commits[9]?.hash ?? '').slice(0, 8))).toHaveLength(9);
    expect(await read('2026-03-22')).toHaveLength(3);
    expect(await read('2026-03-22T12:00:00Z')).toHaveLength(1);
    expect((await read('1000 weeks ago')).length).toBe(323);
    expect((await findRange(join(repository.folder, '.git', '..'), 'v1.0', signal)).folder).toBe(repository.folder);
  });

  it('stays the same while the branch moves on', async () => {
    const moving = await makeRepository(longHistory().slice(0, 10));
    const range = await findRange(moving.folder, 'v1.0', signal);
    const ana = '-c user.name=Ana -c user.email=ana@example.org'.split(' ');
    await moving.git(...ana, ...'commit --quiet --allow-empty -m Later'.split(' '));
    expect(await readCommits(range, signal)).toHaveLength(6);
    expect(await readCommits(await findRange(moving.folder, 'v1.0', signal), signal)).toHaveLength(7);
    await moving.remove();
  });

  it('refuses as a starting point what is neither a tag nor a commit', async () => {
    const options = [
      '--output=/tmp/owned',
      '--all',
      '-n1',
      'HEAD; touch /tmp/owned',
      '$(touch /tmp/owned)',
      'v1.0\n--all',
    ];
    for (const since of [...options, 'next week', '', 'nothing', 'v9.9', '2026-99-99', 'a'.repeat(300)])
      await expect(findRange(repository.folder, since, signal)).rejects.toThrow(
        'is neither a tag nor a commit of this repository',
      );
  });

  it.each([
    ['--upload-pack=touch /tmp/owned', 'must be an absolute path'],
    ['relative/path', 'must be an absolute path'],
    ['/nowhere/at/all', 'There is no folder'],
    ['/etc/hostname', 'There is no folder'],
    ['/', "can't be read as a git repository"],
    ['https://example.org/repository.git', 'must be an absolute path'],
  ])('refuses %s as a repository: %s', async (path, reason) => {
    await expect(findRange(path, 'v1.0', signal)).rejects.toThrow(reason);
  });

  it('says that a repository has no commits yet', async () => {
    const empty = await makeRepository([]);
    await expect(findRange(empty.folder, 'v1.0', signal)).rejects.toThrow('has no commits yet');
    await empty.remove();
  });

  it('runs nothing that the configuration of the repository names', async () => {
    const hostile = await makeRepository(longHistory().slice(0, 10));
    const program = join(hostile.folder, 'program.sh');
    const proof = join(hostile.folder, 'proof');
    await writeFile(program, `#!/bin/sh\ntouch ${proof}\n`, { mode: 0o755 });
    for (const name of ['core.fsmonitor', 'core.pager', 'gpg.program', 'diff.external', 'core.sshCommand'])
      await hostile.git('config', name, program);
    await hostile.git('config', 'log.showSignature', 'true');
    expect(await readCommits(await findRange(hostile.folder, 'v1.0', signal), signal)).toHaveLength(6);
    await expect(writeFile(proof, '', { flag: 'wx' })).resolves.toBeUndefined();
    await hostile.remove();
  });

  it('is not confused by separators in a message', async () => {
    const strange = await makeRepository([
      { author: 'Ana', at: '2026-01-01T00:00:00Z', message: 'First', file: 'a', tag: 'v1.0' },
      { author: 'Ana', at: '2026-01-02T00:00:00Z', message: ODD_MESSAGE, file: 'tëst dir/a "b".ts' },
    ]);
    const commits = await readCommits(await findRange(strange.folder, 'v1.0', signal), signal);
    expect(commits).toHaveLength(1);
    expect(commits[0]?.author).toBe('Ana');
    await strange.remove();
  });

  it('stops when the service stops', () =>
    expect(findRange(repository.folder, 'v1.0', AbortSignal.abort(new Error('stopping')))).rejects.toThrow());
});
