import { describe, expect, it } from 'vitest';
import { changesIn } from '../../../../src/sandbox/crew-service/crews/release-notes/changes.ts';
import type { Commit } from '../../../../src/sandbox/crew-service/crews/release-notes/git-history.ts';
import { readInstructions } from '../../../../src/sandbox/crew-service/crews/release-notes/notes-style.ts';
import { writeNotes } from '../../../../src/sandbox/crew-service/crews/release-notes/write-notes.ts';

let made = 0;

function commit(subject: string, rest: Partial<Commit> = {}): Commit {
  const hash = (++made).toString(16).padStart(40, 'a');
  return {
    hash,
    author: 'Ana',
    at: '2026-03-01T12:00:00Z',
    subject,
    body: '',
    isMerge: false,
    files: ['src/web/page.ts'],
    ...rest,
  };
}

const facts = { project: 'kettle', since: 'v1.0' };
const notes = (commits: readonly Commit[], ...feedback: string[]) =>
  writeNotes(changesIn(commits), facts, readInstructions(feedback).style);

describe('changes', () => {
  it.each([
    ['feat(cli): add a flag', 'features', 'cli', 'Add a flag'],
    ['fix: crash on start.', 'fixes', 'src/web', 'Crash on start'],
    ['feat!: drop the old format', 'breaking', 'src/web', 'Drop the old format'],
    ['CHORE: tidy', 'chores', 'src/web', 'Tidy'],
    ['Add a page', 'features', 'src/web', 'Add a page'],
    ['Fix the page', 'fixes', 'src/web', 'Fix the page'],
    ['Bump undici from 7.1 to 7.2', 'chores', 'src/web', 'Bump undici from 7.1 to 7.2'],
    ['Explain the settings', 'docs', 'src/web', 'Explain the settings'],
    ['Turn the kettle', 'changes', 'src/web', 'Turn the kettle'],
    ['constructor: this is no type', 'changes', 'src/web', 'Constructor: this is no type'],
    ['note: this is no type', 'changes', 'src/web', 'Note: this is no type'],
  ])('%s → %s', (subject, kind, area, text) => {
    expect(changesIn([commit(subject)])).toMatchObject([{ kind, area, text }]);
  });

  it.each([
    ['Use --dry-run with parse_line() in src/cli/run.ts', 'Use `--dry-run` with `parse_line()` in `src/cli/run.ts`'],
    ['Read README.md and run __init__', 'Read `README.md` and run `__init__`'],
    ['Support Node.js 24 on 1/2 of a well-known day', 'Support Node.js 24 on `1/2` of a well-known day'],
    ['Return a List<Item>', 'Return a `List<Item>`'],
    ['Keep `code` as it is in some_file.py', 'Keep `code` as it is in some_file.py'],
  ])('marks names from the code as code: %s', (subject, text) => {
    expect(changesIn([commit(subject)])[0]?.text).toBe(text);
  });

  it('leaves out a revert and what it reverts, and says the same thing once', () => {
    const wrong = commit('Add a trap');
    const revert = commit('Revert "Add a trap"', { body: `This reverts commit ${wrong.hash}.` });
    const texts = changesIn([
      revert,
      wrong,
      commit('Fix it'),
      commit('fix it'),
      commit('Fix it', { author: 'Ben' }),
    ]).map(({ text, author }) => `${author}: ${text}`);
    expect(texts).toEqual(['Ana: Fix it', 'Ben: Fix it']);
  });

  it('knows commits of tests, documents and lock files by their files', () => {
    const kinds = changesIn([
      commit('Turn it', { files: ['test/a.test.ts', 'test/b.ts'] }),
      commit('Turn that', { files: ['docs/a.md'] }),
      commit('Turn this', { files: ['package-lock.json', '.github/workflows/ci.yml'] }),
    ]).map(({ kind }) => kind);
    expect(kinds).toEqual(['tests', 'docs', 'chores']);
  });
});

