import { plainWords } from '../ui/text/plain-words.ts';
import { fencedLines } from './code-lines.ts';
import { type ComparedLine, lineWithout } from './comparison.ts';

/** How much was changed: lines that aren't empty, and the titles of sections that only one of the texts has. */
export interface Summary {
  changed: number;
  /** But for those of added and removed sections. */
  added: number;
  removed: number;
  sections: { added: string[]; removed: string[] };
}

export function summaryOf(lines: readonly ComparedLine[]): Summary {
  const before = headingsOf(lines.map((line) => lineWithout(line, 'added')));
  const after = headingsOf(lines.map((line) => lineWithout(line, 'removed')));
  const removed = sectionsOnlyIn('removed', { lines, headings: before, others: after });
  const added = sectionsOnlyIn('added', { lines, headings: after, others: before });
  const count = (kind: 'removed' | 'added', isCounted: readonly boolean[]) =>
    lines.filter((line, i) => line.kind === kind && line.text !== '' && !isCounted[i]).length;
  return {
    changed: lines.filter(({ kind }) => kind === 'changed').length,
    added: count('added', added.within),
    removed: count('removed', removed.within),
    sections: { added: added.titles, removed: removed.titles },
  };
}

interface Heading {
  level: number;
  title: string;
}

type Headings = (Heading | null)[];

const HEADING = /^ {0,3}(#{1,6})[ \t]+(?=[^\s#])/;
const LONGEST_TITLE = 200;

function headingsOf(lines: readonly (string | null)[]): Headings {
  const fenced = fencedLines(lines);
  return lines.map((line, i) => (line === null || fenced[i] ? null : headingOf(line)));
}

function headingOf(line: string): Heading | null {
  const [mark = '', hashes = ''] = HEADING.exec(line) ?? [];
  if (mark === '') return null;
  const title = plainWords(line.slice(mark.length, mark.length + LONGEST_TITLE)).replace(/[\s#]{1,9}$/, '');
  return { level: hashes.length, title };
}

/** The sections whose heading stands in one of the texts alone, and the lines that belong to them. */
function sectionsOnlyIn(
  kind: 'removed' | 'added',
  { lines, headings, others }: { lines: readonly ComparedLine[]; headings: Headings; others: Headings },
): { titles: string[]; within: boolean[] } {
  const known = new Set(others.map((heading) => heading?.title));
  const titles: string[] = [];
  let level: number | null = null;
  const within = headings.map((heading, i) => {
    if (heading && (level === null || heading.level <= level)) {
      level = lines[i]?.kind === kind && !known.has(heading.title) ? heading.level : null;
      if (level !== null) titles.push(heading.title);
    }
    return level !== null;
  });
  return { titles, within };
}
