// Reading JSON from crew services, whose field names and wrappers vary.

import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { shortened } from '../core/values/cut.ts';
import type { Json } from '../core/values/json.ts';
import { ok, type Result, refuse } from '../core/values/result.ts';
import { LINE_END, oneLine } from '../core/values/text.ts';

/** Fields in which services wrap the payload, one level deep. */
const WRAPPERS = ['data', 'body', 'payload'];

/** Returns the objects that may be the payload: the body itself, then what it wraps, merged over the body's own fields. */
export function candidates(body: Json): JsonObject[] {
  if (!isJsonObject(body)) return [];
  const wrapped = WRAPPERS.map((key) => own(body, key)).filter(isJsonObject);
  return [body, ...wrapped.map((inner) => ({ ...body, ...inner }))];
}

/** Returns the first non-null own field of these names. */
export function pick(object: JsonObject, ...names: string[]): Json | undefined {
  for (const name of names) {
    const value = own(object, name);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** Returns true if the object has an own field of one of these names, even if it is null. */
export function has(object: JsonObject, ...names: string[]): boolean {
  return names.some((name) => Object.hasOwn(object, name));
}

export function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

const LONGEST_ID = 300;

/** An opaque id of the service. Numbers become text. */
export const requiredId = z
  .union([z.string(), z.int()])
  .transform((id) => String(id).toWellFormed().trim())
  .pipe(z.string().min(1).max(LONGEST_ID));

/** An optional id; anything that can't be an id counts as missing. */
export const idField = requiredId.nullable().catch(null);

/** An optional text; anything else counts as missing. */
export const textField = z
  .string()
  .refine((text) => text.trim() !== '')
  .nullable()
  .catch(null);

/** An optional count; anything else counts as missing. */
export const countField = z.int().nonnegative().nullable().catch(null);

/** Returns the first keys of an object, made safe to show, to report a payload that we can't read. */
export function keyNames(body: Json): string[] {
  return isJsonObject(body)
    ? Object.keys(body)
        .slice(0, 20)
        .map((key) => plainLine(key, 60))
    : [];
}

export type JsonObject = { [key: string]: Json };

/**
 * Reads the JSON body of a request. The refusal is a sentence for its sender. Bytes that aren't UTF-8 would be replaced, and people
 * would decide on another text: https://www.rfc-editor.org/rfc/rfc8259#section-8.1
 */
export function readJsonBody(bytes: Buffer): Result<{ value: Json; text: string }, string> {
  if (!isUtf8(bytes)) return refuse('The body is not UTF-8.');
  const text = bytes.toString('utf8');
  const parsed = parseJsonBody(text);
  return parsed ? ok({ value: parsed.value, text }) : refuse('The body is not JSON.');
}

/** Deeper than any real payload; recursion over the value, as in `JSON.stringify`, must not overflow the stack. */
const DEEPEST = 100;

/** Parses JSON; null if the text is not JSON or is nested too deeply. */
export function parseJsonBody(text: string): { value: Json } | null {
  if (depthOf(text) > DEEPEST) return null;
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF/, '')) };
  } catch {
    return null;
  }
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
// Brackets and braces differ in one bit: [ { and ] }.
const EITHER_CASE = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/** Returns the nesting depth without parsing. It is right only for valid JSON. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) i = endOfString(text, i);
    else if ((unit | EITHER_CASE) === OPENING) deepest = Math.max(deepest, ++depth);
    else if ((unit | EITHER_CASE) === CLOSING) depth--;
  }
  return deepest;
}

/** Returns the index of the closing quote: the first one after an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

/** Longer objects are shown as compact JSON, since indenting could make them enormous. */
const LONGEST_PRETTY = 1_048_576;
/** Indenting deeply nested hostile values would add more blanks than text. */
const MOST_GROWTH = 8;

/** Returns an output as text for people: a string as it is, an object as indented JSON, nothing as ''. */
export function outputText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value.toWellFormed();
  const compact = JSON.stringify(value);
  if (compact.length > LONGEST_PRETTY) return compact.toWellFormed();
  const pretty = JSON.stringify(value, null, 2);
  const readable = pretty.length > compact.length * MOST_GROWTH + 100 ? compact : pretty;
  return readable.toWellFormed();
}

export const RESULT_NAMES = ['result_json', 'resultJson', 'result', 'output', 'raw'];

/** Returns the result of a run in a crew notification or status; null if there is none. */
export function resultOf(payload: JsonObject): string | null {
  const result = pick(payload, ...RESULT_NAMES);
  if (result === undefined) return null;
  const inner = isJsonObject(result) ? pick(result, 'output') : undefined;
  return outputText(inner ?? result);
}

/** Enough of a text for the little of it that is shown. */
const LONGEST_READ = 20_000;

/**
 * Makes foreign text safe to show in a sentence: one line without markup, cut after `most` UTF-16 units. The HTML page of a proxy is
 * reduced to its words.
 */
export function plainLine(text: string, most: number): string {
  return fitted(oneLine(withoutMarkup(text.slice(0, LONGEST_READ))), most);
}

/** Returns the first `lines` lines with text, cut after `most` UTF-16 units. Markup stays. */
export function plainLines(text: string, { lines, most }: { lines: number; most: number }): string {
  const all = text.slice(0, LONGEST_READ).split(LINE_END).map(oneLine);
  const first = all.filter((line) => line !== '').slice(0, lines);
  return fitted(first.join('\n'), most);
}

function fitted(text: string, most: number): string {
  return text.length <= most ? text : shortened(text, most);
}

/** HTML elements; `<class 'int'>` in a Python error is none. */
const ELEMENT =
  /<\/?(!doctype|html|head|body|title|script|style|h[1-6]|center|div|p|pre|br|hr|table|ul|li|a|b|i|em|strong|span)\b[^<>]*>/i;

function withoutMarkup(text: string): string {
  if (!ELEMENT.test(text)) return text;
  return text
    .replace(/<(script|style|head)\b[\s\S]*?(<\/\1>|$)/gi, ' ')
    .replace(/<\/?[a-z!][^<>]*>/gi, ' ')
    .replace(/&nbsp;/g, ' ');
}
