// Parses JSON as it is written: numbers keep their digits, and a name that is given twice stays twice. `JSON.parse` loses both.
import { UNSEEN } from '../../../core/values/text.ts';

/** A value of a JSON text. `raw` is a number, true, false or null. */
export type JsonPart =
  | { kind: 'object'; entries: readonly (readonly [name: string, value: JsonPart])[] }
  | { kind: 'array'; items: readonly JsonPart[] }
  | { kind: 'text'; text: string }
  | { kind: 'raw'; text: string };

/** The place where a text stops being JSON, counted from 1. */
export interface JsonProblem {
  line: number;
  column: number;
}

/** Longer texts aren't parsed: their first and last characters tell whether they count as JSON. */
export const PARSED_LIMIT = 200_000;
/** Values that are nested deeper stay text. */
const DEEPEST = 100;

const SPACE = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON takes none of these in a text
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const RAW = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Reads one value after the other; `at` is the position. https://www.rfc-editor.org/rfc/rfc8259 */
class Reader {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads the next value; null if the text is no JSON from here on. `at` then is the place. */
  value(depth = 0): JsonPart | null {
    this.#match(SPACE);
    if (depth > DEEPEST) return null;
    if (this.#takes('{')) return this.#object(depth);
    if (this.#takes('[')) return this.#array(depth);
    const text = this.#match(TEXT);
    if (text !== null) return { kind: 'text', text: String(JSON.parse(text)) };
    const raw = this.#match(RAW);
    return raw === null ? null : { kind: 'raw', text: raw };
  }

  isAtEnd(): boolean {
    this.#match(SPACE);
    return this.at === this.#text.length;
  }

  #object(depth: number): JsonPart | null {
    const entries: [string, JsonPart][] = [];
    const isComplete = this.#list('}', () => {
      this.#match(SPACE);
      const name = this.#match(TEXT);
      this.#match(SPACE);
      if (name === null || !this.#takes(':')) return false;
      const value = this.value(depth + 1);
      if (value !== null) entries.push([String(JSON.parse(name)), value]);
      return value !== null;
    });
    return isComplete ? { kind: 'object', entries } : null;
  }

  #array(depth: number): JsonPart | null {
    const items: JsonPart[] = [];
    const isComplete = this.#list(']', () => {
      const item = this.value(depth + 1);
      if (item !== null) items.push(item);
      return item !== null;
    });
    return isComplete ? { kind: 'array', items } : null;
  }

  /** Returns true if parts with commas between them stand before `end`. */
  #list(end: string, part: () => boolean): boolean {
    this.#match(SPACE);
    if (this.#takes(end)) return true;
    while (part()) {
      this.#match(SPACE);
      if (this.#takes(end)) return true;
      if (!this.#takes(',')) return false;
    }
    return false;
  }

  #takes(character: string): boolean {
    if (this.#text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.#text)?.[0] ?? null;
    this.at += match?.length ?? 0;
    return match;
  }
}

/** Parses a text that is one JSON object or list. Null if it is none, or longer than `PARSED_LIMIT`. */
export function parseJson(text: string): JsonPart | null {
  if (!/^\s*[{[]/.test(text) || text.length > PARSED_LIMIT) return null;
  const reader = new Reader(text);
  const value = reader.value();
  return value !== null && reader.isAtEnd() ? value : null;
}

/** Returns where an edited text stops being JSON; null if it is JSON. */
export function jsonProblem(text: string): JsonProblem | null {
  const reader = new Reader(text);
  if (reader.value() !== null && reader.isAtEnd()) return null;
  const lines = text.slice(0, reader.at).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** Writes a value with an indent of two spaces. Letters stay as they are; invisible characters are escaped. */
export function indentedJson(part: JsonPart, indent = ''): string {
  const inner = `${indent}  `;
  switch (part.kind) {
    case 'text':
      return quoted(part.text);
    case 'raw':
      return part.text;
    case 'array':
      return enclosed(
        '[]',
        indent,
        part.items.map((item) => `${inner}${indentedJson(item, inner)}`),
      );
    case 'object':
      return enclosed(
        '{}',
        indent,
        part.entries.map(([name, value]) => `${inner}${quoted(name)}: ${indentedJson(value, inner)}`),
      );
  }
}

function quoted(text: string): string {
  const number = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(text).replace(UNSEEN, (unseen) => unseen.split('').map(number).join(''));
}

function enclosed(brackets: '[]' | '{}', indent: string, lines: readonly string[]): string {
  const [open, close] = brackets;
  return lines.length === 0 ? brackets : `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

/** Deeply nested lists become a hundred times as long by their indents. Other JSON of `PARSED_LIMIT` stays below this limit. */
const LONGEST_INDENTED = 1_500_000;

/** Returns JSON as people read and edit it; null for other text, and if it became too long. */
export function readableJson(text: string): string | null {
  const value = parseJson(text);
  return value === null || indentation(value, 0) > LONGEST_INDENTED ? null : indentedJson(value);
}

function indentation(part: JsonPart, depth: number): number {
  if (part.kind === 'text' || part.kind === 'raw') return 2 * depth;
  const inner = part.kind === 'array' ? part.items : part.entries.map(([, value]) => value);
  return inner.reduce((sum, each) => sum + indentation(each, depth + 1), 2 * depth);
}
