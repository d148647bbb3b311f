import type { RichTextBlock, RichTextElement, RichTextList, RichTextQuote } from '@slack/types';
import { cut } from '../ui/text/escape.ts';
import { type CodeFence, fenceAfterLine } from '../ui/text/markdown.ts';

type Part = RichTextList | RichTextQuote;

/**
 * Foreign text as a quote in which nothing is live. What is written as a list is shown as one, point by point: lines that are
 * indented belong to the point before them.
 */
export function quotedPoints(text: string, most: number): RichTextBlock {
  const parts: Part[] = [];
  for (const { style, words, number } of paragraphsOf(cut(text, most))) {
    const last = parts.at(-1);
    const offset = number > 1 ? { offset: number - 1 } : {};
    const element = { type: 'text', text: words || ' ' } as const;
    if (style === null) parts.push({ type: 'rich_text_quote', elements: [element] });
    else if (last?.type === 'rich_text_list' && last.style === style) last.elements.push(sectionOf(element));
    else parts.push({ type: 'rich_text_list', style, ...offset, border: 1, elements: [sectionOf(element)] });
  }
  return { type: 'rich_text', elements: parts };
}

function sectionOf(element: RichTextElement): RichTextList['elements'][number] {
  return { type: 'rich_text_section', elements: [element] };
}

interface Paragraph {
  /** Of the point of a list; null for other text. */
  style: RichTextList['style'] | null;
  words: string;
  /** Of a numbered point; otherwise 0. */
  number: number;
}

const POINT = /^ {0,3}(?:([-*•+])|(\d{1,3})[.)]) +(\S.*)$/;

/** The points of a text, and what stands between them. Code is a part of the point that it stands in. */
function paragraphsOf(text: string): Paragraph[] {
  const found: Paragraph[] = [];
  let fence: CodeFence | null = null;
  for (const line of text.trim().split('\n')) {
    const point = fence === null ? pointIn(line) : null;
    const last = found.at(-1);
    const continues = last && !point && (last.style === null || fence !== null || /^(?: {2}|\s*$)/.test(line));
    if (continues) last.words += `\n${last.style === null ? line : line.replace(/^ {2}/, '')}`;
    else found.push(point ?? { style: null, words: line, number: 0 });
    fence = fenceAfterLine(line, fence);
  }
  return found.map((each) => ({ ...each, words: each.words.trim() }));
}

function pointIn(line: string): Paragraph | null {
  const [, bullet, digits, words] = POINT.exec(line) ?? [];
  if (words === undefined) return null;
  return { style: bullet === undefined ? 'ordered' : 'bullet', words, number: Number(digits) || 0 };
}
