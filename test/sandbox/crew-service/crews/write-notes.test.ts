import { describe, expect, it } from 'vitest';
import type { Commit } from '../../../../src/sandbox/crew-service/crews/git-history.ts';
import { changeOf, writeNotes } from '../../../../src/sandbox/crew-service/crews/notes.ts';

const commit = (subject: string, rest: Partial<Commit> = {}): Commit => ({
  hash: '1'.repeat(40),
  author: 'Ana',
  at: '2026-03-01T12:00:00Z',
  subject,
  body: '',
  files: ['src/web/page.ts'],
  ...rest,
});

const facts = { project: 'kettle', since: 'v1.0' };
const notes = (commits: readonly Commit[], ...feedback: string[]) => writeNotes(commits.map(changeOf), facts, feedback);

describe('release notes without a model', () => {
  it('are a title, a line about the whole, and the changes by kind', () => {
    const boil = commit('feat(stove): boil faster', { body: 'It has\ntwo flames.\n\nSigned-off-by: Ana' });
    const whistle = commit('fix: whistle.', { hash: '2'.repeat(40), author: 'Ben', files: ['README'] });
    const drop = commit('feat!: drop the lid', { at: '2026-03-03T00:00:00Z' });
    const other = commit('Turn the handle', { files: [] });
    expect(notes([boil, whistle, drop, other])).toBe(
      [
        '# Release notes: kettle\n',
        '**4 changes** by **2 authors** since `v1.0` (2026-03-01 to 2026-03-03).\n',
        '## Breaking changes\n- **src/web:** Drop the lid (`1111111`, Ana)\n',
        '## Features\n- **stove:** Boil faster (`1111111`, Ana)\n',
        '## Fixes\n- Whistle (`2222222`, Ben)\n',
        '## Other changes\n- Turn the handle (`1111111`, Ana)',
      ].join('\n'),
    );
    expect(notes([boil], 'shorter')).toMatch(/- Boil faster$/);
    expect(notes([boil], 'longer')).toMatch(/\n {2}It has two flames\.$/);
    expect(notes([boil, whistle], 'group by author')).toMatch(/## Ana\n.+\n\n## Ben\n/);
    expect(notes([boil, whistle], 'leave out fixes. Title: News')).toMatch(/^# News\n\n\*\*1 change\*\*/);
    expect(notes([])).toBe('# Release notes: kettle\n\nNo changes since `v1.0`.');
  });

  it('count what they do not name', () => {
    const many = Array.from({ length: 30 }, (_, index) => commit(`feat: number ${index}`));
    expect(notes(many)).toContain('- *…and 22 more*');
    expect(notes(many, 'Make it shorter')).toContain('- *…and 26 more*');
    expect(notes(many, 'all changes').match(/^- /gm)).toHaveLength(30);
  });

  it('know tests and documents without a type by their files', () => {
    const text = notes([commit('Turn it', { files: ['test/a.ts'] }), commit('Turn that', { files: ['docs/a.md'] })]);
    expect(text).toMatch(/## Docs\n.*Turn that.*\n\n## Tests\n.*Turn it/);
  });

  it('let no text of a repository become Markdown of theirs', () => {
    const hostile = '# [Eve](http://x) <!channel> **bold** `code\n## News';
    const commits = [
      commit(hostile, { files: [`${hostile}.ts`] }),
      commit('fix: it', { author: hostile, body: hostile }),
    ];
    const written = (feedback: string) =>
      writeNotes(commits.map(changeOf), { ...facts, since: '`HEAD~3`\n# News' }, [feedback]).split('\n');
    for (const feedback of ['all changes', 'shorter', 'group by author', 'group by area']) {
      const lines = written(feedback);
      expect(lines[2]).toContain('since ` HEAD~3 # News`');
      expect(lines.filter((line) => /^(?:- )?#/.test(line))).toHaveLength(3);
      expect(lines.join('\n')).not.toMatch(/[[\]<>]|\*\*bold|`code/);
    }
  });
});
