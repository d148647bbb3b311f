import type { Execution } from '../../core/execution/execution.ts';
import { tsOf } from '../../core/messages/post.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';

interface Place {
  channel: string;
  ts: string;
  threadTs: string | null;
}

/** The run in progress in whose thread a message is, its root and cards included; null if there is none. Throws `StoreUnavailable`. */
export async function findThreadRun(
  { store }: Pick<ListenerContext, 'store'>,
  { channel, ts, threadTs }: Place,
): Promise<Execution | null> {
  const open = await store.openIn(channel);
  return open.find((run) => placesOf(run).some((each) => each === ts || each === threadTs)) ?? null;
}

/** A card whose thread was deleted stands in the channel, and begins a thread itself. */
function placesOf({ root, approvals }: Execution): (string | null)[] {
  const cards = approvals.flatMap(({ card, copies }) => [tsOf(card), ...copies.map((copy) => copy.ts)]);
  return [tsOf(root), ...cards].filter((ts) => ts !== null);
}
