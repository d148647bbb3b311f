import { characterEnd } from '../../core/values/cut.ts';
import { condensed, withoutWideTables } from './condense-markdown.ts';
import { READABLE_LENGTH } from './limits.ts';
import { type CodeFence, closeFence, markdownSource, openFenceAfter, withoutLastHeadings } from './text/markdown.ts';
import {
  beginningThatFits,
  countPieces,
  countWords,
  ELLIPSIS,
  type Left,
  type Piece,
  piecesOf,
  sentenceEnds,
} from './text/pieces.ts';

// Cuts Markdown so that it fits on a card, and stays well-formed.

/** The beginning of a foreign text, and the number of units that are left out. */
export interface CutMarkdown {
  markdown: string;
  left: Left | null;
}

/** No card shows more of a text. */
const MOST_SHOWN = 12_000;

/** Tells whether something fits: as a whole, or as a part, with the sentence below it that says what is left out. */
export interface Fit<Shown> {
  whole: (content: Shown) => boolean;
  part: (content: Shown) => boolean;
}

/**
 * Returns foreign text as Markdown: whole if it fits, otherwise as many of its pieces as do, and whole sentences of the next paragraph.
 * Code blocks are closed. A first piece that doesn't fit is cut after a word.
 */
export function cutMarkdown(text: string, fit: Fit<string>): CutMarkdown {
  // A text may have megabytes, so only its beginning is cleaned and escaped.
  const near = characterEnd(text, MOST_SHOWN);
  const beginning = sourceOf(text, near);
  if (beginning.trim() === '') {
    const left: Left | null = near < text.length ? { unit: 'paragraphs', count: 1 } : null;
    return { markdown: '', left };
  }
  const whole = closeFence(beginning.trimEnd());
  if (near === text.length && fit.whole(whole)) return { markdown: whole, left: null };
  const source = near === text.length ? beginning : sourceOf(text, READABLE_LENGTH);
  return beginningOf(condensed(source), fit.part);
}

function sourceOf(text: string, most: number): string {
  return withoutWideTables(withAddresses(markdownSource(text, most)));
}

function beginningOf(
  { markdown: source, left: dropped }: ReturnType<typeof condensed>,
  fits: (markdown: string) => boolean,
): CutMarkdown {
  const pieces = piecesOf(source);
  const upTo = (end: number) => closeFence(source.slice(0, end).trimEnd());
  let count = 0;
  const isShown = ({ end }: Piece) => end <= MOST_SHOWN && fits(upTo(end));
  while (pieces.slice(count, count + 1).some(isShown)) count += 1;
  const next = pieces[count];
  const end = next?.start ?? source.length;
  const isFirst = pieces.slice(0, count).every(({ kind }) => kind === 'heading');
  if (next && (isFirst || next.kind === 'paragraph')) {
    const begun = beginningThatFits(source.slice(next.start, next.end).trimEnd(), {
      fits: (words) => fits(closeFence(source.slice(0, end) + words)),
      least: isFirst ? 'words' : 'sentences',
    });
    if (begun !== null)
      return withinPiece(source, { begun, cut: next, others: [...pieces.slice(count + 1), ...dropped] });
  }
  const to = withoutLastHeadings(source, end);
  return { markdown: upTo(to), left: countPieces([...pieces.slice(count), ...dropped]) };
}

/** Returns a text that is cut within one of its pieces. If that is the last piece, its sentences or words are counted. */
function withinPiece(
  source: string,
  { begun, cut, others }: { begun: string; cut: Piece; others: readonly Pick<Piece, 'kind'>[] },
): CutMarkdown {
  const isWithinSentence = begun.endsWith(ELLIPSIS);
  const end = cut.start + begun.length - (isWithinSentence ? ELLIPSIS.length : 0);
  const left = source.slice(end, cut.end);
  const markdown = closeFence(source.slice(0, cut.start) + begun);
  if (others.some(({ kind }) => kind !== 'rule')) return { markdown, left: countPieces([cut, ...others]) };
  const unit = isWithinSentence ? 'words' : 'sentences';
  return { markdown, left: { unit, count: isWithinSentence ? countWords(left) : sentenceEnds(left).length } };
}

