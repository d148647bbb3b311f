import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { promisify } from 'node:util';

export type Commit = {
  readonly hash: string;
  readonly author: string;
  /** ISO 8601, as the author's clock said. */
  readonly at: string;
  readonly subject: string;
  readonly body: string;
  readonly files: readonly string[];
};

/** A part of a repository's history that stays the same while the branch moves on. */
type Range = {
  readonly folder: string;
  /** The last commit, by its hash. */
  readonly head: string;
  /** The commit before the first one, or the instant (ISO 8601) from which on commits count. */
  readonly from: { readonly commit: string } | { readonly at: string };
};

/** The repository or the starting point is not what it should be; the message says so to the person who typed it. */
class HistoryError extends Error {}

const RECORD = '\u001e';
const FIELD = '\u001f';
const END = '\u001d';
const FORMAT = `${['%H', '%an', '%aI', '%s', '%b'].join('%x1f')}%x1d`;

/**
 * Returns the meaning of `since` (a tag, a commit or a date) in this repository now. Rejects with `HistoryError`.
 * Both texts come from people in a channel: no shell sees them, and none can be taken for an option.
 */
export async function findRange(repository: string, since: string, signal: AbortSignal): Promise<Range> {
  const folder = await topOf(repository, signal);
  const head = await commitNamed(folder, 'HEAD', signal);
  if (head === undefined) throw new HistoryError(`"${repository}" has no commits yet.`);
  return { folder, head, from: await startOf(folder, since, signal) };
}

/** The commits of a range without its merges, newest first. */
export async function readCommits({ folder, head, from }: Range, signal: AbortSignal): Promise<Commit[]> {
  const range = 'commit' in from ? [`${from.commit}..${head}`] : [`--since=${from.at}`, head];
  const options = ['--no-show-signature', '--no-ext-diff', '--no-textconv', '--name-only', `--format=%x1e${FORMAT}`];
  const output = await git(folder, ['log', '--no-merges', ...options, ...range, '--'], signal);
  return output.split(RECORD).flatMap(commitIn);
}

async function topOf(repository: string, signal: AbortSignal): Promise<string> {
  if (!isAbsolute(repository) || repository.includes('\0')) {
    throw new HistoryError(`The repository must be an absolute path, not "${repository}".`);
  }
  const folder = await stat(repository).catch(() => undefined);
  if (!folder?.isDirectory()) throw new HistoryError(`There is no folder "${repository}" on this machine.`);
  try {
    return (await git(repository, ['rev-parse', '--show-toplevel'], signal)).trim();
  } catch (error) {
    throw new HistoryError(`"${repository}" can't be read as a git repository: ${reasonOf(error)}`, { cause: error });
  }
}

async function startOf(folder: string, since: string, signal: AbortSignal): Promise<Range['from']> {
  const usable = !since.startsWith('-') && !/[\0\r\n]/.test(since) && since.length <= 250;
  const commit = usable ? await commitNamed(folder, since, signal) : undefined;
  if (commit !== undefined) return { commit };
  const at = instantOf(since, Date.now());
  if (at !== undefined) return { at };
  const examples = 'a date such as 2026-03-31 or "2 weeks ago"';
  throw new HistoryError(`"${since}" is neither a tag nor a commit of this repository, nor ${examples}.`);
}

async function commitNamed(folder: string, name: string, signal: AbortSignal): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const hash = await git(folder, args, signal).catch(() => {
    signal.throwIfAborted();
    return '';
  });
  return /^[0-9a-f]{40,64}$/.test(hash.trim()) ? hash.trim() : undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const UNIT_DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30 };

/** git itself takes any text for a date (then it means now), so dates are read here. */
function instantOf(text: string, now: number): string | undefined {
  const [, count, unit = ''] = /^(\d{1,4}) (day|week|month)s? ago$/i.exec(text) ?? [];
  const days = Number(count) * (UNIT_DAYS[unit.toLowerCase()] ?? 0);
  if (count !== undefined) return new Date(now - days * DAY_MS).toISOString();
  const at = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** Messages may contain anything, our separators too: what doesn't begin like a commit is left out. */
function commitIn(record: string): Commit[] {
  const [head = '', names = ''] = record.split(END);
  const [hash = '', author = '', at = '', subject = '', body = ''] = head.split(FIELD);
  if (!/^[0-9a-f]{40,64}$/.test(hash)) return [];
  const files = names.split('\n').filter((name) => name !== '');
  return [{ hash, author, at, subject, body: body.trim(), files }];
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  return text.trim().split('\n')[0] ?? '';
}

const execute = promisify(execFile);

// A repository's own configuration can name programs to run (https://git-scm.com/docs/git-config) and servers to ask:
// none of them is needed to read history.
const HARMLESS = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'log.showSignature=false',
  'protocol.allow=never',
];
const SETTINGS = [...HARMLESS, 'core.quotePath=false'].flatMap((setting) => ['-c', setting]);

/** Resolves to the output of git. Rejects with its `stderr` where it fails. */
async function git(folder: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  const options = { cwd: folder, signal, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await execute('git', ['--no-pager', '--no-optional-locks', ...SETTINGS, ...args], options);
  return stdout;
}
