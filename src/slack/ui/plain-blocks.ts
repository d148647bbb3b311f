import type { KnownBlock, ModalView, RichTextBlock, RichTextElement, RichTextList, SectionBlock } from '@slack/types';
import type { Rendering } from '../../core/state/post.ts';
import { characterEnd } from '../../core/values/cut.ts';
import { CATALOGUES } from '../language/catalogues.ts';
import type { Say } from '../language/say.ts';
import { context, plain, preformatted, type Rendered } from './blocks.ts';
import { type CutMarkdown, cutMarkdown, type Fit, hasAtMost } from './cut-markdown.ts';
import { plainFields, shownFields } from './fields.ts';
import { TEXT_LIMIT } from './limits.ts';
import { blocksHeight, DESK, PHONE } from './rendered-height.ts';
import { richText } from './rich-text.ts';
import { type Structure, structureOf } from './structure.ts';
import { cut, escapeMarkdown, escapeMrkdwn } from './text/escape.ts';
import { type CodeFence, fenceAfterLine, plainWords } from './text/markdown.ts';
import type { Left } from './text/pieces.ts';

// Renders foreign Markdown as blocks that fit, and plainer versions of messages and modals in case Slack refuses them.

/** The sentence is in English, because the refused content doesn't say in which language it is. */
const LEFT_OUT = CATALOGUES.en['text.left-out'];

/** Yields a modal as designed, then ever plainer, each with all its inputs and buttons. */
export function* plainerModals(view: ModalView): Generator<ModalView> {
  yield view;
  // Our modals have only known blocks; the type also allows those of other apps.
  const blocks = view.blocks as KnownBlock[];
  if (hasRichText(blocks)) yield { ...view, blocks: plainBlocks(blocks) };
  yield { ...view, blocks: bareBlocks(blocks) };
}

/** Yields a message as designed, then ever plainer, each with all its buttons. */
export function* plainerMessages(message: Rendered): Generator<Rendered> {
  const { blocks } = message;
  yield message;
  if (blocks.some(isContainer)) yield { ...message, blocks: withoutContainers(blocks) };
  if (hasRichText(blocks)) yield { ...message, blocks: plainBlocks(blocks) };
  yield { text: LEFT_OUT, blocks: bareBlocks(blocks) };
}

function bareBlocks(blocks: KnownBlock[]): KnownBlock[] {
  return [context(LEFT_OUT), ...blocks.filter(({ type }) => type === 'actions' || type === 'input')];
}

function isContainer({ type }: KnownBlock): boolean {
  return type === 'container';
}

function withoutContainers(blocks: KnownBlock[]): KnownBlock[] {
  return blocks.map((block) => (block.type === 'container' ? context(escapeMrkdwn(block.title?.text ?? '')) : block));
}

function hasRichText(blocks: KnownBlock[]): boolean {
  return blocks.some(({ type }) => type === 'rich_text');
}

/** Replaces rich text by plain text, in which Slack parses nothing. */
export function plainBlocks(blocks: KnownBlock[]): KnownBlock[] {
  return blocks.flatMap((block): KnownBlock[] => (block.type === 'rich_text' ? plainSections([block]) : [block]));
}

function plainLength(blocks: RichTextBlock[]): number {
  return blocks.reduce((sum, block) => sum + textOf(block).trim().length, 0);
}

/** Renders rich text as plain sections, as many as it takes. Quotes get a mark, so that no line of one passes for a field. */
export function plainSections(blocks: readonly RichTextBlock[]): SectionBlock[] {
  const sections: SectionBlock[] = [];
  const text = blocks.map((block) => textOf(withMarkedQuotes(block))).join('\n');
  for (let rest = text.trim(); rest !== ''; ) {
    const line = rest.length > TEXT_LIMIT ? rest.lastIndexOf('\n', TEXT_LIMIT) : rest.length;
    const isWithin = line <= 0;
    const end = isWithin ? characterEnd(rest, TEXT_LIMIT) : line;
    sections.push({ type: 'section', text: plain(rest.slice(0, end)), expand: true });
    const next = rest.slice(end);
    // The rest of a line would seem to begin a line.
    rest = isWithin ? `…${next}` : next.replace(/^\n+/, '');
  }
  return sections;
}

