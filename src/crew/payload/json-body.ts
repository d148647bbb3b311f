import type { Json } from '../../core/json.ts';

export type JsonObject = { [key: string]: Json };

/** Deeper than any real payload; recursion over the value, as in `JSON.stringify`, must not overflow the stack. */
const DEEPEST = 100;

/** Null if the text is not JSON or is nested too deeply. */
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

/** The nesting depth, counted before anything is parsed. Only right for valid JSON. */
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

/** The index of the closing quote: the first one after an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}
