import { escapeMrkdwn } from '../text/escape.ts';
import { type BlockPart, blockPart } from './block-part.ts';
import { richTextText } from './rich-text-text.ts';

/** What a block of a message says, as mrkdwn; empty for one that shows no text. https://docs.slack.dev/reference/block-kit/blocks */
export function blockText(value: unknown): string {
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
    default:
      return '';
  }
}

function lines(texts: readonly string[]): string {
  return texts.filter(Boolean).join('\n');
}

/** In plain text nothing is a mention or a link. */
function textOf({ text }: BlockPart): string {
  if (typeof text === 'string') return text;
  return text.type === 'plain_text' ? escapeMrkdwn(text.text) : text.text;
}

/** An element of a context block is a text object itself, or an image. */
function elementText(element: BlockPart): string {
  return element.type === 'image' ? escapeMrkdwn(element.alt_text) : textOf(blockPart({ text: element }));
}
