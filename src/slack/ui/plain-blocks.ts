import type { KnownBlock, ModalView, RichTextBlock, RichTextElement, RichTextList, SectionBlock } from '@slack/types';
import type { Rendering } from '../../core/state/post.ts';
import { CATALOGUES } from '../language/catalogues.ts';
import type { Say } from '../language/say.ts';
import { context, plain, preformatted, type Rendered } from './blocks.ts';
import { type CutMarkdown, cutMarkdown } from './cut-markdown.ts';
import { TEXT_LIMIT } from './limits.ts';
import { richText } from './rich-text.ts';
import { escapeMarkdown } from './text/escape.ts';

/** In English, since what Slack refused doesn't say for whom it was. */
const LEFT_OUT = CATALOGUES.en['text.left-out'];

/** A modal as designed, then ever more plainly, each with all its inputs and buttons. Made as they are asked for. */
export function* plainerModals(view: ModalView): Generator<ModalView> {
  yield view;
  // All our modals are made of these; the type also has those of other apps.
  const blocks = view.blocks as KnownBlock[];
  if (hasRichText(blocks)) yield { ...view, blocks: plainBlocks(blocks) };
  yield { ...view, blocks: bareBlocks(blocks) };
}

/** A message as designed, then ever more plainly, each with all its buttons. Made as they are asked for. */
export function* plainerMessages(message: Rendered): Generator<Rendered> {
  const { blocks } = message;
  yield message;
  if (hasRichText(blocks)) yield { ...message, blocks: plainBlocks(blocks) };
  yield { text: LEFT_OUT, blocks: bareBlocks(blocks) };
}

function bareBlocks(blocks: KnownBlock[]): KnownBlock[] {
  return [context(LEFT_OUT), ...blocks.filter(({ type }) => type === 'actions' || type === 'input')];
}

function hasRichText(blocks: KnownBlock[]): boolean {
  return blocks.some(({ type }) => type === 'rich_text');
}

/** The same blocks with their rich text as plain text, of which Slack parses nothing. */
export function plainBlocks(blocks: KnownBlock[]): KnownBlock[] {
  return blocks.flatMap((block): KnownBlock[] => (block.type === 'rich_text' ? plainSections(textOf(block)) : [block]));
}

function plainLength(blocks: RichTextBlock[]): number {
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
  return elements.map((element) => ('text' in element ? readText(element) : fallbackText(element))).join('');
}

/** What is struck through keeps its marks: otherwise it would seem to count. */
function readText({ text = '', ...element }: { text?: string; style?: { strike?: boolean } }): string {
  return element.style?.strike ? `~${text}~` : text;
}

/** Of what our own views use besides text. */
function fallbackText(element: RichTextElement): string {
  if (element.type === 'date') return element.fallback ?? '';
  return element.type === 'link' ? element.url : '';
}

/** What a message shows of a text that a crew wrote, and what it leaves out. */
interface ForeignMarkdown extends Omit<CutMarkdown, 'markdown'> {
  blocks: KnownBlock[];
}

/** At most `most` characters of the text; null where it has nothing to show. */
export function foreignMarkdown(
  text: string,
  { most, rendering, say }: { most: number; rendering: Rendering; say: Say },
): ForeignMarkdown | null {
  const { markdown, ...cut } = cutMarkdown(text, most);
  if (markdown === '') return null;
  switch (rendering) {
    case 'full':
      return { blocks: [{ type: 'markdown', text: escapeMarkdown(markdown) }], ...cut };
    case 'rich-text':
    case 'plain-text':
      return { blocks: richTextWithin(most, markdown), ...cut };
    case 'bare':
      return { blocks: [context(say('text.refused'))], isCut: false, shown: 0, left: [] };
  }
}

/** Indented lists and aligned tables can be several times as long as their source, which is shown instead. */
function richTextWithin(most: number, markdown: string): RichTextBlock[] {
  const blocks = richText(markdown);
  return plainLength(blocks) > most ? [preformatted(markdown, most)] : blocks;
}
