import type { Middleware, SlackEventMiddlewareArgs } from '@slack/bolt';
import type { ListenerContext } from '../interaction/listener-context.ts';

// What Slack tells of where we may post, and whether at all.

type EventListener<Type extends string> = Middleware<SlackEventMiddlewareArgs<Type>, ListenerContext>;

/** https://docs.slack.dev/reference/events/channel_unarchive, https://docs.slack.dev/reference/events/group_unarchive */
export const onUnarchived: EventListener<'channel_unarchive' | 'group_unarchive'> = async ({ context, event }) => {
  await context.retryIn(event.channel);
};

/** https://docs.slack.dev/reference/events/member_joined_channel */
export const onJoined: EventListener<'member_joined_channel'> = async ({ context, event }) => {
  if (event.user === context.identity.botUserId) await context.retryIn(event.channel);
};

/** https://docs.slack.dev/reference/events/tokens_revoked, https://docs.slack.dev/reference/events/app_uninstalled */
export const onRevoked: EventListener<'tokens_revoked' | 'app_uninstalled'> = async ({ context }) => {
  context.checkToken();
};
