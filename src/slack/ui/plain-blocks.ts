import type { KnownBlock, RichTextBlock, RichTextElement, RichTextList, SectionBlock } from '@slack/types';
import { plain } from './blocks.ts';
import { TEXT_LIMIT } from './limits.ts';

/** The same blocks with their rich text as plain text, of which Slack parses nothing. */
export function plainBlocks(blocks: KnownBlock[]): KnownBlock[] {
  return blocks.flatMap((block): KnownBlock[] => (block.type === 'rich_text' ? plainSections(textOf(block)) : [block]));
}

/** How long the text is that `plainBlocks` makes of rich text. */
export function plainLength(blocks: RichTextBlock[]): number {
  return blocks.reduce((sum, block) => sum + textOf(block).trim().length, 0);
}

function plainSections(text: string): SectionBlock[] {
  const sections: SectionBlock[] = [];
  for (let rest = text.trim(); rest !== ''; rest = rest.slice(TEXT_LIMIT).trimStart())
    sections.push({ type: 'section', text: plain(rest.slice(0, TEXT_LIMIT)), expand: true });
  return sections;
}

function textOf({ elements }: RichTextBlock): string {
  return elements
    .map((element) => (element.type === 'rich_text_list' ? listText(element) : inlineText(element.elements)))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}

function listText(list: RichTextList): string {
  const { elements, indent = 0, style } = list;
  // Documented, but not in the type: https://docs.slack.dev/reference/block-kit/blocks/rich-text-block#rich_text_list
  const before = 'offset' in list && typeof list.offset === 'number' ? list.offset : 0;
  const mark = (i: number) => (style === 'ordered' ? `${before + i + 1}.` : '•');
  return elements.map((item, i) => `${'  '.repeat(indent)}${mark(i)} ${inlineText(item.elements)}`).join('\n');
}

function inlineText(elements: readonly RichTextElement[]): string {
  return elements.map((element) => ('text' in element ? (element.text ?? '') : fallbackText(element))).join('');
}

/** Of what our own views use besides text. */
function fallbackText(element: RichTextElement): string {
  if (element.type === 'date') return element.fallback ?? '';
  return element.type === 'link' ? element.url : '';
}
