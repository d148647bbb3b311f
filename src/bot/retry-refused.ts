import { retryRefused } from '../core/messages/delivery.ts';
import { StoreUnavailable } from '../core/ports.ts';
import { inParallel } from '../core/values/in-parallel.ts';
import { change } from '../worker/change.ts';
import type { Parts } from './parts.ts';
import { untilDone } from './schedule.ts';

// Makes posts due again that Slack refused: in one channel once the bot has joined it, or it was unarchived or has got another id; in
// all at a start, once the bot token works again, or when the app has got another workspace.

const AT_ONCE = 8;

/**
 * Makes all posts due that Slack refused in a channel; null for all channels.
 * @throws {StoreUnavailable} after which some posts may have to wait
 */
export async function retryRefusedIn(
  { store, log }: Pick<Parts, 'store' | 'log'>,
  channel: string | null,
): Promise<void> {
  await inParallel(AT_ONCE, await store.refusedIn(channel), async (ref) => {
    try {
      await change(store, ref, retryRefused);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      log.error({ ref, err: error }, "couldn't post again what Slack hasn't taken");
    }
  });
}

/** Makes all refused posts due, as soon as the store answers. Never rejects. */
export function retryAllRefused(parts: Pick<Parts, 'store' | 'log'>, signal: AbortSignal): Promise<void> {
  const failed = "couldn't post what Slack hasn't taken yet; trying again";
  return untilDone(() => retryRefusedIn(parts, null), { signal, log: parts.log, failed });
}
