// A few weeks in the life of a made-up project, which the demo's release notes are about: five people, and a tag where
// the last release was.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { onPath } from '../../setup/commands.mjs';

export type SampleProject = { readonly repository: string; readonly since: string };

export type HistoryCommit = {
  readonly author: string;
  /** ISO 8601 */
  readonly at: string;
  readonly message: string;
  readonly file: string;
  readonly tag?: string;
  /** Makes it a merge with the commit so many before it. */
  readonly mergeOf?: number;
};

const NAME = 'cardwall';
const LAST_RELEASE = 'v2.3';

/** The sample as a git repository in this folder, made at the first start; null where git isn't installed. */
export async function ensureSampleProject(folder: string): Promise<SampleProject | null> {
  if (onPath('git') === undefined) return null;
  const repository = join(folder, NAME);
  if (!existsSync(repository)) {
    // Whole or not at all, should the demo be stopped meanwhile.
    const unfinished = join(folder, `.${NAME}`);
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished);
    await importHistory(unfinished, cardwallHistory());
    await rename(unfinished, repository);
  }
  return { repository, since: LAST_RELEASE };
}

const ANA = 'Ana López';
const BEN = 'Ben Okafor';
const CHLOE = 'Chloé Martin';
const EMI = 'Emi Sato';
const NOOR = 'Noor Haddad';

const COMMITS: readonly (readonly [day: string, author: string, file: string, message: string])[] = [
  ['2026-10-05', ANA, 'package.json', 'chore: begin version 2.4'],
  [
    '2026-10-05',
    BEN,
    'src/board/drag.ts',
    'feat(board): drag cards between columns, on phones too\n\nHold a card for half a second to pick it up.',
  ],
  ['2026-10-06', CHLOE, 'src/login/session.ts', 'fix(login): stay signed in when the server restarts'],
  ['2026-10-06', EMI, 'test/board/move.test.ts', 'test(board): cover two people who move the same card'],
  ['2026-10-07', NOOR, 'docs/hosting.md', 'docs: explain how to run a server of your own'],
  [
    '2026-10-08',
    BEN,
    'src/search/query.ts',
    'feat(search): find cards by label and by author\n\nType label: or by: in front of the word.',
  ],
  ['2026-10-09', ANA, 'package.json', 'chore(deps): update vite to 7.1.5'],
  ['2026-10-12', CHLOE, 'src/board/move.ts', 'fix(board): cards no longer jump back after a move'],
  ['2026-10-12', EMI, 'test/search/labels.test.ts', 'test(search): cover labels with spaces'],
  ['2026-10-13', NOOR, 'src/export/sheet.ts', 'feat(export): download a board as a spreadsheet'],
  ['2026-10-14', ANA, 'src/mail/weekly.ts', 'refactor(mail): give each kind of mail a file of its own'],
  ['2026-10-15', BEN, 'src/mail/weekly.ts', 'fix(mail): send the weekly summary once, not twice'],
  ['2026-10-16', ANA, '.github/workflows/test.yml', 'ci: run the browser tests on every push'],
  ['2026-10-19', EMI, 'src/search/index.ts', 'perf(search): answer within 40 ms on boards with 10,000 cards'],
  ['2026-10-20', NOOR, 'src/export/sheet.ts', 'fix(export): keep umlauts in file names'],
  ['2026-10-21', CHLOE, 'src/board/present.ts', 'feat(board): see who else is looking at a card'],
  ['2026-10-22', EMI, 'test/mail/zones.test.ts', 'test(mail): cover people in several time zones'],
  ['2026-10-23', ANA, 'package.json', 'chore(deps): update undici to 7.2.0'],
  [
    '2026-10-26',
    BEN,
    'src/scripts/tokens.ts',
    'feat(scripts)!: access tokens expire after a year\n\nBREAKING CHANGE: Make a new token for each script by 31 January; older ones stop working then.',
  ],
  ['2026-10-27', NOOR, 'docs/keys.md', 'docs: list the keys that move cards'],
  ['2026-10-28', CHLOE, 'src/login/password.ts', 'fix(login): a changed password signs out all other devices'],
];

function cardwallHistory(): HistoryCommit[] {
  return COMMITS.map(([day, author, file, message], index) => {
    const at = `${day}T${index % 2 === 0 ? '09' : '15'}:00:00Z`;
    return { author, at, message, file, ...(index === 0 && { tag: LAST_RELEASE }) };
  });
}

/** Makes a repository of these commits, oldest first, in an empty folder: all at once, so that it takes a moment. */
export async function importHistory(folder: string, commits: readonly HistoryCommit[]): Promise<void> {
  await git(folder, ['init', '--quiet', '--initial-branch=main']);
  await git(folder, ['fast-import', '--quiet'], importStream(commits));
}

/** https://git-scm.com/docs/git-fast-import#_input_format */
function importStream(commits: readonly HistoryCommit[]): string {
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

/** Resolves to the output of git. Rejects with its message where it fails. */
export async function git(folder: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn('git', args, { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
  const chunks: string[] = [];
  for (const output of [child.stdout, child.stderr])
    output.setEncoding('utf8').on('data', (text: string) => chunks.push(text));
  // git may end before it reads: what it says then is in its exit code.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${chunks.join('')}`);
  return chunks.join('');
}
