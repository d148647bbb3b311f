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

/**
 * The sections that one of the texts has alone, and the lines that belong to them. One that keeps its text under another
 * heading isn't among them, and a section ends where the texts have a line in common again.
 */
function sectionsOnlyIn(
  kind: 'removed' | 'added',
  { lines, headings, others }: { lines: readonly ComparedLine[]; headings: Headings; others: Headings },
): { titles: string[]; within: boolean[] } {
  const known = new Set(others.map((heading) => heading?.title));
  const keepsText = textKept(kind, lines, headings);
  const titles: string[] = [];
  let level: number | null = null;
  const within = headings.map((heading, i) => {
    if (isCommon(lines[i])) level = null;
    else if (heading && (level === null || heading.level <= level)) {
      level = known.has(heading.title) || keepsText[i] ? null : heading.level;
      if (level !== null) titles.push(heading.title);
    }
    return level !== null;
  });
  return { titles, within };
}

/** For each line, whether the next one of its text is common to both texts and no heading. */
function textKept(kind: 'removed' | 'added', lines: readonly ComparedLine[], headings: Headings): boolean[] {
  const kept: boolean[] = [];
  let isKept = false;
  for (let i = lines.length - 1; i >= 0; i -= 1) {
    kept[i] = isKept;
    const line = lines[i];
    if (isCommon(line)) isKept = headings[i] === null;
    else if (line?.kind === kind && line.text !== '') isKept = false;
  }
  return kept;
}

function isCommon(line: ComparedLine | undefined): boolean {
  return line?.kind === 'changed' || (line?.kind === 'kept' && line.text !== '');
}
