import { z } from 'zod';
import type { Actor } from './actor.ts';
import { actorOf, userSchema } from './actor.ts';
import { parseRequest } from './parse-request.ts';
import type { OpenView } from './submission.ts';
import { openView, viewSchema } from './submission.ts';

/** A button or select that a person used in a message, a modal or the Home tab. */
export interface Click {
  actionId: string;
  /** A button's value or a select's chosen option. */
  value: string;
  /** A button that only opens an address needs no answer. */
  isLink: boolean;
  actor: Actor;
  triggerId: string;
  /** The message that was clicked; null for a modal or Home. */
  message: { channel: string; ts: string; threadTs: string | null } | null;
  /** The modal that was clicked. */
  view: OpenView | null;
  /** The Home tab that was clicked. */
  home: OpenView | null;
}

const actionSchema = z.object({
  action_id: z.string().min(1),
  value: z.string().optional(),
  url: z.string().optional(),
  selected_option: z.object({ value: z.string() }).nullish(),
});

/** https://docs.slack.dev/reference/interaction-payloads/block_actions-payload */
const clickSchema = z.object({
  user: userSchema,
  trigger_id: z.string().default(''),
  actions: z.array(actionSchema).min(1),
  channel: z.object({ id: z.string() }).optional(),
  message: z.object({ ts: z.string(), thread_ts: z.string().optional() }).nullish(),
  container: z
    .object({ channel_id: z.string().optional(), message_ts: z.string().optional(), thread_ts: z.string().optional() })
    .nullish(),
  view: viewSchema.nullish(),
});

/** @throws {UnreadableRequest} if the body isn't a click */
export function readClick(body: unknown): Click {
  const { user, trigger_id, actions, channel, message, container, view } = parseRequest(clickSchema, body);
  const [action] = actions;
  const isHome = view?.type === 'home';
  const channelId = channel?.id ?? container?.channel_id;
  const ts = message?.ts ?? container?.message_ts;
  const threadTs = message?.thread_ts ?? container?.thread_ts ?? null;
  return {
    actionId: action?.action_id ?? '',
    value: action?.value ?? action?.selected_option?.value ?? '',
    isLink: action?.url !== undefined,
    actor: actorOf(user),
    triggerId: trigger_id,
    message: channelId && ts ? { channel: channelId, ts, threadTs } : null,
    view: view && !isHome ? openView(view) : null,
    home: view && isHome ? openView(view) : null,
  };
}
