// Renders structured texts as fields in rich text, in which Slack parses nothing. Names are bold, and a value of several lines is a quote,
// so that no value can pass for another field.
import type { RichTextBlock, RichTextElement, RichTextSection } from '@slack/types';
import { cleanText, oneLine, withSigns } from '../../core/values/text.ts';
import type { Say } from '../language/say.ts';
import type { Fit } from './cut-markdown.ts';
import { isAddress, richText } from './rich-text.ts';
import { namesInWords, type Structure, toolInWords } from './structure.ts';
import { cut } from './text/escape.ts';
import type { JsonPart } from './text/json-text.ts';
import { beginningThatFits, type Left } from './text/pieces.ts';

/** A line of fields. `line` is a line of a value that has several. */
interface Row {
  kind: 'field' | 'item' | 'line';
  /** 0 for a line without an indent; otherwise the depth of a list item. */
  indent: number;
  elements: RichTextElement[];
}

export interface ShownFields {
  block: RichTextBlock;
  left: Left | null;
}

/** Renders the beginning of a structure: as many lines as fit, but at least one. */
export function shownFields(structure: Structure, fit: Fit<RichTextBlock>, say: Say): ShownFields {
  const all = rowsOf(structure, say);
  const above = richText(structure.before).flatMap(({ elements }) => elements);
  const blockOf = (rows: readonly Row[]): RichTextBlock => ({
    type: 'rich_text',
    elements: [...above, ...elementsOf(rows)],
  });
  if (allFit(all, (some) => fit.whole(blockOf(some)))) return { block: blockOf(all), left: null };
  const rows = rowsOf(scalarsFirst(structure), say).filter(
    (row) => row.kind !== 'line' || row.elements.some(saysSomething),
  );
  if (allFit(rows, (some) => fit.part(blockOf(some))))
    return { block: blockOf(rows), left: { unit: 'lines', count: all.length - rows.length } };
  let count = 0;
  while (fit.part(blockOf(rows.slice(0, count + 1)))) count += 1;
  const fitting = rows.slice(0, count);
  const next = rows[count];
  const least = fitting.every(isName) ? 'words' : 'sentences';
  const begun = next ? begunRow(next, { fits: (row) => fit.part(blockOf([...fitting, row])), least }) : null;
  if (begun !== null) return { block: blockOf([...fitting, begun]), left: leftOf(rows, count) };
  // A name whose value is missing would seem to have no value.
  while (count > 0 && rows.slice(count - 1, count).every(isName)) count -= 1;
  return { block: blockOf(rows.slice(0, count)), left: leftOf(rows, count) };
}

/** Returns true if all rows fit. Measures beginnings first, so that thousands of rows below them needn't be measured. */
function allFit(rows: readonly Row[], fits: (some: readonly Row[]) => boolean): boolean {
  for (let count = 64; count < rows.length; count *= 8) if (!fits(rows.slice(0, count))) return false;
  return fits(rows);
}

function saysSomething(element: RichTextElement): boolean {
  return wordsOf(element).trim() !== '';
}

/** Puts numbers and texts first, then lists of them, then nested values: where not all fit, single lines say the most. */
function scalarsFirst({ calls, value, ...others }: Structure): Structure {
  return {
    ...others,
    calls: calls.map(({ tool, args }) => ({ tool, args: sorted(args) })),
    value: value && sorted(value),
  };
}

function sorted(value: JsonPart): JsonPart {
  if (value.kind !== 'object') return value;
  return { kind: 'object', entries: value.entries.toSorted(([, one], [, other]) => depthOf(one) - depthOf(other)) };
}

function depthOf(value: JsonPart): 0 | 1 | 2 {
  if (value.kind === 'object') return 2;
  if (value.kind !== 'array' || value.items.length === 0) return 0;
  return value.items.some(({ kind }) => kind === 'object' || kind === 'array') ? 2 : 1;
}

/** Returns true for a row that is only the name of the value below it. */
function isName({ elements: [first, ...others] }: Row): boolean {
  return others.length === 0 && first?.type === 'text' && first.style?.bold === true;
}

/** Returns the longest beginning of a row that fits; null if none does. */
function begunRow(
  row: Row,
  { fits, least }: { fits: (row: Row) => boolean; least: 'sentences' | 'words' },
): Row | null {
  const last = row.elements.at(-1);
  if (last?.type !== 'text' || last.style?.bold) return null;
  const cut = (text: string): Row => ({ ...row, elements: [...row.elements.slice(0, -1), { ...last, text }] });
  const beginning = beginningThatFits(last.text, { fits: (text) => fits(cut(text)), least });
  return beginning === null ? null : cut(beginning);
}

