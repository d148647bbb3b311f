import type { Block } from '../people-api.ts';
import type { StoredMessage } from '../state/workspace-state.ts';
import type { Workspace } from './workspace.ts';

/**
 * Marks a message after an edit with these blocks: “If `blocks` are used and a message is being updated, the `edited`
 * flag will not be displayed on the message (the flag will be displayed on the message if using `text`).”
 * https://docs.slack.dev/reference/methods/chat.update
 */
export function markEdited(workspace: Workspace, message: StoredMessage, blocks: readonly Block[] | undefined): void {
  if (message.onlyFor !== undefined || (blocks && blocks.length > 0)) delete message.editedTs;
  else message.editedTs = wholeSeconds(workspace.now());
}

/** As in https://docs.slack.dev/reference/events/message/message_changed, where `edited.ts` is no `ts` of a message. */
function wholeSeconds(ms: number): string {
  return `${Math.floor(ms / 1000)}.000000`;
}
