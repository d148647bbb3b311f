import { messageBlocks } from '../block-kit/message-blocks.ts';
import type { Block, Message, Snapshot } from '../people-api.ts';
import type { ElementPlace, ViewInputs } from '../person-actions.ts';
import { blocksText, visibleText } from './visible-text.ts';

/** Where a person acts: in a message, the top modal or the app's Home tab. Default: the modal. */
export type Where = {
  in?: Message | 'modal' | 'home';
  /** Only from the first block on that says this, where several elements have the same label. */
  from?: Wanted;
};

/** Text that must be present, or a pattern for it. */
export type Wanted = string | RegExp;

/** The values in messages are not part of what a person's page is told. */
type Surface = { blocks: readonly Block[]; place: ElementPlace; inputs: ViewInputs };

export function says(text: string, wanted: Wanted): boolean {
  return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
}

export const saying = (wanted: Wanted) => (message: Message) => says(visibleText(message), wanted);

/** The id of a channel in the person's list, by id, `#name` or `name`. Throws if they can't see it. */
export function channelIdOf(seen: Snapshot, reference: string): string {
  const name = reference.replace(/^#/, '');
  const found = seen.channels.find((channel) => channel.id === reference || channel.name === name);
  if (found) return found.id;
  const there = seen.channels.map((channel) => `#${channel.name}`).join(' ');
  throw new Error(`${seen.me.realName} can’t see ${reference}; visible: ${there}`);
}

/** All messages in a channel and its threads; none in a direct message that nobody has begun. */
export function allIn(seen: Snapshot, channel: string): Message[] {
  const isBegun = seen.channels.some(({ id, name }) => id === channel || name === channel);
  if (!channel.startsWith('#') && !isBegun) return [];
  return seen.messages[channelIdOf(seen, channel)] ?? [];
}

/** The messages shown in the channel itself, without thread-only replies. */
export function mainIn(seen: Snapshot, channel: string): Message[] {
  return allIn(seen, channel).filter(
    (message) => message.threadTs === undefined || message.threadTs === message.ts || message.broadcast,
  );
}

/** The replies in the thread that a message starts or belongs to. */
export function threadOf(seen: Snapshot, message: Message): Message[] {
  const rootTs = message.threadTs ?? message.ts;
  const all = seen.messages[message.channel] ?? [];
  return all.filter((candidate) => candidate.threadTs === rootTs && candidate.ts !== rootTs);
}

/** The current version of a message; undefined if it is gone. */
export function current(seen: Snapshot, message: Message): Message | undefined {
  return seen.messages[message.channel]?.find((candidate) => candidate.ts === message.ts);
}

function blocksFrom(blocks: readonly Block[], { from }: Where): readonly Block[] {
  if (from === undefined) return blocks;
  const first = blocks.findIndex((block) => says(blocksText([block]), from));
  return first === -1 ? [] : blocks.slice(first);
}

/** The blocks at a place; undefined if nothing is open there. */
export function surfaceOf(seen: Snapshot, where: Where): Surface | undefined {
  const place = where.in ?? 'modal';
  if (place === 'modal' || place === 'home') {
    const view = place === 'modal' ? seen.modals.at(-1) : seen.home;
    return (
      view && { blocks: blocksFrom(view.blocks, where), place: { in: 'view', viewId: view.id }, inputs: view.inputs }
    );
  }
  const message = current(seen, place);
  const blocks = blocksFrom(message ? messageBlocks(message) : [], where);
  return message && { blocks, place: { in: 'message', channel: message.channel, ts: message.ts }, inputs: {} };
}
