// Where the rest of a text is that is longer than its pages: in a file in the thread, if Slack has taken it.

import type { Approval } from '../../core/state/approval.ts';
import { postOf } from '../../core/state/message.ts';
import { isMember } from '../api/channels.ts';
import { soon } from '../api/soon.ts';
import type { ListenerContext } from '../listening/context.ts';
import { READABLE_LENGTH } from '../ui/limits.ts';

/** A click waits for the answer. */
const WAIT_MS = 500;

/**
 * Why a text of a request isn't attached as a file, and what to do; null if it is, or needs no file. Throws `StoreUnavailable`.
 * @param text null if it is no longer stored
 */
export async function whyNotAttached(
  { store, client, identity, say: findSay }: Pick<ListenerContext, 'store' | 'client' | 'identity' | 'say'>,
  { ref, hash }: { ref: string; hash: string },
  text: string | null,
): Promise<string | null> {
  if (text === null || text.length <= READABLE_LENGTH) return null;
  const execution = (await store.load(ref))?.execution;
  if (!execution) return null;
  // The same text is attached once.
  const requests = execution.approvals.filter(({ output }) => output.hash === hash);
  const isAttached = ({ id }: Approval) => postOf(execution, { kind: 'file', approvalId: id })?.status === 'posted';
  if (requests.some(isAttached)) return null;
  const say = await findSay();
  if (identity.scopes.size > 0 && !identity.scopes.has('files:write')) return say('review.file-scope');
  return (await soon(WAIT_MS, isMember(client, execution.channel), null)) === false
    ? say('review.file-outside', { bot: identity.botName })
    : say('review.file-waits');
}
