import { run } from '../../setup/commands.mjs';

/** A repository that the form can offer, and a day in its history whose commits are enough for notes worth reading. */
export type OfferedHistory = { readonly repository: string; readonly since: string };

const ENOUGH_COMMITS = 300;

/**
 * What a folder's history has to offer; null where it is no repository of its own with at least one commit, as an
 * unpacked archive is. The day is that of the oldest among the newest commits, so that it never yields none.
 */
export async function offeredHistory(folder: string): Promise<OfferedHistory | null> {
  const top = await run('git', ['-C', folder, 'rev-parse', '--show-prefix']);
  if (!top.ok || top.output.trim() !== '') return null;
  const { ok, output } = await run('git', ['-C', folder, 'log', `-${ENOUGH_COMMITS}`, '--format=%ct', 'HEAD']);
  const committedAt = output.split('\n').filter(Boolean).map(Number);
  if (!ok || committedAt.length === 0) return null;
  return { repository: folder, since: new Date(Math.min(...committedAt) * 1000).toISOString().slice(0, 10) };
}
