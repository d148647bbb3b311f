// Divides a text into the parts that people edit at once.
import { cleanText } from '../../../core/values/text.ts';
import { sensibleEnd } from '../../ui/cut-markdown.ts';
import { TYPED_TEXT_LIMIT } from '../../ui/limits.ts';
import { type CodeFence, fenceAfterLine, markedTitle, readableText } from '../../ui/text/markdown.ts';
import type { Span } from './edit.ts';

/** Parts of a long section are shorter than an input, so that people can add text. */
const PART_LENGTH = 2_700;

/** A part of a text, without the space around it. */
export interface Section extends Span {
  /** Heading on one line. Null if there is none. */
  heading: string | null;
  /** Place among the parts of a section that doesn't fit into an input. Null for a whole section. */
  part: { number: number; of: number } | null;
}

/** Returns a text as people edit it: JSON is indented, and the last line ends like the others. */
export function editableText(text: string): string {
  return `${cleanText(readableText(text)).trimEnd()}\n`;
}

/** More headings don't help to find a place. */
const MOST_SECTIONS = 100;

/** Returns the parts of a text that fit into an input: all of it, or its sections by heading, or parts of these. */
export function sectionsOf(text: string): Section[] {
  const all = { start: 0, end: text.length };
  const whole = trimmed(text, all);
  if (whole === null) return [];
  if (fits(whole)) return [{ ...whole, heading: null, part: null }];
  const sections = headedSpans(text).flatMap((span) => partsOf(text, span));
  return sections.length <= MOST_SECTIONS ? sections : partsOf(text, { ...all, heading: null });
}

type Headed = Span & Pick<Section, 'heading'>;

function headedSpans(text: string): Headed[] {
  const spans: Headed[] = [];
  let current: Headed = { start: 0, end: 0, heading: null };
  let fence: CodeFence | null = null;
  for (const line of text.split('\n')) {
    const title = fence === null ? markedTitle(line) : null;
    fence = fenceAfterLine(line, fence);
    if (title !== null) {
      spans.push(current);
      current = { start: current.end, end: current.end, heading: title || null };
    }
    current.end += line.length + 1;
  }
  return [...spans, { ...current, end: text.length }];
}

function partsOf(text: string, { heading, ...span }: Headed): Section[] {
  const spans = spansWithin(text, span);
  const partAt = (i: number) => (spans.length === 1 ? null : { number: i + 1, of: spans.length });
  return spans.map((each, i) => ({ ...each, heading, part: partAt(i) }));
}

function spansWithin(text: string, { start, end }: Span): Span[] {
  const whole = trimmed(text, { start, end });
  if (whole && fits(whole)) return [whole];
  const spans: Span[] = [];
  for (let from = start; from < end; ) {
    const to = from + Math.max(1, sensibleEnd(text.slice(from, end), PART_LENGTH));
    const span = trimmed(text, { start: from, end: to });
    if (span) spans.push(span);
    from = to;
  }
  return spans;
}

function fits({ start, end }: Span): boolean {
  return end - start <= TYPED_TEXT_LIMIT;
}

function trimmed(text: string, { start, end }: Span): Span | null {
  const within = text.slice(start, end);
  const words = within.trim();
  if (words === '') return null;
  const from = start + within.indexOf(words);
  return { start: from, end: from + words.length };
}
