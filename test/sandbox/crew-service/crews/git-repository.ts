import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type MadeCommit = {
  readonly author: string;
  /** ISO 8601 */
  readonly at: string;
  readonly message: string;
  readonly file: string;
  /** Names a tag at this commit. */
  readonly tag?: string;
  /** Makes it a merge with the commit so many before it. */
  readonly mergeOf?: number;
};

export interface GitRepository {
  readonly folder: string;
  git(...args: string[]): Promise<string>;
  remove(): Promise<void>;
}

/**
 * A real repository with these commits, oldest first, made at once with `git fast-import`.
 * @param name of its folder, which is what the release notes call the project
 */
export async function makeRepository(
  commits: readonly MadeCommit[],
  { name = 'project' }: { name?: string } = {},
): Promise<GitRepository> {
  const around = await mkdtemp(join(tmpdir(), 'crew-repository-'));
  const folder = join(around, name);
  await mkdir(folder);
  const git = (...args: string[]) => run(folder, args);
  await git('init', '--quiet', '--initial-branch=main');
  await run(folder, ['fast-import', '--quiet'], stream(commits));
  return { folder, git, remove: () => rm(around, { recursive: true, force: true }) };
}

/** https://git-scm.com/docs/git-fast-import#_input_format */
function stream(commits: readonly MadeCommit[]): string {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  return commits
    .map(({ author, at, message, file, tag, mergeOf }, index) => {
      const when = `${Math.floor(Date.parse(at) / 1000)} +0000`;
      const email = `${author.toLowerCase().replace(/[^a-z]+/g, '.')}@example.org`;
      return [
        `commit refs/heads/main\nmark :${index + 1}\n`,
        `author ${author} <${email}> ${when}\ncommitter ${author} <${email}> ${when}\n`,
        data(message),
        index > 0 ? `from :${index}\n` : '',
        mergeOf === undefined ? '' : `merge :${index - mergeOf}\n`,
        `M 100644 inline ${file}\n${data(`${index}`)}\n`,
        tag === undefined ? '' : `reset refs/tags/${tag}\nfrom :${index + 1}\n\n`,
      ].join('');
    })
    .join('');
}

async function run(folder: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn('git', args, { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
  const said: string[] = [];
  for (const output of [child.stdout, child.stderr])
    output.setEncoding('utf8').on('data', (text: string) => said.push(text));
  // git may end before it reads: what it says then is in its exit code.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${said.join('')}`);
  return said.join('');
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
export function longHistory(): MadeCommit[] {
  const at = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 6 * 3_600_000).toISOString();
  const ordinary = Array.from({ length: 321 }, (_, index): MadeCommit => {
    const [message = '', file = ''] = MESSAGES[index % MESSAGES.length] ?? [];
    const author = AUTHORS[Math.floor(index / 3) % AUTHORS.length] ?? '';
    // Each says something else, or they would count as one.
    const [subject, body = ''] = message.split('\n\n');
    return { author, at: at(index), message: `${subject?.replace(/\.$/, '')} in part ${index}${body}`, file };
  });
  const special: MadeCommit[] = [
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
