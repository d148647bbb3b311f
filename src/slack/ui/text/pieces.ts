// The pieces of a Markdown text: it is cut between them, and what is left out is counted in them.
import { characterEnd, cutEnd } from '../../../core/values/cut.ts';
import { type CodeFence, fenceAfterLine } from './markdown.ts';
import { isTableRule } from './table-row.ts';

/** `line`: of code. `row`: of a table; the first one has the head of the table, too. */
export interface Piece {
  kind: 'paragraph' | 'heading' | 'item' | 'row' | 'line' | 'rule';
  start: number;
  end: number;
}

/** What is counted where a text is cut. */
export interface Left {
  unit: 'paragraphs' | 'items' | 'rows' | 'lines' | 'fields' | 'sentences' | 'words';
  count: number;
}

const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;

/** The pieces of a Markdown text in their order, with the empty lines that follow each. */
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
  /** Whether the next line belongs to the last piece: to a text, a table or the opening of a code block. */
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

  /** The line above has the head of the table, which is nothing without a row. */
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

/** What these pieces are called together: a list, a table or code among paragraphs counts as one of them. */
export function countPieces(pieces: readonly Pick<Piece, 'kind'>[]): Left {
  const isCounted = ({ kind }: Pick<Piece, 'kind'>) => kind !== 'heading' && kind !== 'rule';
  const counted = pieces.filter(isCounted);
  const kinds = new Set(counted.map(({ kind }) => kind));
  const [only = 'paragraph'] = kinds;
  if (kinds.size === 1 && only !== 'paragraph' && only !== 'heading' && only !== 'rule')
    return { unit: BLOCKS[only], count: counted.length };
  const isNew = ({ kind }: Pick<Piece, 'kind'>, i: number) => kind === 'paragraph' || pieces[i - 1]?.kind !== kind;
  const paragraphs = pieces.filter((piece, i) => isCounted(piece) && isNew(piece, i));
  return { unit: 'paragraphs', count: Math.max(1, paragraphs.length) };
}

/** Not after `e.g.` or an initial. */
const SENTENCE_END = /(?:(?<!(?:^|[\s(.])\p{L})\.|[!?…])["”’)\]*_]*(?=\s|$)|[。！？]["”’」』）]?/gu;

/** Where the sentences of a text end, without the space between them. The last one ends with the text. */
export function sentenceEnds(text: string): number[] {
  const ends = Array.from(text.matchAll(SENTENCE_END), (match) => match.index + match[0].length);
  const end = text.trimEnd().length;
  return (ends.at(-1) ?? 0) < end ? [...ends, end] : ends;
}

/** No card shows more of a text that isn't cut between its pieces. */
const LONGEST_BEGINNING = 6_000;

/**
 * The longest beginning of a text that fits: whole sentences or, where not even one fits and `least` is `'words'`, whole words or
 * else whole characters, with an ellipsis. Null where nothing does.
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

/** What is cut within a sentence would seem to end there: `5 fixed, 1`. */
export const ELLIPSIS = ' …';
/** An entity that the cut splits. */
const OPEN_ENTITY = /&#?\w{0,31}$/;

/** The last of these ends that fits, if what is shorter than what fits does, too; null if none does. */
function lastThatFits(ends: readonly number[], fits: (end: number) => boolean): number | null {
  let [from, to] = [0, ends.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (fits(ends[middle] ?? 0)) from = middle + 1;
    else to = middle;
  }
  return ends[from - 1] ?? null;
}

/** A word; of scripts that don't separate them, a character. `Intl.Segmenter` takes minutes for a long text. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}])[\p{L}\p{N}\p{M}'’-])+/gu;

export function countWords(text: string): number {
  return text.match(WORD)?.filter((word) => /[\p{L}\p{N}]/u.test(word)).length ?? 0;
}
