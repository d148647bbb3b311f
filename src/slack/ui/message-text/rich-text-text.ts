import { escapeMrkdwn } from '../text/escape.ts';
import { type BlockPart, blockPart } from './block-part.ts';

/** What a rich text says, as mrkdwn. https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
export function richTextText({ elements }: BlockPart): string {
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

/** Code points as hexadecimal numbers: `1f1e9-1f1ea`. */
function emoji({ unicode, name }: BlockPart): string {
  const points = unicode.split('-').map((point) => Number.parseInt(point, 16));
  const isKnown = unicode !== '' && points.every((point) => point >= 0 && point <= 0x10ffff);
  return isKnown ? String.fromCodePoint(...points) : `:${name}:`;
}
