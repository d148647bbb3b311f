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
    const drop = commit('feat!: drop the lid', {
      at: '2026-03-03T00:00:00Z',
      body: 'It leaked.\n\nBREAKING CHANGE: Hold it\nby the handle.\n\nSigned-off-by: Ana',
    });
    const other = commit('Turn the handle', { files: [] });
    expect(notes([boil, whistle, drop, other])).toBe(
      [
        '# Release notes: kettle\n',
        '**4 changes** since `v1.0` (1 to 3 Mar 2026): 1 breaking, 1 new, 1 fixed, 1 other.\n',
        '## Breaking\n- Drop the lid. Hold it by the handle.\n',
        '## What’s new\n- **Stove:** Boil faster\n',
        '## Fixed\n- Whistle\n',
        '## Other changes\n- Turn the handle\n',
        'Thanks to Ana and Ben.',
      ].join('\n'),
    );
    expect(notes([boil, drop], 'shorter')).toMatch(/## Breaking\n- Drop the lid\n\n## What’s new\n- Boil faster$/);
    expect(notes([boil], 'longer')).toMatch(/- \*\*Stove:\*\* Boil faster \(`1111111`, Ana\)\. It has two flames\.$/);
    expect(notes([boil, whistle], 'group by author')).toMatch(/## Ana\n.+\n\n## Ben\n- Whistle$/);
    expect(notes([boil, whistle], 'leave out fixes. Title: News')).toMatch(/^# News\n\n\*\*1 change\*\*/);
    expect(notes([])).toBe('# Release notes: kettle\n\nNo changes since `v1.0`.');
  });

  it('name nobody where one person made all of it', () => {
    expect(notes([commit('feat: boil'), commit('fix: drip')])).not.toContain('Ana');
  });

  it('say little of what is under the hood, which few readers look for', () => {
    const hidden = ['docs: a', 'test: b', 'chore: c', 'refactor: d', 'ci: e', 'build: f'].map((text) => commit(text));
    expect(notes(hidden)).toMatch(/## Under the hood\n(?:- [A-D]\n){4}- \*…and 2 more\*$/);
    expect(notes([...hidden, commit('feat: new')], 'leave out technical details')).not.toContain('Under the hood');
  });

  it('count what they do not name', () => {
    const many = Array.from({ length: 30 }, (_, index) => commit(`feat: number ${index}`));
    expect(notes(many)).toContain('- *…and 22 more*');
    expect(notes(many, 'Make it shorter')).toContain('- *…and 26 more*');
    expect(notes(many, 'all changes').match(/^- /gm)).toHaveLength(30);
  });

  it('know tests and documents without a type by their files', () => {
    const text = notes([commit('Turn it', { files: ['test/a.ts'] }), commit('Turn that', { files: ['docs/a.md'] })]);
    expect(text).toMatch(/: 2 under the hood\.\n\n## Under the hood\n/);
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
