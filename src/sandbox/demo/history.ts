import { run } from '../../setup/commands.mjs';

/** Defaults for the release-notes form: a repository, and a start date with enough commits for useful notes. */
export type OfferedHistory = { readonly repository: string; readonly since: string };

const MAX_COMMITS = 300;

/**
 * The defaults for a folder; null unless it is the root of a repository with at least one commit (an unpacked archive
 * isn't). The date is that of the oldest of the newest commits, so that the range is never empty.
 */
export async function offeredHistory(folder: string): Promise<OfferedHistory | null> {
  const top = await run('git', ['-C', folder, 'rev-parse', '--show-prefix']);
  if (!top.ok || top.output.trim() !== '') return null;
  const { ok, output } = await run('git', ['-C', folder, 'log', `-${MAX_COMMITS}`, '--format=%ct', 'HEAD']);
  const committedAt = output.split('\n').filter(Boolean).map(Number);
  if (!ok || committedAt.length === 0) return null;
  return { repository: folder, since: new Date(Math.min(...committedAt) * 1000).toISOString().slice(0, 10) };
}
