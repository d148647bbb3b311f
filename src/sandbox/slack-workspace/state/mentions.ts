import { isObject, type Json, type JsonObject } from '../json.ts';
import type { StoredChannel, WorkspaceState } from './workspace-state.ts';

const MENTION = /<(?:@([UW][A-Z0-9]+)|!subteam\^(S[A-Z0-9]+)|!(channel|here|everyone))(?:\|[^>]*)?>/g;

const PLAIN_BROADCAST = /(?:^|[\s(])@(?:channel|here|everyone)\b/;

/**
 * People whom mentions, user groups and broadcasts in a message's text, mrkdwn objects, markdown blocks and rich text notify:
 * members of the channel, and nobody else (https://github.com/mozilla/experimenter/pull/14179). A broadcast notifies all of them but the
 * author. Where Slack's reference is silent, a test is to fail: a mention in a context block counts for nothing, and plain `@channel` counts
 * in mrkdwn objects that aren't `verbatim`, which Slack may parse.
 * https://docs.slack.dev/messaging/formatting-message-text
 * https://docs.slack.dev/reference/block-kit/composition-objects/text-object
 */
export function mentionedMembers(
  state: WorkspaceState,
  channel: StoredChannel,
  message: { userId: string; text: string; blocks: readonly Json[] },
): string[] {
  const ids = new Set<string>();
  const broadcast = () => {
    for (const id of channel.memberIds) ids.add(id);
  };
  const group = (id: string | undefined) => {
    const group = state.groups.find((one) => one.id === id && one.disabledAt === undefined);
    for (const memberId of group?.memberIds ?? []) ids.add(memberId);
  };
  const scan = (text: string) => {
    for (const [, user, subteam, range] of text.matchAll(MENTION)) {
      if (user) ids.add(user);
      else if (subteam) group(subteam);
      else if (range) broadcast();
    }
  };
  scan(message.text);
  const blocks = (message.blocks as Json[]).filter((block) => !isObject(block) || block.type !== 'context');
  eachParsed(blocks, (object) => {
    if (object.type === 'user' && typeof object.user_id === 'string') ids.add(object.user_id);
    if (object.type === 'usergroup' && typeof object.usergroup_id === 'string') group(object.usergroup_id);
    if (object.type === 'broadcast') broadcast();
    if ((object.type === 'mrkdwn' || object.type === 'markdown') && typeof object.text === 'string') scan(object.text);
    if (object.type === 'mrkdwn' && object.verbatim !== true && PLAIN_BROADCAST.test(String(object.text))) broadcast();
  });
  ids.delete(message.userId);
  const people = state.members.filter(
    ({ id, kind, isDeactivated }) => kind !== 'app' && isDeactivated !== true && channel.memberIds.includes(id),
  );
  return [...ids].filter((id) => people.some((member) => member.id === id));
}

function eachParsed(value: Json, visit: (object: JsonObject) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) eachParsed(item, visit);
  } else if (isObject(value)) {
    visit(value);
    for (const part of Object.values(value)) eachParsed(part, visit);
  }
}