function leftOf(rows: readonly Row[], count: number): Left {
  const left = rows.slice(count);
  const fields = left.filter(({ kind }) => kind !== 'line');
  if (fields.length === 0) return { unit: 'lines', count: left.length };
  const isWithin = left[0]?.kind === 'line' ? 1 : 0;
  if (fields.every(({ kind }) => kind === 'item')) return { unit: 'items', count: fields.length + isWithin };
  return { unit: 'fields', count: fields.length + isWithin };
}

/** A longer reason is whole only in *Review*. */
const REASON_LENGTH = 600;

/** Renders why an agent, or the program of this name, asks, in its own words. */
export function reasonBlock(
  reason: string,
  { program, most = REASON_LENGTH, say }: { program?: string | undefined; most?: number; say: Say },
): RichTextBlock {
  const says =
    program === undefined
      ? say('fields.agent-says')
      : say('fields.program-says', { name: cut(program, LONGEST_PROGRAM) });
  return {
    type: 'rich_text',
    elements: [
      { type: 'rich_text_section', elements: [bold(says)] },
      { type: 'rich_text_quote', elements: [plain(cut(reason.trim(), most))] },
    ],
  };
}

const LONGEST_PROGRAM = 80;

/** Adds a colon to a label, unless it ends with a mark. */
export function labelText(label: string): string {
  return /[?!:？！：]$/.test(label) ? label : `${label}:`;
}

export function labelledFields(values: readonly { label: string; value: string | number }[]): RichTextBlock {
  const rows = values.flatMap(({ label, value }) =>
    valueRows(
      oneLine(withSigns(label)),
      typeof value === 'number' ? { kind: 'raw', text: String(value) } : { kind: 'text', text: value },
      0,
    ),
  );
  return { type: 'rich_text', elements: elementsOf(rows) };
}

/** Renders a structure as lines of plain text, for places that show no formatting. */
export function plainFields(structure: Structure, say: Say): string {
  const rows = rowsOf(structure, say).filter(({ elements }) => elements.some(saysSomething));
  return [structure.before, ...rows.map(lineOf)].filter((line) => line.trim() !== '').join('\n');
}

/** Renders a row as plain text. The lines of a value get a mark, so that none passes for a field. */
function lineOf({ kind, elements }: Row): string {
  return `${kind === 'line' ? '> ' : ''}${elements.map(wordsOf).join('')}`;
}

function rowsOf({ calls, value }: Structure, say: Say): Row[] {
  const [only] = calls;
  const own = value === null ? [] : topRows(value);
  if (only && calls.length === 1) return [...argRows(only.args, say), ...own];
  return [...calls.flatMap((call, i) => [callRow(call.tool, i + 1), ...argRows(call.args, say)]), ...own];
}

function callRow(tool: string, number: number): Row {
  const elements = [bold(`${number}. ${toolInWords(tool)} `), { ...plain(tool), style: { code: true } }];
  return { kind: 'field', indent: 0, elements };
}

function argRows(args: JsonPart, say: Say): Row[] {
  const isEmpty = args.kind === 'object' && args.entries.length === 0;
  if (!isEmpty) return topRows(args);
  return [{ kind: 'field', indent: 0, elements: [{ ...plain(say('fields.none')), style: { italic: true } }] }];
}

function topRows(value: JsonPart): Row[] {
  if (value.kind === 'array' && value.items.length > 0) return itemRows(value.items, 1);
  return value.kind === 'object' && value.entries.length > 0 ? entryRows(value, 0) : valueRows(null, value, 0);
}

function entryRows(value: JsonPart, indent: number): Row[] {
  if (value.kind !== 'object') return valueRows(null, value, indent);
  const names = namesInWords(value.entries.map(([name]) => shown(name)));
  return value.entries.flatMap(([name, held], i) => valueRows(names[i] ?? name, held, indent));
}

/** Renders a value beside or below its name; `name` is null for an item of a list. */
function valueRows(name: string | null, value: JsonPart, indent: number): Row[] {
  const kind = name === null ? 'item' : 'field';
  const label = name === null ? [] : [bold(`${labelText(name)} `)];
  const row = (...elements: RichTextElement[]): Row => ({ kind, indent, elements: [...label, ...elements] });
  switch (value.kind) {
    case 'raw':
      return [row(plain(value.text))];
    case 'text':
      return textRows(shown(value.text), row);
    case 'object':
      if (value.entries.length === 0) return [row(plain('{}'))];
      if (name === null) return objectItem(value, indent);
      return isFlat(value) ? [row(...flatElements(value))] : [row(), ...entryRows(value, indent + 1)];
    case 'array': {
      const [first] = value.items;
      if (first === undefined) return [row(plain('[]'))];
      const isShort =
        value.items.length === 1 && (first.kind === 'raw' || (first.kind === 'text' && !first.text.includes('\n')));
      if (isShort) return valueRows(name, first, indent);
      return [...(name === null ? [] : [row()]), ...itemRows(value.items, indent + 1)];
    }
  }
}

