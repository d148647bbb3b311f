// Splits a text into units that people read one by one: sentences, points of a list, rows of a table, lines of code.

import { tableCells } from '../text/table-row.ts';
import { seenLines } from './compare-texts.ts';
import { fencedLines } from './comparison.ts';
import { isRule, isTableRow, type TableRow } from './tables.ts';

export interface Unit {
  text: string;
  /** The number of the paragraph, which its sentences share. */
  paragraph: number;
  isCode: boolean;
  row: TableRow | null;
}

/** Returns the units of a text without the marks of headings, lists and quotes. The lines of a paragraph are joined. */
export function unitsOf(text: string): Unit[] {
  const lines = seenLines(text);
  const fenced = fencedLines(lines);
  const units: Unit[] = [];
  let paragraph = 0;
  let open: string[] = [];
  let header: readonly string[] | null = null;
  const close = () => {
    for (const sentence of sentencesOf(open.join(' ')))
      units.push({ text: sentence, paragraph, isCode: false, row: null });
    open = [];
    paragraph++;
  };
  for (const [i, line] of lines.entries()) {
    const isRow = fenced[i] !== true && isTableRow(line);
    if (!isRow) header = null;
    if (fenced[i]) {
      close();
      if (line.trim() !== '' && !FENCE.test(line)) units.push({ text: line, paragraph, isCode: true, row: null });
    } else if (isRow) {
      close();
      const cells = tableCells(line);
      header ??= isRule(lines[i + 1] ?? '') ? cells : [];
      if (!isRule(line)) units.push({ text: cells.join(' | '), paragraph, isCode: false, row: { cells, header } });
    } else if (line.trim() === '' || LINE.test(line)) close();
    else {
      const [mark = ''] = MARK.exec(line) ?? [];
      if (mark !== '') close();
      open.push(line.slice(mark.length).replace(/\s+/g, ' ').trim());
      if (HEADING.test(mark)) close();
    }
  }
  close();
  return units;
}

const FENCE = /^[\s>]*(?:`{3,}|~{3,})/;
/** A rule across the text, or the line under a heading. */
const LINE = /^\s*(?:[-*_=]\s*){3,}$/;
const MARK = /^(?:\s*(?:#{1,6}|>+|[-*+•]|\d{1,9}[.)])(?=\s))+\s*/;
const HEADING = /#/;

/**
 * The space after a sentence. Abbreviations and dates such as `3. Mai` end no sentence. The pattern looks back only from a space: from each
 * of many quotation marks, it would scan all the text before.
 */
const SENTENCE_END = new RegExp(
  [
    '(?=\\s)(?<=(?:[^\\s\\d.]{2}|\\d{3})\\.["\'”’»)\\]*_]*)(?<!\\b(?:Dr|Mr|Mrs|Ms|Nr|No|St|Art|bzw|ca|vs)\\.)\\s+(?=[^\\p{Ll}\\s])',
    '(?=\\s)(?<=[!?…]["\'”’»)\\]*_]*)\\s+(?=[^\\p{Ll}\\s])',
    '(?<=[。！？][”’」』）]?)(?![”’」』）])\\s*(?=\\S)',
  ].join('|'),
  'u',
);

export function sentencesOf(paragraph: string): string[] {
  return paragraph === '' ? [] : paragraph.split(SENTENCE_END).filter((sentence) => sentence.trim() !== '');
}
