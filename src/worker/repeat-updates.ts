import type { Logger } from 'pino';
import { recheckMessage } from '../core/messages/delivery.ts';
import type { ExecutionStore } from '../core/ports.ts';
import type { Millis } from '../core/time.ts';
import { change, storeOutcome } from './change.ts';
import type { RecentUpdates } from './recent-updates.ts';

interface RepeatPorts {
  store: ExecutionStore;
  updates: RecentUpdates;
  wake: (ref: string) => void;
  log: Logger;
}

/** Longer than a process takes from the state that an update shows to the end of its call. */
const UPDATE_MS = 15_000;

/**
 * Makes the messages that this process has updated due once more after another one has ended. That one may have been updating
 * them from an older state at the same time, and Slack may have carried out its update last, which nobody has stored.
 * Never rejects.
 * @param silentMs how long nothing has been heard of the one that ended
 */
export async function repeatUpdates({ store, updates, wake, log }: RepeatPorts, silentMs: Millis): Promise<void> {
  for (const { ref, message } of updates.since(silentMs + UPDATE_MS)) {
    try {
      const changed = await storeOutcome(() =>
        change(store, ref, (execution, now) => recheckMessage(execution, message, now)),
      );
      if (changed) wake(ref);
    } catch (error) {
      log.error({ ref, err: error }, "couldn't make a message due for an update");
    }
  }
}