function withMarkedQuotes({ elements, ...block }: RichTextBlock): RichTextBlock {
  const marked = elements.map((element) => {
    if (element.type !== 'rich_text_quote') return element;
    const text = `> ${inlineText(element.elements).replaceAll('\n', '\n> ')}`;
    return { ...element, elements: [{ type: 'text', text } as const] };
  });
  return { ...block, elements: marked };
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

/** Keeps the marks of struck text, which would otherwise seem to count. */
function readText({ text = '', ...element }: { text?: string; style?: { strike?: boolean } }): string {
  return element.style?.strike ? `~${text}~` : text;
}

/** Renders the elements besides text that our own views use. */
function fallbackText(element: RichTextElement): string {
  if (element.type === 'date') return element.fallback ?? '';
  return element.type === 'link' ? element.url : '';
}

/** The room for a text in a message. `parts` is the room for a text that is cut, with a sentence below it. */
export type Room =
  | { kind: 'characters'; most: number }
  | { kind: 'px'; whole: Record<'desk' | 'phone', number>; parts: Record<'desk' | 'phone', number> };

/** The blocks that a message shows of a crew's text, and the number of units that are left out. */
interface ForeignText extends Omit<CutMarkdown, 'markdown'> {
  blocks: KnownBlock[];
}

/** Renders as much of a text as there is room for, as fields if it is structured. Null if it has nothing to show. */
export function foreignText(
  text: string,
  { structure, room, rendering, say }: { structure: Structure | null; room: Room; rendering: Rendering; say: Say },
): ForeignText | null {
  if (rendering === 'bare') return { blocks: [context(say('text.refused'))], left: null };
  if (structure !== null) {
    const { block, left } = shownFields(
      structure,
      fitOf(room, (each) => [each]),
      say,
    );
    return { blocks: block.elements.length === 0 ? [] : [block], left };
  }
  const isMarkdown = rendering === 'full' || rendering === 'older-blocks';
  const blocksOf = (markdown: string): KnownBlock[] =>
    isMarkdown ? markdownBlocks(markdown) : richTextWithin(LONGEST, markdown);
  const { markdown, ...missing } = cutMarkdown(text, markdownFit(room));
  if (markdown === '' && missing.left === null) return null;
  return { blocks: markdown === '' ? [] : blocksOf(markdown), ...missing };
}

/** More parts than a readable text has. */
const MOST_PARTS = 12;

/** Renders Markdown. Code with characters that a markdown block escapes becomes a block of its own, in which Slack parses nothing. */
function markdownBlocks(markdown: string): KnownBlock[] {
  const inOne: KnownBlock[] = [{ type: 'markdown', text: escapeMarkdown(markdown) }];
  if (!/[<>]/.test(markdown)) return inOne;
  const parts: { isCode: boolean; lines: string[] }[] = [];
  let fence: CodeFence | null = null;
  for (const line of markdown.split('\n')) {
    const before: CodeFence | null = fence;
    fence = fenceAfterLine(line, before);
    const isOpening = before === null && fence !== null && /^[`~]/.test(line);
    const last = parts.at(-1);
    if (isOpening) parts.push({ isCode: true, lines: [] });
    else if (last?.isCode && before !== null && fence === null) parts.push({ isCode: false, lines: [] });
    else if (last) last.lines.push(line);
    else parts.push({ isCode: false, lines: [line] });
  }
  const isSafe = parts.length <= MOST_PARTS && parts.some(({ isCode, lines }) => isCode && /[<>]/.test(lines.join('')));
  if (!isSafe) return inOne;
  return parts.flatMap(({ isCode, lines }): KnownBlock[] => {
    const text = lines.join('\n');
    if (text.trim() === '') return [];
    return [isCode ? preformatted(text, LONGEST) : { type: 'markdown', text: escapeMarkdown(text.trim()) }];
  });
}

/** No card shows more of a text, in whatever form. */
const LONGEST = 3_000;

function markdownFit(room: Room): Fit<string> {
  if (room.kind === 'px') return fitOf(room, markdownBlocks);
  const fits = (text: string) => hasAtMost(text, room.most);
  return { whole: fits, part: fits };
}

function fitOf<Shown>(room: Room, blocksOf: (content: Shown) => KnownBlock[]): Fit<Shown> {
  const within = (px: Record<'desk' | 'phone', number>) => (content: Shown) => {
    const blocks = blocksOf(content);
    return blocksHeight(blocks, DESK) <= px.desk && blocksHeight(blocks, PHONE) <= px.phone;
  };
  if (room.kind === 'px') return { whole: within(room.whole), part: within(room.parts) };
  const fits = (content: Shown) =>
    plainLength(blocksOf(content).filter((block) => block.type === 'rich_text')) <= room.most;
  return { whole: fits, part: fits };
}

/** Renders Markdown as rich text, or shows its source if indents and alignment would make it several times as long. */
function richTextWithin(most: number, markdown: string): RichTextBlock[] {
  const blocks = richText(markdown);
  return plainLength(blocks) > most ? [preformatted(markdown, most)] : blocks;
}

/** Returns the beginning of a text in plain words, for places without formatting: of a structured text, its reason and its fields. */
export function excerptOf(
  text: string,
  { structure, most, say }: { structure: Structure | null; most: number; say: Say },
): string {
  if (structure === null) return plainWords(cut(text, most));
  return cut([structure.reason, plainFields(structure, say)].filter(Boolean).join('\n'), most);
}

/** Returns as much of a text in plain words as fits, and what is left out; empty if it has nothing to show. */
export function plainBeginning(
  text: string,
  fits: (words: string) => boolean,
  say: Say,
): { words: string; left: Left | null } {
  const structure = structureOf(text);
  if (structure !== null) {
    const words = (block: RichTextBlock) => textOf(withMarkedQuotes(block));
    const isFitting = (block: RichTextBlock) => fits(words(block));
    const { block, left } = shownFields(structure, { whole: isFitting, part: isFitting }, say);
    return { words: words(block), left };
  }
  const part = (markdown: string) => fits(plainWords(markdown));
  // Plain words leave out a heading or an address at the end of a text.
  const whole = (markdown: string) => part(markdown) && lastWord(markdown) === lastWord(plainWords(markdown));
  const { markdown, left } = cutMarkdown(text, { whole, part });
  return { words: plainWords(markdown), left };
}

function lastWord(text: string): string | undefined {
  return text.match(/[\p{L}\p{N}]+/gu)?.at(-1);
}

/** Says how much of a text is left out, in the same sentence everywhere. */
export function moreText({ unit, count }: Left, say: Say): string {
  return say(`text.more-${unit}`, { count });
}