function itemRows(items: readonly JsonPart[], indent: number): Row[] {
  return items.flatMap((item) => valueRows(null, item, indent));
}

const LONGEST_ITEM = 100;

/** Renders an object of a list: on one line if it is short, otherwise with its fields below the first one. */
function objectItem(value: JsonObject, indent: number): Row[] {
  const rows = entryRows(value, indent + 1);
  const line = rows.flatMap(({ elements }, i) => (i === 0 ? elements : [plain(' · '), ...elements]));
  const { length } = line.map(wordsOf).join('');
  if (hasScalars(value) && length <= LONGEST_ITEM) return [{ kind: 'item', indent, elements: line }];
  return rows.map((each, i) => (i === 0 ? { ...each, kind: 'item', indent } : each));
}

type JsonObject = Extract<JsonPart, { kind: 'object' }>;

/** Returns true if all values fit beside each other. A text that contains the separator could pass for another field. */
function hasScalars({ entries }: JsonObject): boolean {
  return entries.every(
    ([name, held]) => held.kind === 'raw' || (held.kind === 'text' && !/[\n·]/.test(`${name}${held.text}`)),
  );
}

function isFlat(value: JsonObject): boolean {
  return hasScalars(value) && flatElements(value).map(wordsOf).join('').length <= LONGEST_ITEM;
}

/** Renders an object on one line. Names are italic, so that no value can pass for one. */
function flatElements({ entries }: JsonObject): RichTextElement[] {
  return entries
    .flatMap(([name, held], i): RichTextElement[] => [
      plain(i === 0 ? '' : ' · '),
      { type: 'text', text: `${shown(name)} `, style: { italic: true } },
      plain(held.kind === 'text' || held.kind === 'raw' ? shown(held.text) : ''),
    ])
    .slice(1);
}

function textRows(text: string, row: (...elements: RichTextElement[]) => Row): Row[] {
  if (text.trim() === '') return [row(plain(JSON.stringify(text)))];
  const lines = text.split('\n');
  while (lines.at(-1) === '') lines.pop();
  if (lines.length === 1) return [row(isAddress(text) ? { type: 'link', url: text, text } : plain(text))];
  return [row(), ...lines.map((line): Row => ({ kind: 'line', indent: 0, elements: [{ type: 'text', text: line }] }))];
}

/** Returns foreign text as people may see it, with signs for invisible characters. */
function shown(text: string): string {
  return cleanText(withSigns(text));
}

function plain(text: string): { type: 'text'; text: string } {
  return { type: 'text', text: text === '' ? ' ' : text };
}

function bold(text: string): RichTextElement {
  return { type: 'text', text, style: { bold: true } };
}

function wordsOf(element: RichTextElement): string {
  return 'text' in element ? (element.text ?? '') : '';
}

type Element = RichTextBlock['elements'][number];

const MOST_INDENT = 6;

function elementsOf(rows: readonly Row[]): Element[] {
  const elements: Element[] = [];
  let before: Row | null = null;
  let quote: string[] = [];
  const closeQuote = () => {
    if (quote.length > 0) elements.push({ type: 'rich_text_quote', elements: [plain(quote.join('\n'))] });
    quote = [];
  };
  for (const row of rows) {
    if (row.kind !== 'line') closeQuote();
    const last = elements.at(-1);
    if (row.kind === 'line') quote.push(row.elements.map(wordsOf).join(''));
    else if (row.indent > 0 && last?.type === 'rich_text_list' && before?.indent === row.indent)
      last.elements.push(sectionOf(row));
    else if (row.indent > 0)
      elements.push({
        type: 'rich_text_list',
        style: 'bullet',
        indent: Math.min(row.indent - 1, MOST_INDENT),
        elements: [sectionOf(row)],
      });
    else elements.push(sectionOf(row));
    before = row;
  }
  closeQuote();
  return elements;
}

function sectionOf({ elements }: Row): RichTextSection {
  return { type: 'rich_text_section', elements: [...elements] };
}
