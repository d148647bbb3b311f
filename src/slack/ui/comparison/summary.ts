// What changed between two rounds, in a line on the card.
import { LRUCache } from 'lru-cache';
import type { OutputStore } from '../../../core/ports.ts';
import type { MessageKey } from '../../language/catalogues.ts';
import type { Say } from '../../language/say.ts';
import { listed } from '../person.ts';
import { escapedLine } from '../text/escape.ts';
import { plainWords } from '../text/markdown.ts';
import { compareTexts } from './compare-texts.ts';
import { type ComparedLine, type Comparison, fencedLines, lineWithout } from './comparison.ts';
import { countChanges } from './rows.ts';

/** What became of a text, as far as a card says it. */
export type Change = Exclude<Comparison, { kind: 'compared' }> | { kind: 'compared'; summary: Summary };

/** The hashes of two texts of one execution. */
interface ComparedTexts {
  ref: string;
  before: string;
  after: string;
}

/** What became of one text in the other; null if one of them is no longer stored. */
export type FindChange = (texts: ComparedTexts) => Promise<Change | null>;

/** More than there are cards that people still look at. */
const MOST_CHANGES = 1_000;

/** Compares two texts once: a card is rendered again with each vote. */
export function createFindChange(outputs: OutputStore): FindChange {
  const known = new LRUCache<string, Change>({ max: MOST_CHANGES });
  return async (texts) => {
    const key = `${texts.before} ${texts.after}`;
    const recent = known.get(key);
    if (recent) return recent;
    const found = await findComparison(outputs, texts);
    if (found === null) return null;
    const change: Change = found.kind === 'compared' ? { kind: 'compared', summary: summaryOf(found.lines) } : found;
    known.set(key, change);
    return change;
  };
}

/** Two texts as people see them, as one; null if one of them is no longer stored. */
export async function findComparison(
  outputs: OutputStore,
  { ref, before, after }: ComparedTexts,
): Promise<Comparison | null> {
  if (before === after) return { kind: 'same' };
  const [one, other] = await Promise.all([outputs.get(ref, before), outputs.get(ref, after)]);
  if (one === null || other === null) return null;
  const found = compareTexts(one, other);
  // Secrets that differ may have the same mark.
  return found.kind === 'same' ? { kind: 'unseen' } : found;
}

/** What changed since a round, on a line: `12 lines changed, 3 added, *Tests* removed`; mrkdwn. */
export function changeText(say: Say, change: Change, round: number): string {
  switch (change.kind) {
    case 'same':
      return say('compare.same-as', { round });
    case 'unseen':
      return say('compare.unseen');
    case 'too-large':
      return say('compare.too-large-for-card', { round });
    case 'compared':
      return say('compare.since-round', { what: summaryText(say, change.summary), round });
  }
}

const TITLE_LENGTH = 40;
/** So many added sections, and as many removed ones, are named. */
const MOST_TITLES = 3;

/** `12 lines changed, 3 added, 4 removed (*Tests*)`; mrkdwn. */
export function summaryText(say: Say, { changed, added, removed, sections }: Summary): string {
  const parts = [
    ...counted(say, 'compare.lines-changed', changed),
    ...counted(say, changed > 0 ? 'compare.added' : 'compare.lines-added', added, sections.added),
    ...counted(say, changed + added > 0 ? 'compare.removed' : 'compare.lines-removed', removed, sections.removed),
  ];
  return parts.length === 0 ? say('compare.empty-lines') : parts.join(', ');
}

type Counted = Extract<MessageKey, `compare.lines-${string}` | 'compare.added' | 'compare.removed'>;

function counted(say: Say, key: Counted, count: number, titles: readonly string[] = []): string[] {
  if (count === 0) return [];
  const named = titles.map((title) => `*${escapedLine(title, TITLE_LENGTH)}*`);
  const text = say(key, { count });
  return [named.length === 0 ? text : `${text} (${listed(named, say, { most: MOST_TITLES })})`];
}

/** How much was changed: the rows of a comparison with each mark, and the titles of sections that only one of the texts has. */
interface Summary {
  changed: number;
  added: number;
  removed: number;
  sections: { added: string[]; removed: string[] };
}

export function summaryOf(lines: readonly ComparedLine[]): Summary {
  const before = headingsOf(lines.map((line) => lineWithout(line, 'added')));
  const after = headingsOf(lines.map((line) => lineWithout(line, 'removed')));
  return {
    ...countChanges(lines),
    sections: {
      added: sectionsOnlyIn('added', { lines, headings: after, others: before }),
      removed: sectionsOnlyIn('removed', { lines, headings: before, others: after }),
    },
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
 * The titles of the sections that only one of the texts has. A section whose text stands under another heading in the other text
 * isn't among them, and a section ends where the texts have a line in common again.
 */
function sectionsOnlyIn(
  kind: 'removed' | 'added',
  { lines, headings, others }: { lines: readonly ComparedLine[]; headings: Headings; others: Headings },
): string[] {
  const known = new Set(others.map((heading) => heading?.title));
  const keepsText = textKept(kind, lines, headings);
  const titles: string[] = [];
  let level: number | null = null;
  for (const [i, heading] of headings.entries()) {
    if (isCommon(lines[i])) level = null;
    else if (heading && (level === null || heading.level <= level)) {
      level = known.has(heading.title) || keepsText[i] ? null : heading.level;
      if (level !== null) titles.push(heading.title);
    }
  }
  return titles;
}

/** For each line, whether the next line of its text is in both texts and isn't a heading. */
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