describe('notes', () => {
  it('are a title, one line about the whole, and the changes by kind', () => {
    const first = commit('feat: boil faster', { hash: '1'.repeat(40), at: '2026-03-03T00:00:00Z' });
    const second = commit('fix: whistle', { hash: '2'.repeat(40), author: 'Ben', files: ['README'] });
    expect(notes([first, second])).toBe(
      [
        '# Release notes: kettle',
        '',
        '**2 changes** by **2 people** since `v1.0` (2026-03-01 to 2026-03-03).',
        '',
        '## New features',
        '- **src/web:** Boil faster (`1111111`, Ana)',
        '',
        '## Fixes',
        '- Whistle (`2222222`, Ben)',
      ].join('\n'),
    );
  });

  const some = [
    commit('feat: one'),
    commit('fix: two', { author: 'Ben' }),
    commit('chore: three'),
    commit('test: four', { author: 'Ben' }),
  ];

  it('leave out what they were told to', () => {
    const text = notes(some, 'leave out chores and tests');
    expect(text).toContain('One');
    expect(text).not.toMatch(/Three|Four|Housekeeping|Tests/);
  });

  it('are grouped by author or area, and then do not repeat it', () => {
    expect(notes(some, 'group by author')).toMatch(/## Ana\n- \*\*src\/web:\*\* One \(`\w{7}`\)/);
    expect(notes(some, 'group by area')).toMatch(/## src\/web\n- One \(`\w{7}`, Ana\)/);
  });

  it('count what they do not name', () => {
    const many = Array.from({ length: 30 }, (_, index) => commit(`feat: number ${index}`));
    expect(notes(many)).toContain('- *…and 20 more*');
    expect(notes(many, 'shorter')).toContain('- *…and 26 more*');
    expect(notes(many, 'longer')).not.toContain('more*');
    expect(notes(many, 'longer').match(/^- /gm)).toHaveLength(30);
  });

  it('mention what they were told to, with the commits that seem to be meant', () => {
    const text = notes(
      [commit('Add the new parser', { hash: '3'.repeat(40) })],
      'mention the new parser',
      'mention that we moved',
    );
    expect(text).toContain('## Highlights\n- **The new parser** (`3333333`)\n- **We moved**');
  });

  it('speak in the tone and with the headings that were asked for', () => {
    expect(notes(some, 'friendlier')).toMatch(/Hello everyone![\s\S]*thank you to Ana and Ben/);
    expect(notes(some, 'drier')).toContain('4 changes since `v1.0`.');
    expect(notes(some, 'translate headings into German')).toMatch(
      /# Versionshinweise: kettle[\s\S]*## Neue Funktionen/,
    );
    expect(notes(some, 'different title')).toContain("# What's new – kettle");
  });

  it('say that there is nothing to tell', () => {
    expect(notes([])).toBe('# Release notes: kettle\n\nNothing to tell since `v1.0`.');
  });

  it('let no name from the repository pose as Markdown of theirs', () => {
    const text = writeNotes(
      changesIn([commit('Fix it', { author: '# [Eve](http://x) **bold**\n## News' }), commit('Fix that')]),
      { ...facts, since: '`x`\n# y' },
      readInstructions([]).style,
    );
    expect(text).toContain('Eve (http://x) bold ## News)');
    expect(text.match(/^#/gm)).toHaveLength(2);
  });

  it.each([
    ['Say [more](http://evil) <!channel> **loudly**', 'Say more (http://evil) !channel loudly'],
    ['Mend a ` that is alone [x](y)', 'Mend a  that is alone x (y)'],
    ['Keep `code [x](y)` and some_name', 'Keep `code [x](y)` and some_name'],
    ['Nest [[x](y)](z)', 'Nest [x (y)(z)'],
    ['[x] Bump it', 'x Bump it'],
  ])('let no subject pose as Markdown of theirs: %s', (subject, text) => {
    expect(notes([commit(subject)])).toContain(`- **src/web:** ${text} (`);
  });

  it('name bots as they are called', () => {
    expect(notes([commit('Fix it', { author: 'dependabot[bot]' }), commit('Fix that')])).toContain(
      ', dependabot[bot])',
    );
  });
});
