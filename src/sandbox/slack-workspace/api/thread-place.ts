import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { findMessage, isReply, rootTsOf } from '../state/messages.ts';
import type { StoredChannel } from '../state/workspace-state.ts';
import { flagArg, textArg } from './arguments.ts';
import type { Remarks } from './method.ts';

const DOCS = 'https://docs.slack.dev/messaging#threading';

/**
 * Where a reply ends up. Slack silently posts replies to a deleted message in the channel
 * (https://github.com/slack-go/slack/issues/1571), and replies to another reply in both the thread and the channel
 * (https://github.com/slackapi/python-slack-sdk/issues/1116).
 */
export function threadPlace(
  workspace: Workspace,
  channel: StoredChannel,
  args: JsonObject,
  remarks: Remarks,
): { threadTs?: string; broadcast?: boolean } {
  const threadTs = textArg(args, 'thread_ts');
  if (!threadTs) return {};
  const parent = findMessage(workspace.state, channel.id, threadTs);
  if (!parent || parent.onlyFor !== undefined) {
    remarks.rule({
      code: 'thread_gone',
      detail: 'No message has this thread_ts, so the reply appears in the channel.',
      documentation: DOCS,
    });
    return {};
  }
  if (isReply(parent))
    remarks.rule({
      code: 'thread_ts_of_reply',
      detail: 'thread_ts belongs to a reply, so the message appears in the channel too.',
      documentation: DOCS,
    });
  return { threadTs: rootTsOf(parent), broadcast: flagArg(args, 'reply_broadcast') || isReply(parent) };
}
