import { moveChannel } from '../core/state/execution.ts';
import { inParallel } from '../core/values/in-parallel.ts';
import { change } from '../worker/change.ts';
import type { Parts } from './parts.ts';
import { retryRefusedIn } from './retry-refused.ts';

const AT_ONCE = 8;

/**
 * Moves the runs of a channel to which Slack has given another id, and retries the posts that Slack had refused there.
 * @throws {StoreUnavailable} after which some runs may not have moved
 */
export async function moveRuns(
  parts: Pick<Parts, 'store' | 'channelMoves' | 'log'>,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const { store, channelMoves } = parts;
  await channelMoves.add(from, to);
  const [open, refused] = await Promise.all([store.openIn(from), store.refusedIn(from)]);
  const refs = new Set([...open.map(({ ref }) => ref), ...refused]);
  await inParallel(AT_ONCE, [...refs], async (ref) => {
    await change(store, ref, (execution) => moveChannel(execution, { from, to }));
  });
  await retryRefusedIn(parts, to);
}
