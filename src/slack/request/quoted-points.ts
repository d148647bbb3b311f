// Quotes feedback point by point, in cards and reviews.
import type { RichTextBlock, RichTextElement, RichTextList, RichTextQuote } from '@slack/types';
import { cleanText } from '../../core/values/text.ts';
import { sentencesOf } from '../ui/comparison/units.ts';
import { cut } from '../ui/text/escape.ts';
import { type CodeFence, fenceAfterLine } from '../ui/text/markdown.ts';

import type { Tick } from './edits/edit.ts';
import { isEditsIntro } from './edits/edit-list.ts';

type Part = RichTextList | RichTextQuote;

const MARKS = { true: '☑', false: '☐' } as const;

/** Quotes foreign text so that nothing in it is live. A list stays a list: indented lines belong to the point before them. */
export function quotedPoints(text: string, most: number): RichTextBlock {
  return quotedParagraphs(paragraphsOf(cut(text, most)));
}

/** Quotes whole points. If some have a tick, all are lines of one quote, without our own words above a list of edits. */
export function quotedParagraphs(paragraphs: readonly Paragraph[], ticks: readonly Tick[] = []): RichTextBlock {
  const isTicked = paragraphs.some((_, i) => typeof ticks[i] === 'boolean');
  return {
    type: 'rich_text',
    elements: isTicked ? [tickedQuote(paragraphs, ticks)] : paragraphs.reduce(withParagraph, []),
  };
}

function tickedQuote(paragraphs: readonly Paragraph[], ticks: readonly Tick[]): RichTextQuote {
  const lines = paragraphs.flatMap(({ style, words, number }, i) => {
    const tick = ticks[i] ?? null;
    if (tick !== null) return [`${MARKS[`${tick}`]} ${words}`];
    if (style !== null) return [`${style === 'ordered' ? `${number}.` : '•'} ${words}`];
    return isEditsIntro(words) ? [] : [words];
  });
  return { type: 'rich_text_quote', elements: [{ type: 'text', text: lines.join('\n') }] };
}

function withParagraph(parts: readonly Part[], { style, words, number }: Paragraph): Part[] {
  const last = parts.at(-1);
  const offset = number > 1 ? { offset: number - 1 } : {};
  const element = { type: 'text', text: words || ' ' } as const;
  if (style === null) return [...parts, { type: 'rich_text_quote', elements: [element] }];
  if (last?.type === 'rich_text_list' && last.style === style)
    return [...parts.slice(0, -1), { ...last, elements: [...last.elements, sectionOf(element)] }];
  return [...parts, { type: 'rich_text_list', style, ...offset, border: 1, elements: [sectionOf(element)] }];
}

/** Returns whole points of at most `most` characters, and how much is left out. A longer first point is cut to whole sentences. */
export function wholePoints(
  text: string,
  most: number,
): { points: Paragraph[]; left: number; unit: 'points' | 'sentences' } {
  const all = paragraphsOf(cleanText(text));
  const [first] = all;
  if (first && first.words.length > most) {
    const sentences = sentencesOf(first.words);
    const fitting = fittingCount(sentences, most);
    const words = fitting === 0 ? cut(first.words, most) : sentences.slice(0, fitting).join(' ');
    const rest = all.slice(1).flatMap((point) => sentencesOf(point.words));
    return { points: [{ ...first, words }], left: sentences.length - fitting + rest.length, unit: 'sentences' };
  }
  const texts = all.map(({ words }) => words);
  const count = fittingCount(texts, most);
  return { points: all.slice(0, count), left: all.length - count, unit: 'points' };
}

function fittingCount(texts: readonly string[], most: number): number {
  let length = 0;
  const over = texts.findIndex((text) => {
    length += text.length + 1;
    return length > most + 1;
  });
  return over === -1 ? texts.length : over;
}

function sectionOf(element: RichTextElement): RichTextList['elements'][number] {
  return { type: 'rich_text_section', elements: [element] };
}

export interface Paragraph {
  /** Style of the list. Null for other text. */
  style: RichTextList['style'] | null;
  words: string;
  /** Text as it was written, with the mark of its point. */
  written: string;
  /** Number of a numbered point, otherwise 0. */
  number: number;
}

const POINT = /^ {0,3}(?:([-*•+])|(\d{1,3})[.)]) +(\S.*)$/;

/** Returns the points of a text, and the paragraphs between them. Code belongs to the point around it. */
export function paragraphsOf(text: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let fence: CodeFence | null = null;
  for (const line of text.trim().split('\n')) {
    const point = fence === null ? pointIn(line) : null;
    const last = paragraphs.at(-1);
    const continues = last && !point && (last.style === null || fence !== null || /^(?: {2}|\s*$)/.test(line));
    if (continues) {
      last.words += `\n${last.style === null ? line : line.replace(/^ {2}/, '')}`;
      last.written += `\n${line}`;
    } else paragraphs.push(point ?? { style: null, words: line, written: line, number: 0 });
    fence = fenceAfterLine(line, fence);
  }
  return paragraphs.map((each) => ({ ...each, words: each.words.trim() }));
}

function pointIn(line: string): Paragraph | null {
  const [, bullet, digits, words] = POINT.exec(line) ?? [];
  if (words === undefined) return null;
  return { style: bullet === undefined ? 'ordered' : 'bullet', words, written: line, number: Number(digits) || 0 };
}
