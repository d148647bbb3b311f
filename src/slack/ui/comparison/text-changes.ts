// Lists the changes between two texts, and chooses the few lines of them that a card shows.
import { characterEnd, cutEnd } from '../../../core/values/cut.ts';
import { oneLine } from '../../../core/values/text.ts';
import { disguisedHosts } from '../masking.ts';
import { inlineElements } from '../rich-text.ts';
import { columnsOf } from '../text/columns.ts';
import { parseLine } from '../text/markdown.ts';
import { type Budget, changedLine, saysSomething } from './changed-line.ts';
import { compareLines, isTooLarge } from './compare-texts.ts';
import type { Piece } from './comparison.ts';
import { changedFields, type FieldChange } from './fields.ts';
import { type Unit, unitsOf } from './units.ts';

interface TextChange {
  /** The name of a field or cell; null for a sentence. */
  label: string | null;
  before: string | null;
  after: string | null;
  /** The text is unchanged, but stands at another place. */
  isMoved: boolean;
  /** The text isn't Markdown, but code or the value of a field. */
  isRaw: boolean;
  /** The text is all of a field or cell. */
  isValue: boolean;
}

/** A line that shows a removed, added or moved text, or both values of a field. */
export type ChangeLine = { label: string | null } & (
  | { kind: 'removed' | 'added' | 'moved'; pieces: Piece[] }
  | { kind: 'replaced'; before: string; after: string }
);

export interface Changes {
  lines: ChangeLine[];
  more: number;
}

/** Returns the most important changes in the order of the text; null if the texts are too large to be compared. */
export function changesBetween(before: string, after: string): Changes | null {
  const changes = isTooLarge(before, after) ? null : changesIn(before, after);
  return changes && withinCard(changes);
}

function changesIn(before: string, after: string): TextChange[] | null {
  const fields = changedFields(before, after);
  return fields ? fields.flatMap(fieldChanges) : unitChanges(before, after);
}

const IN_PLACE = { label: null, isMoved: false, isRaw: false, isValue: false };
/** Changes of a longer value are shown by its sentences. */
const LONGEST_VALUE = 80;

function fieldChanges({ label, before, after }: FieldChange): TextChange[] {
  const whole = { ...IN_PLACE, label: label || null, before, after, isRaw: true, isValue: true };
  if (before === null || after === null || Math.max(before.length, after.length) <= LONGEST_VALUE) return [whole];
  const within = unitChanges(before, after) ?? [];
  return within.length === 0 ? [whole] : within.map((change) => ({ ...change, label: whole.label, isRaw: true }));
}

/** Consecutive units of one paragraph that the other text doesn't have. */
type Run = Unit[];

function unitChanges(before: string, after: string): TextChange[] | null {
  const [left, right] = [unitsOf(before), unitsOf(after)];
  const compared = compareLines(left.map(textOf), right.map(textOf));
  if (!compared) return null;
  const changes: TextChange[] = [];
  let [b, a] = [0, 0];
  let gap: { removed: Run[]; added: Run[] } = { removed: [], added: [] };
  for (const { kind } of compared) {
    const [one, other] = [left[b], right[a]];
    if (kind === 'removed' && one) extend(gap.removed, one);
    else if (kind === 'added' && other) extend(gap.added, other);
    else {
      changes.push(...gapChanges(gap));
      gap = { removed: [], added: [] };
      if (kind === 'changed' && one && other) changes.push(...changesOf(one, other));
    }
    if (kind !== 'added') b++;
    if (kind !== 'removed') a++;
  }
  return withMoves([...changes, ...gapChanges(gap)]);
}

function textOf({ text }: Unit): string {
  return text;
}

function extend(runs: Run[], unit: Unit): void {
  const run = runs.at(-1);
  const continues = run?.[0]?.paragraph === unit.paragraph && !unit.isCode && unit.row === null;
  if (run && continues) run.push(unit);
  else runs.push([unit]);
}

/** Pairs the units that were removed and added at one place. */
function gapChanges({ removed, added }: { removed: Run[]; added: Run[] }): TextChange[] {
  const [[one], [other]] = [removed, added];
  if (removed.length === 1 && added.length === 1 && one && other) return changesOf(joinRun(one), joinRun(other));
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, i) => [
    ...wholeChange(removed[i], 'before'),
    ...wholeChange(added[i], 'after'),
  ]).flat();
}

function wholeChange(run: Run | undefined, side: 'before' | 'after'): TextChange[] {
  if (!run) return [];
  const unit = joinRun(run);
  return [{ ...IN_PLACE, before: null, after: null, isRaw: unit.isCode, [side]: shownText(unit) }];
}

function shownText({ text, row }: Unit): string {
  return row ? row.cells.filter(Boolean).join(' · ') : text;
}

function joinRun(run: Run): Unit {
  const [first = { text: '', paragraph: 0, isCode: false, row: null }] = run;
  return { ...first, text: run.map(textOf).join(' ') };
}

function changesOf(before: Unit, after: Unit): TextChange[] {
  const isRaw = before.isCode || after.isCode;
  const cells = before.row && after.row && cellChanges(before.row.cells, after.row);
  return cells ?? [{ ...IN_PLACE, before: shownText(before), after: shownText(after), isRaw }];
}

