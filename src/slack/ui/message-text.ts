import { z } from 'zod';
import { cleanText } from '../../core/values/text.ts';
import { escapeMrkdwn } from './text/escape.ts';

// Turns a message of Slack into the text that people would type, to be used as an input or as feedback.

/** Returns the name of a mentioned person, channel or group; null if it is unknown. */
type MentionName = (id: string) => string | null;

/** An address or a mention between `<` and `>`, perhaps with a label. */
const TOKEN = /<([^<>|]+)(?:\|([^<>]*))?>/g;
const TOKEN_OR_ENTITY = new RegExp(`${TOKEN.source}|&(amp|lt|gt);`, 'g');
const CHARACTERS: Record<string, string> = { amp: '&', lt: '<', gt: '>' };

/**
 * Returns mrkdwn as people would type it: mentions by their names, links by their labels and addresses. Formatting marks stay.
 * https://docs.slack.dev/messaging/formatting-message-text
 */
export function textAsTyped(mrkdwn: string, nameOf: MentionName): string {
  const text = mrkdwn.replace(TOKEN_OR_ENTITY, (match, target?: string, label?: string, entity?: string) => {
    if (entity !== undefined) return CHARACTERS[entity] ?? match;
    return target === undefined ? match : tokenText(unescaped(target), unescaped(label ?? ''), nameOf);
  });
  return cleanText(text).trim();
}

function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt);/g, (entity, name: string) => CHARACTERS[name] ?? entity);
}

function tokenText(target: string, label: string, nameOf: MentionName): string {
  const { kind, id } = mention(target);
  switch (kind) {
    case 'person':
    case 'group':
      return `@${withoutMark(nameOf(id) ?? (label || id), '@')}`;
    case 'channel':
      return `#${withoutMark(nameOf(id) ?? (label || id), '#')}`;
    case 'everyone':
      return `@${id}`;
    case 'other':
      return label;
    case 'link':
      return linkText(target, label);
  }
}

function withoutMark(name: string, mark: string): string {
  return name.startsWith(mark) ? name.slice(1) : name;
}

