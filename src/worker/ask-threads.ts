// Finds the place for the card of an ask in a program's thread: in the channel, or below the card of the first ask.
import { threadToFollow } from '../core/messages/due-messages.ts';
import type { AskThreadKey, AskThreads, ExecutionStore } from '../core/ports.ts';
import { askThreadOf, type Execution, placeInThread, requestOfAsk, type ThreadPlace } from '../core/state/execution.ts';
import { backoffMs, DAY_MS, type Millis } from '../core/values/time.ts';
import { change } from './change.ts';

export interface ThreadPorts {
  store: ExecutionStore;
  askThreads: AskThreads;
}

/** No ask waits for people longer. */
const MOST_WAIT_MS = 365 * DAY_MS;

/** The first card is mostly there within a second. */
const AGAIN = { firstMs: 250, mostMs: 30_000 };

/** Finds the place of an ask in its thread. Two processes may do so at the same time: both find the same. */
export async function findThread({ store, askThreads }: ThreadPorts, ref: string): Promise<void> {
  const loaded = await store.load(ref);
  const thread = loaded && askThreadOf(loaded.execution);
  if (!loaded || thread?.place.status !== 'sought') return;
  const { tries } = thread.place;
  const ts = await tsOfThread({ store, askThreads }, loaded.execution, {
    key: { crew: loaded.execution.crew, thread: thread.name },
    waitMs: waitMsOf(loaded),
  });
  await change(store, ref, (execution, now) =>
    askThreadOf(execution)?.place.status === 'sought' ? placeInThread(execution, placeAt(ts, tries, now)) : execution,
  );
}

function waitMsOf({ execution, now }: { execution: Execution; now: Millis }): Millis {
  const expireAt = requestOfAsk(execution)?.discussion.times.expireAt ?? null;
  return expireAt === null ? MOST_WAIT_MS : Math.max(0, expireAt - now);
}

/** Null for an ask that begins the thread. */
type ThreadTs = string | 'awaited' | null;

function placeAt(ts: ThreadTs, tries: number, now: Millis): ThreadPlace {
  if (ts === null) return { status: 'begins' };
  if (ts !== 'awaited') return { status: 'follows', ts };
  return { status: 'sought', tries: tries + 1, notBefore: now + backoffMs(tries, AGAIN) };
}

/** Skips asks that have joined and aren't stored: they may never be, if their process has died. @param refs oldest first */
async function oldestStored(store: ExecutionStore, refs: readonly string[]): Promise<string> {
  for (const ref of refs) if (await store.load(ref)) return ref;
  throw new RangeError('an ask that seeks its thread is no longer stored');
}

async function tsOfThread(
  { store, askThreads }: ThreadPorts,
  { ref, channel }: Execution,
  { key, waitMs }: { key: AskThreadKey; waitMs: Millis },
): Promise<ThreadTs> {
  const joined = await askThreads.join(key, { ref, channel, waitMs });
  // A thread has one channel: in another, each ask begins a thread of its own.
  if (joined.kind === 'other-channel') return null;
  let { first } = joined;
  first ??= await askThreads.begin(key, {
    instead: null,
    ref: await oldestStored(store, [...joined.earlier.toReversed(), ref]),
  });
  while (first !== ref) {
    // What Redis knew of the thread has just expired: the next try joins it anew.
    if (first === null) return 'awaited';
    const loaded = await store.load(first);
    const thread = loaded ? threadToFollow(loaded.execution) : ({ kind: 'none' } as const);
    if (thread.kind === 'posted') return thread.ts;
    if (thread.kind === 'awaited') return 'awaited';
    first = await askThreads.begin(key, { instead: first, ref });
  }
  return null;
}