/** Compares two rows cell by cell. A change is named by the first cell and the header. Null if the rows share no cell. */
function cellChanges(before: readonly string[], { cells, header }: NonNullable<Unit['row']>): TextChange[] | null {
  const equal = cells.filter((cell, column) => cell === before[column]);
  if (before.length !== cells.length || equal.length === 0) return null;
  const [name = ''] = cells;
  return cells.flatMap((cell, column): TextChange[] => {
    const old = before[column] ?? '';
    if (old === cell) return [];
    const label = [column === 0 ? '' : name, header[column] === cell ? '' : (header[column] ?? '')].filter(Boolean);
    return [{ ...IN_PLACE, label: label.join(' · ') || null, before: old || null, after: cell || null, isValue: true }];
  });
}

/** Turns text that was removed at one place and added at another into a move. */
function withMoves(changes: readonly TextChange[]): TextChange[] {
  const gone = new Map<string, number>();
  for (const { before, after } of changes)
    if (before !== null && after === null) gone.set(before, (gone.get(before) ?? 0) + 1);
  const moved = new Map<string, number>();
  const marked = changes.map((change): TextChange => {
    const { before, after, isRaw } = change;
    if (after === null || before !== null || isRaw || !saysSomething(after)) return change;
    const left = gone.get(after) ?? 0;
    if (left === 0) return change;
    gone.set(after, left - 1);
    moved.set(after, (moved.get(after) ?? 0) + 1);
    return { ...change, isMoved: true };
  });
  return marked.filter(({ before, after }) => {
    const left = before !== null && after === null ? (moved.get(before) ?? 0) : 0;
    if (left > 0 && before !== null) moved.set(before, left - 1);
    return left === 0;
  });
}

/** So many lines with a title take about 150 px on a desk and 270 px on a phone. */
const MOST_LINES = 6;
const MOST_ROWS_ON_PHONE = 10;
const COLUMNS_OF_PHONE = 38;
/** The longest line, two rows on a phone, and the longest one of only a few lines. */
const LINE_LENGTH = 72;
const LINE_LENGTHS: { [count: number]: number } = { 1: 230, 2: 170, 3: 110 };

function withinCard(changes: readonly TextChange[]): Changes {
  const chosen: Ranked[] = [];
  let [count, rows] = [0, 0];
  for (const each of rankChanges(changes)) {
    const lines = linesOf(each.change, LINE_LENGTH);
    count += lines.length;
    rows += lines.reduce((sum, line) => sum + Math.ceil(lengthOf(line) / COLUMNS_OF_PHONE), 0);
    if (count > MOST_LINES || rows > MOST_ROWS_ON_PHONE) break;
    chosen.push(each);
  }
  const most = chosen.length === changes.length ? (LINE_LENGTHS[count] ?? LINE_LENGTH) : LINE_LENGTH;
  chosen.sort((one, other) => one.place - other.place);
  return { lines: chosen.flatMap(({ change }) => linesOf(change, most)), more: changes.length - chosen.length };
}

function lengthOf(line: ChangeLine): number {
  const words =
    line.kind === 'replaced' ? `${line.before} + ${line.after}` : line.pieces.map(({ text }) => text).join('');
  return columnsOf(`${line.label ?? ''}  ${words}`);
}

/** Kinds of changes, the most important first. */
const KINDS = ['removed', 'added', 'number', 'words', 'moved', 'marks'] as const;
type Kind = (typeof KINDS)[number];

interface Ranked {
  change: TextChange;
  place: number;
  kind: Kind;
  /** The number of changes of its kind before it. */
  nth: number;
}

/** Sorts changes: the first of each kind, then the second of each, and so on, so that no kind hides another. */
function rankChanges(changes: readonly TextChange[]): Ranked[] {
  const budget = newBudget();
  const counts = new Map<Kind, number>();
  const all = changes.map((change, place) => {
    const kind = kindOf(change, budget);
    const nth = counts.get(kind) ?? 0;
    counts.set(kind, nth + 1);
    return { change, place, kind, nth };
  });
  const isMinor = ({ kind }: Ranked) => Number(kind === 'moved' || kind === 'marks');
  return all.sort(
    (one, other) =>
      isMinor(one) - isMinor(other) || one.nth - other.nth || KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind),
  );
}

function newBudget(): Budget {
  return { characters: 200_000, lookUps: 0, steps: 200_000 };
}

const NUMBER_OR_ADDRESS = /\p{N}|@|:\/\//u;

function kindOf({ before, after, isMoved }: TextChange, budget: Budget): Kind {
  if (isMoved) return 'moved';
  if (before === null || after === null) {
    if (!saysSomething(before ?? after ?? '')) return 'marks';
    return after === null ? 'removed' : 'added';
  }
  const pieces = changedLine(before, after, budget).filter(({ kind }) => kind !== 'kept');
  const words = pieces.map(({ text }) => text).join(' ');
  if (!saysSomething(words)) return 'marks';
  return NUMBER_OR_ADDRESS.test(words) ? 'number' : 'words';
}

