import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git, type HistoryCommit, importHistory } from '../../../../src/sandbox/demo/sample-project.ts';

export interface GitRepository {
  readonly folder: string;
  git(...args: string[]): Promise<string>;
  remove(): Promise<void>;
}

/**
 * A real repository with these commits, oldest first.
 * @param name of its folder, which is what the release notes call the project
 */
export async function makeRepository(
  commits: readonly HistoryCommit[],
  { name = 'project' }: { name?: string } = {},
): Promise<GitRepository> {
  const around = await mkdtemp(join(tmpdir(), 'crew-repository-'));
  const folder = join(around, name);
  await mkdir(folder);
  await importHistory(folder, commits);
  return { folder, git: (...args) => git(folder, args), remove: () => rm(around, { recursive: true, force: true }) };
}

const AUTHORS = ['Ana López', 'Ben Okafor', 'Chloé Martin', 'Dmitri Ivanov', 'Emi Sato'];

const MESSAGES: readonly (readonly [message: string, file: string])[] = [
  ['feat(cli): add a --dry-run flag', 'src/cli/run.ts'],
  ['fix: keep the cursor where it was', 'src/editor/cursor.ts'],
  ['Add a page for settings', 'src/web/settings.ts'],
  ['Fix a crash when the file is empty.', 'src/reader/read.ts'],
  ['docs: explain the configuration', 'docs/configuration.md'],
  ['test: cover the parser', 'test/parser.test.ts'],
  ['chore(deps): bump undici from 7.1.0 to 7.2.0', 'package.json'],
  ['refactor: move parse_line() into its own file', 'src/reader/parse-line.ts'],
  ['perf(search): cache the index', 'src/search/index.ts'],
  ['Let people search by author', 'src/search/author.ts'],
];

/** 324 commits of five people: 320 after the tag v1.0, a feature that was reverted, a breaking change and a merge among them. */
export function longHistory(): HistoryCommit[] {
  const at = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 6 * 3_600_000).toISOString();
  const ordinary = Array.from({ length: 321 }, (_, index): HistoryCommit => {
    const [message = '', file = ''] = MESSAGES[index % MESSAGES.length] ?? [];
    const author = AUTHORS[Math.floor(index / 3) % AUTHORS.length] ?? '';
    // Each says something else, or they would count as one.
    const [subject, body = ''] = message.split('\n\n');
    return { author, at: at(index), message: `${subject?.replace(/\.$/, '')} in part ${index}${body}`, file };
  });
  const special: HistoryCommit[] = [
    {
      author: 'Ana López',
      at: at(321),
      message: 'feat!: drop Node.js 18\n\nBREAKING CHANGE: Node.js 20 is the oldest that works.',
      file: 'package.json',
    },
    { author: 'Ben Okafor', at: at(322), message: "Merge branch 'search'", file: 'src/search/index.ts', mergeOf: 3 },
    {
      author: 'Emi Sato',
      at: at(323),
      message: 'fix: stop <!channel> **pings** from `output`',
      file: 'src/web/page.ts',
    },
  ];
  return [...ordinary, ...special].map((commit, index) => (index === 3 ? { ...commit, tag: 'v1.0' } : commit));
}