function linkText(address: string, label: string): string {
  const plain = address.replace(/^(?:mailto|tel):/, '');
  const isBare = label === '' || [address, plain, address.replace(/^https?:\/\//, '')].includes(label);
  return isBare ? plain : `${label} (${address})`;
}

type TokenKind = 'person' | 'channel' | 'group' | 'everyone' | 'other' | 'link';

function mention(target: string): { kind: TokenKind; id: string } {
  const [, mark, rest = ''] = /^(@|#|!subteam\^|!)([^^]*)/.exec(target) ?? [];
  switch (mark) {
    case '@':
      return { kind: 'person', id: rest };
    case '#':
      return { kind: 'channel', id: rest };
    case '!subteam^':
      return { kind: 'group', id: rest };
    case '!':
      return { kind: /^(?:here|channel|everyone)$/.test(rest) ? 'everyone' : 'other', id: rest };
    default:
      return { kind: 'link', id: target };
  }
}

/** Returns the people, channels and groups that a text mentions, by Slack's ids, each once. */
export function mentionsIn(mrkdwn: string): { kind: 'person' | 'channel' | 'group'; id: string }[] {
  const mentions = Array.from(mrkdwn.matchAll(TOKEN), ([, target = '']) => mention(target));
  const byId = new Map(mentions.map((each) => [each.id, each]));
  return [...byId.values()].flatMap(({ kind, id }) =>
    (kind === 'person' || kind === 'channel' || kind === 'group') && /^[A-Z0-9]+$/.test(id) ? [{ kind, id }] : [],
  );
}

export interface MessageContent {
  text: string;
  blocks: readonly unknown[];
  attachments: readonly unknown[];
}

/**
 * Returns a message as mrkdwn. Apps may leave `text` empty if they give blocks; forwarded messages are attachments. The preview of a
 * link doesn't count as text.
 */
export function mrkdwnOf({ text, blocks, attachments }: MessageContent): string {
  const own = text.trim() === '' ? lines(blocks.map(blockText)) : text;
  const attached = attachments.flatMap((each) => ATTACHMENT.safeParse(each).data ?? []);
  const isPreview = ({ from_url: from, is_share: isShare }: Attachment) => from !== '' && !isShare;
  const visibleAttachments = own.trim() === '' ? attached : attached.filter((each) => !isPreview(each));
  return lines([own, ...visibleAttachments.map(attachmentText)]);
}

/** Slack shows the blocks of an attachment, or its older fields if it has none. https://docs.slack.dev/messaging/formatting-message-text#attachments */
function attachmentText(attachment: Attachment): string {
  const { pretext, title, title_link: link, text, fields, message_blocks: forwarded, fallback } = attachment;
  const blocks = lines([...attachment.blocks, ...forwarded.flatMap(({ message }) => message.blocks)].map(blockText));
  if (blocks.trim() !== '') return lines([pretext, blocks]);
  const heading = title !== '' && link !== '' ? `<${link}|${title}>` : title;
  const said = lines([
    pretext,
    heading,
    text,
    ...fields.map((field) => [field.title, field.value].filter(Boolean).join(': ')),
  ]);
  return said.trim() === '' ? fallback : said;
}

/** Returns the text of a block as mrkdwn; empty for a block without text. https://docs.slack.dev/reference/block-kit/blocks */
function blockText(value: unknown): string {
  const block = blockPart(value);
  switch (block.type) {
    case 'rich_text':
      return richTextText(block);
    case 'section':
      return lines([textOf(block), ...block.fields.map((field) => textOf(blockPart({ text: field })))]);
    case 'header':
    case 'markdown':
      return textOf(block);
    case 'context':
      return lines(block.elements.map((element) => elementText(blockPart(element))));
    case 'image':
      return escapeMrkdwn(block.alt_text);
    case 'table':
      return lines(block.rows.map((row) => row.map(cellText).join(' | ')));
    default:
      return '';
  }
}

/** https://docs.slack.dev/reference/block-kit/blocks/table-block */
function cellText(value: unknown): string {
  const cell = blockPart(value);
  return cell.type === 'rich_text' ? richTextText(cell) : escapeMrkdwn(typeof cell.text === 'string' ? cell.text : '');
}

function lines(texts: readonly string[]): string {
  return texts.filter(Boolean).join('\n');
}

/** Returns a text object as mrkdwn. In plain text nothing is a mention or a link. */
function textOf({ text }: BlockPart): string {
  if (typeof text === 'string') return text;
  return text.type === 'plain_text' ? escapeMrkdwn(text.text) : text.text;
}

/** Returns the text of an element of a context block, which is a text object or an image. */
function elementText(element: BlockPart): string {
  return element.type === 'image' ? escapeMrkdwn(element.alt_text) : textOf(blockPart({ text: element }));
}

const STRING = z.string().catch('');
const PARTS = z.array(z.unknown()).catch([]);

const TEXT = z.object({ type: STRING, text: STRING });

const PART = z.object({
  type: STRING,
  text: z.union([z.string(), TEXT]).catch(''),
  elements: PARTS,
  fields: PARTS,
  rows: z.array(PARTS).catch([]),
  style: STRING,
  indent: z.number().catch(0),
  url: STRING,
  user_id: STRING,
  usergroup_id: STRING,
  channel_id: STRING,
  range: STRING,
  name: STRING,
  unicode: STRING,
  fallback: STRING,
  alt_text: STRING,
});

const ATTACHMENT = z.object({
  pretext: STRING,
  title: STRING,
  title_link: STRING,
  text: STRING,
  fields: z.array(z.object({ title: STRING, value: STRING })).catch([]),
  blocks: PARTS,
  message_blocks: z.array(z.object({ message: z.object({ blocks: PARTS }) })).catch([]),
  fallback: STRING,
  from_url: STRING,
  is_share: z.boolean().catch(false),
});

type Attachment = z.infer<typeof ATTACHMENT>;

/** The fields that we read of a block or an element. Missing fields are empty. */
type BlockPart = z.infer<typeof PART>;

const EMPTY: BlockPart = PART.parse({});

/** Blocks of other apps may be of any kind, so nothing about them is certain. */
function blockPart(value: unknown): BlockPart {
  return PART.safeParse(value).data ?? EMPTY;
}

/** Returns rich text as mrkdwn. https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
function richTextText({ elements }: BlockPart): string {
  return elements
    .map((element) => partText(blockPart(element)).replace(/\n$/, ''))
    .filter(Boolean)
    .join('\n');
}

function partText(part: BlockPart): string {
  switch (part.type) {
    case 'rich_text_list':
      return part.elements.map((item, i) => listItem(part, blockPart(item), i)).join('\n');
    case 'rich_text_quote':
      return inline(part).replace(/^/gm, '&gt; ');
    default:
      return inline(part);
  }
}

function listItem({ style, indent }: BlockPart, item: BlockPart, i: number): string {
  const mark = style === 'ordered' ? `${i + 1}.` : '•';
  return `${'    '.repeat(Math.min(indent, 8))}${mark} ${inline(item)}`;
}

function inline({ elements }: BlockPart): string {
  return elements.map((element) => inlineText(blockPart(element))).join('');
}

function inlineText(part: BlockPart): string {
  const text = typeof part.text === 'string' ? escapeMrkdwn(part.text) : '';
  switch (part.type) {
    case 'link':
      return `<${escapeMrkdwn(part.url)}${text === '' ? '' : `|${text}`}>`;
    case 'user':
      return `<@${part.user_id}>`;
    case 'usergroup':
      return `<!subteam^${part.usergroup_id}>`;
    case 'channel':
      return `<#${part.channel_id}>`;
    case 'broadcast':
      return `<!${part.range}>`;
    case 'emoji':
      return emoji(part);
    case 'date':
      return escapeMrkdwn(part.fallback);
    default:
      return text;
  }
}

/** Returns an emoji by its code points in hexadecimal, such as `1f1e9-1f1ea`, or else by its name. */
function emoji({ unicode, name }: BlockPart): string {
  const points = unicode.split('-').map((point) => Number.parseInt(point, 16));
  const isKnown = unicode !== '' && points.every((point) => point >= 0 && point <= 0x10ffff);
  return isKnown ? String.fromCodePoint(...points) : `:${name}:`;
}
