import type { BlockAction, BlockElementAction, SlackShortcut, ViewOutput } from '@slack/bolt';
import { z } from 'zod';
import type { MessageContent } from '../ui/message-text/message-content.ts';

/** A message as people see it: in a channel, and in a thread unless it began one. */
interface MessagePlace {
  channel: string;
  ts: string;
  threadTs: string | null;
}

/** A button or select that a person used in a message, a modal or the Home tab, or a shortcut, which is answered likewise. */
export interface Click {
  /** A button's value or a select's chosen option; empty for a shortcut. */
  value: string;
  /** Opens one modal within three seconds. */
  triggerId: string;
  /** The message that was clicked; null for a modal or Home. */
  message: MessagePlace | null;
  /** The modal that was clicked. */
  view: ViewOutput | null;
  /** The Home tab that was clicked. */
  home: ViewOutput | null;
}

/** https://docs.slack.dev/reference/interaction-payloads/block_actions-payload */
export function clickOf({ actions: [action], ...body }: BlockAction): Click {
  const { trigger_id: triggerId, channel, message, container, view = null } = body;
  const channelId = channel?.id ?? container?.channel_id;
  const ts = message?.ts ?? container?.message_ts;
  const threadTs = message?.thread_ts ?? container?.thread_ts ?? null;
  const isHome = view?.type === 'home';
  return {
    value: chosenValue(action),
    triggerId,
    message: channelId && ts ? { channel: channelId, ts, threadTs } : null,
    view: isHome ? null : view,
    home: isHome ? view : null,
  };
}

function chosenValue(action: BlockElementAction | undefined): string {
  if (!action) return '';
  if ('value' in action) return action.value ?? '';
  return 'selected_option' in action ? (action.selected_option?.value ?? '') : '';
}

/** https://docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload */
export function shortcutClick(shortcut: SlackShortcut): Click {
  return { value: '', triggerId: shortcut.trigger_id, message: placeOf(shortcut), view: null, home: null };
}

function placeOf(shortcut: SlackShortcut): MessagePlace | null {
  if (shortcut.type === 'shortcut') return null;
  const { channel, message } = shortcut;
  return channel && message ? { channel: channel.id, ts: message.ts, threadTs: message.thread_ts ?? null } : null;
}

const contentSchema = z.object({
  text: z.string().catch(''),
  blocks: z.array(z.unknown()).catch([]),
  attachments: z.array(z.object({ text: z.string().catch(''), fallback: z.string().catch('') })).catch([]),
});

/** What the message says that a shortcut was used on; null for a shortcut that is used anywhere. */
export function contentOf(shortcut: SlackShortcut): MessageContent | null {
  return shortcut.type === 'message_action' && shortcut.message ? contentSchema.parse(shortcut.message) : null;
}
