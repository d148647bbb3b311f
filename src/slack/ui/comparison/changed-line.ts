import { diffArrays } from 'diff';
import type { Piece } from './comparison.ts';

/** If more words changed, both whole lines are as easy to read. */
const MOST_EDITS = 300;

/** Compares two lines by words, as one text. */
export function changedLine(before: string, after: string, budget: Budget): Piece[] {
  const { start, end } = commonText(before, after);
  const inner = innerPieces(before.slice(start, before.length - end), after.slice(start, after.length - end), budget);
  return joinedPieces([
    { kind: 'kept', text: before.slice(0, start) },
    ...inner,
    { kind: 'kept', text: before.slice(before.length - end) },
  ]);
}

function innerPieces(before: string, after: string, budget: Budget): Piece[] {
  const isAffordable = spend(budget, 'characters', before.length + after.length) && budget.steps > 0;
  const changes = isAffordable ? diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: MOST_EDITS }) : undefined;
  const edits = changes?.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0);
  spend(budget, 'steps', (edits ?? MOST_EDITS) ** 2);
  if (!changes)
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ];
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'kept',
    text: value.join(''),
  }));
}

type Step = Record<Piece['kind'], string>;

/** Space or punctuation of this length between two changes counts as part of them. */
const LONGEST_SPACE = 3;

/** Joins neighbours of one kind, and changes that only a space divides. A removed part comes before its replacement. */
function joinedPieces(pieces: readonly Piece[]): Piece[] {
  const joined: Step[] = [];
  for (const step of stepsOf(pieces)) {
    const last = joined.at(-1);
    if (!last || !isOneChange(last, step)) joined.push(step);
    else {
      last.removed += step.kept + step.removed;
      last.added += step.kept + step.added;
    }
  }
  return joined.flatMap(piecesOf).filter(({ text }) => text !== '');
}

function stepsOf(pieces: readonly Piece[]): Step[] {
  const steps: Step[] = [];
  for (const { kind, text } of pieces) {
    const last = steps.at(-1);
    const continues = last && (kind !== 'kept' || (last.removed === '' && last.added === ''));
    if (continues) last[kind] += text;
    else steps.push({ kept: '', removed: '', added: '', [kind]: text });
  }
  return steps;
}

function isOneChange(one: Step, next: Step): boolean {
  return isReplaced(one) && isReplaced(next) && next.kept.length <= LONGEST_SPACE && !saysSomething(next.kept);
}

function isReplaced({ removed, added }: Step): boolean {
  return removed !== '' && added !== '';
}

function piecesOf({ kept, removed, added }: Step): Piece[] {
  return [
    { kind: 'kept', text: kept },
    { kind: 'removed', text: removed },
    { kind: 'added', text: added },
  ];
}

const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const PICTURE = '\\p{Extended_Pictographic}[\\p{EMod}\\uFE0F\\u20E3]*';

/** `Intl.Segmenter` knows more about words, but takes a hundred times as long. */
const WORDS = new RegExp(
  [
    '\\p{RI}\\p{RI}', // a flag
    `${PICTURE}(?:\\u200D${PICTURE})*`, // an emoji, such as a family
    `[${UNSPACED}]\\p{M}*`, // a character of a script that puts no spaces between words
    `(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}_])+`,
    '\\s+',
    '[^]\\p{M}*',
  ].join('|'),
  'gu',
);

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Returns the words of a line and the text between them; joined they are the line. */
export function wordsOf(line: string): string[] {
  return line.match(WORDS) ?? [];
}

/** Returns true for a text with letters or digits. */
export function saysSomething(text: string): boolean {
  return LETTER_OR_DIGIT.test(text);
}

/** Returns how many characters two texts share at their beginning and at their end, in whole words. */
export function commonText(before: string, after: string): { start: number; end: number } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  while (start > 0 && !isSpace(before, start - 1)) start--;
  let end = 0;
  while (end < most - start && unitFromEnd(before, end) === unitFromEnd(after, end)) end++;
  while (end > 0 && !isSpace(before, before.length - end)) end--;
  return { start, end };
}

function unitFromEnd(text: string, place: number): number {
  return text.charCodeAt(text.length - 1 - place);
}

function isSpace(text: string, place: number): boolean {
  const unit = text.charCodeAt(place);
  return unit === 32 || unit === 9;
}

/**
 * The work that one comparison may do beyond what grows only with the length of the texts, so that it never holds up other people's clicks.
 * It counts steps, not time, so that a comparison always has the same result and the same pages.
 */
export interface Budget {
  /** Characters to read word by word. A million take about 150 ms. */
  characters: number;
  /** Words to look up, to find similar lines. A million take about 50 ms. */
  lookUps: number;
  /** Steps between the words of changed lines. A million take about 60 ms. */
  steps: number;
}

/** Spends some of the budget, even if too little is left. Returns true if there was enough. */
export function spend(budget: Budget, what: keyof Budget, amount: number): boolean {
  budget[what] -= amount;
  return budget[what] >= 0;
}
