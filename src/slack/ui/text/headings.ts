import { oneLine } from '../../../core/text.ts';
import { type CodeFence, fenceAfterLine } from './code-fence.ts';
import { plainWords } from './plain-words.ts';

/** A heading of a Markdown text. */
export interface Heading {
  /** Its words, with their marks. */
  markdown: string;
  /** Where its line begins. */
  at: number;
}

const LONGEST_TITLE = 200;

/** The headings of a text that begins within `open`, in their order. Lines that are all bold count, since crews write them so. */
export function headingsIn(markdown: string, open: CodeFence | null = null): Heading[] {
  const found: Heading[] = [];
  let fence = open;
  let at = 0;
  let before = { line: '', at: 0 };
  for (const line of markdown.split('\n')) {
    const isCode = fence !== null;
    fence = fenceAfterLine(line, fence);
    if (!isCode && fence === null) found.push(...headingAt(line, at, before));
    before = isCode || fence !== null ? { line: '', at } : { line, at };
    at += line.length + 1;
  }
  return found;
}

const MARKED = /^ {0,3}#{1,6}(?:[ \t]+(.*))?$/;
const BOLD = /^ {0,3}(?:\*\*(?=\S)([^*]+)\*\*|__(?=\S)([^_]+)__):?\s*$/;
const UNDERLINE = /^ {0,3}(?:=+|-{2,})[ \t]*$/;
/** What an underline makes no heading of: nothing, another block, or a heading already. */
const NO_PARAGRAPH = /^\s*$|^ {0,3}(?:[#>|]|[-*+] |\d+[.)] )|^(?: {4}|\t)/;

/** https://spec.commonmark.org/0.31.2/#atx-headings */
function headingAt(line: string, at: number, before: { line: string; at: number }): Heading[] {
  const title = MARKED.exec(line)?.[1]?.replace(/[ \t]+#+[ \t]*$/, '') ?? BOLD.exec(line)?.slice(1).find(Boolean);
  if (title !== undefined) return headingOf(title, at);
  const isUnderlined = UNDERLINE.test(line) && !NO_PARAGRAPH.test(before.line) && !BOLD.test(before.line);
  return isUnderlined ? headingOf(before.line, before.at) : [];
}

function headingOf(markdown: string, at: number): Heading[] {
  return markdown.trim() === '' ? [] : [{ markdown: markdown.trim(), at }];
}

/** The words of a heading without their marks, on one line. */
export function titleOf({ markdown }: Heading): string {
  return oneLine(plainWords(markdown.slice(0, LONGEST_TITLE))) || markdown;
}

/** Where a text ends that is cut at `end`, without headings whose text was cut off. */
export function withoutLastHeadings(markdown: string, end: number): number {
  let to = end;
  for (const { at } of headingsIn(markdown.slice(0, end)).reverse()) {
    const [, ...below] = markdown.slice(at, to).split('\n');
    if (at === 0 || !below.every((line) => line.trim() === '' || UNDERLINE.test(line))) return to;
    to = at;
  }
  return to;
}