/**
 * Returns true if an escaped text has at most `most` characters. A short line counts as `LINE_LENGTH` and a heading as `HEADING_LENGTH`,
 * because the height of a message depends on its lines.
 */
export function hasAtMost(markdown: string, most: number): boolean {
  const lines = markdown.split('\n');
  return lines.reduce((sum, line) => sum + lengthOf(line), lines.length - 1) <= most;
}

const LINE_LENGTH = 40;
const HEADING_LENGTH = 60;
const HEADING_MARK = /^ {0,3}#{1,6}[ \t]/;

function lengthOf(line: string): number {
  const least = line.trim() === '' ? 0 : HEADING_MARK.test(line) ? HEADING_LENGTH : LINE_LENGTH;
  return Math.max(least, line.length + 3 * (line.match(/[<>]/g)?.length ?? 0));
}

/** A page with as much formatting as it can hold stays within `VIEW_BYTES`. */
const PAGE_LENGTH = 8_000;

export interface Page {
  text: string;
  within: CodeFence | null;
}

/** Splits a text into pages at sensible places. An empty text has one empty page. */
export function pagesOf(text: string): Page[] {
  const pages: Page[] = [];
  let within: CodeFence | null = null;
  let rest = text;
  do {
    const page = rest.slice(0, sensibleEnd(rest, PAGE_LENGTH));
    pages.push({ text: page, within });
    within = openFenceAfter(page, within);
    rest = rest.slice(page.length);
  } while (rest !== '');
  return pages;
}

/** Places where people would stop reading, best first, and how much of the room has to be used then. A match ends at the stop. */
const STOPS: [RegExp, least: number][] = [
  [/\n\s*\n/g, 0.75],
  [/\n/g, 0.75],
  [/[.!?…。！？]["”’)]?\s/g, 0.5],
  [/\s/g, 0.5],
];
const OPEN_ENTITY = /&(?:#?\w{0,31})$/;

/**
 * Returns where to cut a text that is longer than `at`: after a paragraph, a line, a sentence or a word, the first of these that wastes
 * little room, otherwise at `at`. Never within a character or an entity.
 */
export function sensibleEnd(text: string, at: number): number {
  if (text.length <= at) return text.length;
  const head = text.slice(0, at);
  for (const [stop, least] of STOPS) {
    const end = lastEnd(head, stop);
    if (end > at * least) return end;
  }
  const entity = OPEN_ENTITY.exec(head);
  return characterEnd(text, entity && entity.index > 0 ? entity.index : at);
}

function lastEnd(head: string, pattern: RegExp): number {
  let last = 0;
  for (const match of head.matchAll(pattern)) last = match.index + match[0].length;
  return last;
}

/**
 * Replaces links by their text, followed by the address: `[click](https://a.example)` could hide where it leads. Slack makes a link of the
 * address. Other text that could be a link is split, so that it is shown as it is written.
 */
export function withAddresses(markdown: string): string {
  if (!markdown.includes('[')) return markdown;
  let marks = '';
  const lines = markdown.split('\n').map((line) => {
    const isCode = marks !== '';
    marks = isCode ? afterCode(line, marks) : (OPENS.exec(line)?.[1] ?? '');
    return isCode ? line : lineWithAddresses(line);
  });
  return lines.join('\n');
}

/** Only marks at the beginning of a line count: the end of a list or quote would end a code block within it unnoticed. */
const OPENS = /^(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSES = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;

/** https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
function afterCode(line: string, opening: string): string {
  const closing = CLOSES.exec(line)?.[1] ?? '';
  return closing.startsWith(opening) ? '' : opening;
}

const LINK = /!?\[([^[\]]{0,500})\]\(([^\s()]{1,2000})\)/g;

/** Text between backticks may be code or not, so only the marks of links are split there. */
function lineWithAddresses(line: string): string {
  const text = line.includes('`') ? line : line.replace(LINK, labelled).replace(LINK, labelled);
  return text.replaceAll('](', '] (').replaceAll(']:', '] :');
}

function labelled(_: string, label: string, address: string): string {
  const isAddress = label === address || `mailto:${label}` === address;
  return label.trim() === '' || isAddress ? address : `${label} (${address})`;
}