/** Both values of a field stand on one line if together they have no more columns. */
const LONGEST_PAIR = 60;

/** Renders a change in lines of at most `most` columns. */
function linesOf(change: TextChange, most: number): ChangeLine[] {
  const { isMoved, isValue } = change;
  const label = change.label === null ? null : beginning(oneLine(change.label), LONGEST_PAIR);
  const [before, after] = readable(change);
  const whole = (kind: 'removed' | 'added' | 'moved', text: string): ChangeLine => ({
    ...{ label, kind },
    pieces: [{ kind: 'kept', text: beginning(text, most) }],
  });
  if (before === null || after === null)
    return [
      ...(before === null ? [] : [whole('removed', before)]),
      ...(after === null ? [] : [whole(isMoved ? 'moved' : 'added', after)]),
    ];
  if (isValue && columnsOf(before) + columnsOf(after) <= LONGEST_PAIR)
    return [{ kind: 'replaced', label, before, after }];
  const pieces = changedLine(before, after, newBudget());
  const isSplit =
    pieces.some(({ kind, text }) => kind === 'kept' && saysSomething(text)) &&
    pieces.some(({ kind, text }) => kind !== 'kept' && text.trim() !== '');
  // A host that imitates another can be told from it only as a whole.
  if (!isSplit || disguisedHosts(`${before} ${after}`).length > 0)
    return [whole('removed', before), whole('added', after)];
  const words = pieces.filter(({ kind }) => kind !== 'kept');
  // If words were only added, the line without them says nothing more. If words were only removed, the line with them alone would seem to
  // say that all of it was removed.
  const isAdditionOnly =
    words.some(({ text }) => saysSomething(text)) && words.every((piece) => piece.kind !== 'removed');
  return (['removed', 'added'] as const).flatMap((kind): ChangeLine[] => {
    if (kind === 'removed' && isAdditionOnly) return [];
    const own = pieces.filter((piece) => piece.kind === 'kept' || piece.kind === kind);
    return [{ label, kind, pieces: excerpt(own, most) }];
  });
}

/** Sentences of prose are shorter. The parser's time grows with the square of a line that is full of marks. */
const LONGEST_PARSED = 2_000;

/** Returns both sides as people read them, or as they are written if only that differs. Null for a side without text. */
function readable({ before, after, isRaw }: TextChange): [string | null, string | null] {
  const isLong = Math.max(before?.length ?? 0, after?.length ?? 0) > LONGEST_PARSED;
  const [one, other] = [before, after].map((text) => text && (isRaw || isLong ? oneLine(text) : plainLine(text)));
  return one !== other ? [one || null, other || null] : [before || null, after || null];
}

function plainLine(text: string): string {
  try {
    const elements = inlineElements(parseLine(text));
    return (
      oneLine(elements.map((element) => ('text' in element ? (element.text ?? '') : '')).join('')) || oneLine(text)
    );
  } catch {
    // Text that is nested thousands of levels deep overflows the parser's stack.
    return oneLine(text);
  }
}

/** Lengths of the text around a change in a sentence that is too long; the first that fits is taken. */
const AROUND = [34, 22, 14, 8];

/** Returns the changed words of a sentence, and as many of the others as fit. */
function excerpt(pieces: readonly Piece[], most: number): Piece[] {
  const shorter = AROUND.map((around) =>
    pieces.map((piece, i) => shorten(piece, around, { isFirst: i === 0, isLast: i === pieces.length - 1 })),
  );
  const fitting = [pieces, ...shorter].find((each) => lengthOfAll(each) <= most) ?? shorter.at(-1) ?? pieces;
  let left = most;
  return fitting.flatMap(({ kind, text }): Piece[] => {
    const room = left;
    left -= columnsOf(text);
    return room <= 0 ? [] : [{ kind, text: left < 0 ? beginning(text, room) : text }];
  });
}

function lengthOfAll(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + columnsOf(text), 0);
}

function shorten(
  { kind, text }: Piece,
  around: number,
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): Piece {
  const most = isFirst || isLast ? around : 2 * around;
  if (kind !== 'kept' || columnsOf(text) <= most + 2) return { kind, text };
  const from = text.indexOf(' ', text.length - around);
  const end = text.slice(from === -1 ? characterEnd(text, text.length - around) : from);
  const start = isFirst ? '…' : beginning(text, around);
  return { kind, text: isLast ? start : `${start}${end}` };
}

const SENTENCE_END = /[.!?…。！？]["”’)]?(?=\s)/g;

/** Returns the beginning of a text: whole sentences if they fill most of the room, otherwise whole words. */
function beginning(text: string, most: number): string {
  if (columnsOf(text) <= most) return text;
  const head = text.slice(0, Math.floor((most * text.length) / columnsOf(text)));
  const sentence = Array.from(head.matchAll(SENTENCE_END), (end) => end.index + end[0].length).at(-1) ?? 0;
  const word = head.lastIndexOf(' ');
  const end = [sentence, word].find((at) => at > head.length / 2) ?? cutEnd(text, head.length);
  return `${text.slice(0, end)}${end === sentence ? ' …' : '…'}`;
}
