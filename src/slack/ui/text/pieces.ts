// Splits a Markdown text into pieces. A text is cut between its pieces, and the number of those left out is shown.
import { characterEnd, cutEnd } from '../../../core/values/cut.ts';
import { type CodeFence, fenceAfterLine } from './markdown.ts';
import { isTableRule } from './table-row.ts';

/** A piece of a text. `line` is a line of code. The first `row` of a table includes its head. */
export interface Piece {
  kind: 'paragraph' | 'heading' | 'item' | 'row' | 'line' | 'rule';
  start: number;
  end: number;
}

/** The number of units that were left out where a text was cut. */
export interface Left {
  unit: 'paragraphs' | 'items' | 'rows' | 'lines' | 'fields' | 'sentences' | 'words';
  count: number;
}

const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;

/** Returns the pieces of a Markdown text in their order, each with the empty lines that follow it. */
export function piecesOf(markdown: string): Piece[] {
  const reader = new PieceReader();
  for (const line of markdown.split('\n')) reader.read(line);
  const last = reader.pieces.at(-1);
  if (last) last.end = Math.min(last.end, markdown.length);
  return reader.pieces;
}

class PieceReader {
  readonly pieces: Piece[] = [];
  #fence: CodeFence | null = null;
  /** Tells whether the next line continues the last piece, and as what. `code`: the line that opened a code block. */
  #goesOn: 'no' | 'text' | 'table' | 'code' = 'no';
  #lastLine = '';
  #at = 0;

  read(line: string): void {
    const before = this.#fence;
    this.#fence = fenceAfterLine(line, before);
    if (before !== null) this.#readCode(line, this.#fence === null);
    else if (this.#fence !== null) this.#begin('line', line, 'code');
    else if (line.trim() === '') this.#extend(line, 'no');
    else this.#readText(line);
    this.#lastLine = line;
    this.#at += line.length + 1;
  }

  #readCode(line: string, isClosing: boolean): void {
    if (isClosing || this.#goesOn === 'code') this.#extend(line, 'no');
    else this.#begin('line', line, 'no');
  }

  #readText(line: string): void {
    const isText = this.#goesOn === 'text';
    if (isText && /^ {0,3}=+[ \t]*$/.test(line)) this.#extend(line, 'no');
    else if (isText && isTableRule(line)) this.#beginTable(line);
    else if (RULE.test(line)) this.#begin('rule', line, 'no');
    else if (HEADING.test(line)) this.#begin('heading', line, 'no');
    else if (this.#goesOn === 'table' && line.includes('|')) this.#readRow(line);
    else if (ITEM.test(line)) this.#begin('item', line, 'text');
    else if (isText) this.#extend(line, 'text');
    else this.#begin('paragraph', line, 'text');
  }

  #beginTable(line: string): void {
    const head = this.#at - this.#lastLine.length - 1;
    const last = this.pieces.at(-1);
    if (last && last.start < head) last.end = head;
    else this.pieces.pop();
    this.pieces.push({ kind: 'row', start: head, end: this.#at + line.length + 1 });
    this.#goesOn = 'table';
  }

  #readRow(line: string): void {
    if (isTableRule(this.#lastLine)) this.#extend(line, 'table');
    else this.#begin('row', line, 'table');
  }

  #begin(kind: Piece['kind'], { length }: string, goesOn: 'no' | 'text' | 'table' | 'code'): void {
    this.pieces.push({ kind, start: this.#at, end: this.#at + length + 1 });
    this.#goesOn = goesOn;
  }

  #extend({ length }: string, goesOn: 'no' | 'text' | 'table'): void {
    const last = this.pieces.at(-1);
    if (last) last.end = this.#at + length + 1;
    this.#goesOn = goesOn;
  }
}

const BLOCKS = { item: 'items', row: 'rows', line: 'lines' } as const;

/** Counts pieces in the unit that they share. Otherwise counts paragraphs; a list, a table or a code block among them counts as one. */
export function countPieces(pieces: readonly Pick<Piece, 'kind'>[]): Left {
  const isCounted = ({ kind }: Pick<Piece, 'kind'>) => kind !== 'heading' && kind !== 'rule';
  const counted = pieces.filter(isCounted);
  const [only = 'paragraph', ...others] = new Set(counted.map(({ kind }) => kind));
  if (others.length === 0 && (only === 'item' || only === 'row' || only === 'line'))
    return { unit: BLOCKS[only], count: counted.length };
  const paragraphs = pieces.filter(
    (piece, i) => isCounted(piece) && (piece.kind === 'paragraph' || pieces[i - 1]?.kind !== piece.kind),
  );
  return { unit: 'paragraphs', count: Math.max(1, paragraphs.length) };
}

/** The end of a sentence. `e.g.` and initials end none. */
const SENTENCE_END = /(?:(?<!(?:^|[\s(.])\p{L})\.|[!?…])["”’)\]*_]*(?=\s|$)|[。！？]["”’」』）]?/gu;

/** Returns where the sentences of a text end, before the space between them. */
export function sentenceEnds(text: string): number[] {
  const ends = Array.from(text.matchAll(SENTENCE_END), (match) => match.index + match[0].length);
  const end = text.trimEnd().length;
  return (ends.at(-1) ?? 0) < end ? [...ends, end] : ends;
}

/** No card shows more of a piece that is cut within. */
const LONGEST_BEGINNING = 6_000;

/**
 * Returns the longest beginning of a text that fits: whole sentences, or, if not even one fits and `least` is `'words'`, whole words or
 * characters with an ellipsis. Null if nothing fits.
 */
export function beginningThatFits(
  text: string,
  { fits, least }: { fits: (beginning: string) => boolean; least: 'sentences' | 'words' },
): string | null {
  const near = text.slice(0, characterEnd(text, LONGEST_BEGINNING));
  const sentences = sentenceEnds(near).slice(0, -1);
  const sentence = lastThatFits(sentences, (end) => fits(near.slice(0, end)));
  if (sentence !== null || least === 'sentences') return sentence === null ? null : near.slice(0, sentence);
  const begun = (end: number) => `${near.slice(0, end)}${ELLIPSIS}`;
  const words = Array.from(near.matchAll(/\s+/g), ({ index }) => index).filter((index) => index > 0);
  const word = lastThatFits(words, (end) => fits(begun(end)));
  if (word !== null) return begun(word);
  const all = Array.from({ length: near.length }, (_, i) => i + 1);
  const length = lastThatFits(all, (end) => fits(begun(end)));
  return length === null ? null : `${near.slice(0, cutEnd(near, length)).replace(OPEN_ENTITY, '')}${ELLIPSIS}`;
}

/** Marks a cut within a sentence, which would otherwise seem to end there: `5 fixed, 1`. */
export const ELLIPSIS = ' …';
const OPEN_ENTITY = /&#?\w{0,31}$/;

/** Returns the last of these ends that fits; null if none does. All ends before one that fits have to fit, too. */
function lastThatFits(ends: readonly number[], fits: (end: number) => boolean): number | null {
  let [from, to] = [0, ends.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (fits(ends[middle] ?? 0)) from = middle + 1;
    else to = middle;
  }
  return ends[from - 1] ?? null;
}

/** A word, or a character of a script that doesn't separate words. `Intl.Segmenter` takes minutes for a long text. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}])[\p{L}\p{N}\p{M}'’-])+/gu;

export function countWords(text: string): number {
  return text.match(WORD)?.filter((word) => /[\p{L}\p{N}]/u.test(word)).length ?? 0;
}
