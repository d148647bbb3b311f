// Reads Slack's payloads of clicks and shortcuts into one form.
import type { BlockAction, BlockElementAction, SlackShortcut, ViewOutput } from '@slack/bolt';
import { z } from 'zod';
import { soon } from '../api/soon.ts';
import { type MessageContent, mentionsIn, mrkdwnOf, textAsTyped } from '../ui/message-text.ts';
import type { ListenerContext } from './context.ts';

/** The place of a message. `threadTs`: null for a message that isn't a reply. */
interface MessagePlace {
  channel: string;
  ts: string;
  threadTs: string | null;
  /** Address that takes answers without a token, for half an hour. */
  responseUrl: string | null;
}

/** A click on a button or select in a message, a modal or the Home tab, or the use of a shortcut. */
export interface Click {
  /** The value of the button or of the chosen option. Empty for a shortcut. */
  value: string;
  /** Opens one modal within three seconds. */
  triggerId: string;
  /** The clicked message. Null for a modal or Home. */
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
  const click = { value: '', triggerId: shortcut.trigger_id, view: null, home: null };
  if (shortcut.type === 'shortcut' || !shortcut.channel || !shortcut.message) return { ...click, message: null };
  const { channel, message, response_url: responseUrl } = shortcut;
  const place = { channel: channel.id, ts: message.ts, threadTs: message.thread_ts ?? null };
  return { ...click, message: { ...place, responseUrl: responseUrl || null } };
}

const contentSchema = z.object({
  text: z.string().catch(''),
  blocks: z.array(z.unknown()).catch([]),
  attachments: z.array(z.unknown()).catch([]),
});

/** Returns the content of the message that a shortcut was used on. Null for a shortcut that people use anywhere. */
export function contentOf(shortcut: SlackShortcut): MessageContent | null {
  return shortcut.type === 'message_action' && shortcut.message ? contentSchema.parse(shortcut.message) : null;
}

type Ports = Pick<ListenerContext, 'people' | 'directory' | 'client'>;

/** More mentions keep the label that Slack's text has for them. */
const MOST_LOOKED_UP = 20;
/** A modal must open within three seconds, and its listener looks up other things, too. */
const WAIT_MS = 1_000;

/** Returns the text of a message as people would type it, with names instead of mentions. Never throws. */
export async function findMessageText(ports: Ports, content: MessageContent): Promise<string> {
  const mrkdwn = mrkdwnOf(content);
  const lookups = mentionsIn(mrkdwn)
    .slice(0, MOST_LOOKED_UP)
    .map(async (mention) => {
      const name = nameOf(ports, mention).catch(() => null);
      return [mention.id, await soon(WAIT_MS, name, null)] as const;
    });
  const names = new Map(await Promise.all(lookups));
  return textAsTyped(mrkdwn, (id) => names.get(id) ?? null);
}

/** Returns null if Slack doesn't know the name. The text may still have a label beside the id. */
async function nameOf(
  { people, directory, client }: Ports,
  { kind, id }: { kind: 'person' | 'channel' | 'group'; id: string },
): Promise<string | null> {
  if (kind === 'channel') {
    const { channel } = await client.conversations.info({ channel: id });
    // Slack hides the name of a private channel from people who aren't in it.
    return channel?.is_private === false ? (channel.name ?? null) : null;
  }
  const isPerson = kind === 'person';
  const name = isPerson
    ? await people.nameOf({ id, name: id })
    : (await directory.approverNames([{ kind, name: id }]))(id);
  return name === id ? null : name;
}
