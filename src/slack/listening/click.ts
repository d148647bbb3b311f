import type { BlockAction, BlockElementAction, SlackShortcut, ViewOutput } from '@slack/bolt';
import { z } from 'zod';
import { soon } from '../api/soon.ts';
import { type MessageContent, mentionsIn, mrkdwnOf, readableText } from '../ui/message-text.ts';
import type { ListenerContext } from './context.ts';

/** A message as people see it: in a channel, and in a thread unless it began one. */
interface MessagePlace {
  channel: string;
  ts: string;
  threadTs: string | null;
  /** Takes answers without a token, for half an hour. */
  responseUrl: string | null;
}

/** A button or select that a person used in a message, a modal or the Home tab, or a shortcut, which is answered likewise. */
export interface Click {
  /** A button's value or a select's chosen option; empty for a shortcut. */
  value: string;
  /** Opens one modal within three seconds. */
  triggerId: string;
  /** The message that was clicked; null for a modal or Home. */
  message: MessagePlace | null;
  view: ViewOutput | null;
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
    message: channelId && ts ? { channel: channelId, ts, threadTs, responseUrl: body.response_url || null } : null,
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
  const { channel, message, response_url: responseUrl } = shortcut;
  if (!channel || !message) return null;
  return { channel: channel.id, ts: message.ts, threadTs: message.thread_ts ?? null, responseUrl: responseUrl || null };
}

const contentSchema = z.object({
  text: z.string().catch(''),
  blocks: z.array(z.unknown()).catch([]),
  attachments: z.array(z.unknown()).catch([]),
});

/** What the message says that a shortcut was used on; null for a shortcut that is used anywhere. */
export function contentOf(shortcut: SlackShortcut): MessageContent | null {
  return shortcut.type === 'message_action' && shortcut.message ? contentSchema.parse(shortcut.message) : null;
}

type Ports = Pick<ListenerContext, 'people' | 'directory' | 'client'>;

/** The rest of many mentions are shown by what Slack says in the text itself. */
const MOST_LOOKED_UP = 20;
/** A modal can be opened for three seconds only, and others look up more than this. */
const WAIT_MS = 1_000;

/** What a message says, as people would type it, with those whom it mentions by their names. Never throws. */
export async function findMessageText(ports: Ports, content: MessageContent): Promise<string> {
  const mrkdwn = mrkdwnOf(content);
  const named = mentionsIn(mrkdwn)
    .slice(0, MOST_LOOKED_UP)
    .map(async (mention) => {
      const name = nameOf(ports, mention).catch(() => null);
      return [mention.id, await soon(WAIT_MS, name, null)] as const;
    });
  const names = new Map(await Promise.all(named));
  return readableText(mrkdwn, (id) => names.get(id) ?? null);
}

/** Null, or the id, where Slack can't tell. */
async function nameOf(
  { people, directory, client }: Ports,
  { kind, id }: { kind: 'person' | 'channel' | 'group'; id: string },
): Promise<string | null> {
  switch (kind) {
    case 'person':
      return known(id, await people.nameOf({ id, name: id }));
    case 'group':
      return known(id, (await directory.approverNames([{ kind: 'group', name: id }]))(id));
    case 'channel': {
      const { channel } = await client.conversations.info({ channel: id });
      // To those who aren't in it, Slack doesn't show the name of a private channel.
      return channel?.is_private === false ? (channel.name ?? null) : null;
    }
  }
}

/** What isn't known may still stand beside the id, as a label. */
function known(id: string, name: string): string | null {
  return name === id ? null : name;
}
