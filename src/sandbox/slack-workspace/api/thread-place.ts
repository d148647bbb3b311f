import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { findMessage, isReply, rootTsOf } from '../state/messages.ts';
import type { StoredChannel } from '../state/workspace-state.ts';
import { flagArg, textArg } from './arguments.ts';
import type { Note } from './method.ts';

const DOCS = 'https://docs.slack.dev/messaging#threading';

/**
 * Where a reply lands. Slack silently posts a reply to a message that is gone into the channel
 * (https://github.com/slack-go/slack/issues/1571), and one to another reply into the thread and the channel
 * (https://github.com/slackapi/python-slack-sdk/issues/1116).
 */
export function threadPlace(
  workspace: Workspace,
  channel: StoredChannel,
  args: JsonObject,
  note: Note,
): { threadTs?: string; broadcast?: boolean } {
  const threadTs = textArg(args, 'thread_ts');
  if (!threadTs) return {};
  const parent = findMessage(workspace.state, channel.id, threadTs);
  if (!parent || parent.onlyFor !== undefined) {
    note({
      code: 'thread_gone',
      detail: 'There is no message thread_ts: the reply stands in the channel.',
      documentation: DOCS,
    });
    return {};
  }
  if (isReply(parent))
    note({
      code: 'thread_ts_of_reply',
      detail: 'thread_ts is a reply’s: the message stands in the channel too.',
      documentation: DOCS,
    });
  return { threadTs: rootTsOf(parent), broadcast: flagArg(args, 'reply_broadcast') || isReply(parent) };
}
