import { isUtf8 } from 'node:buffer';

const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

/**
 * The names and values of a form; null if it is badly encoded. URLSearchParams takes everything: it keeps a broken `%` and
 * replaces bytes that aren't UTF-8. Goes through the bytes itself, because decodeURIComponent takes twice as long.
 */
export function decodeForm(body: Buffer): [string, string][] | null {
  const fields: [string, string][] = [];
  for (let start = 0; start < body.length; ) {
    const end = indexOf(body, AMPERSAND, { start, end: body.length });
    if (end > start) {
      const nameEnd = indexOf(body, EQUALS, { start, end });
      const name = decode(body.subarray(start, nameEnd));
      const value = decode(body.subarray(nameEnd + 1, end));
      if (name === null || value === null) return null;
      fields.push([name, value]);
    }
    start = end + 1;
  }
  return fields;
}

/** The place of the first such byte, or else the end. */
function indexOf(body: Buffer, byte: number, { start, end }: { start: number; end: number }): number {
  const found = body.indexOf(byte, start);
  return found === -1 || found > end ? end : found;
}

function decode(encoded: Buffer): string | null {
  const decoded = Buffer.allocUnsafe(encoded.length);
  let length = 0;
  for (let at = 0; at < encoded.length; at += 1) {
    let byte = encoded[at] ?? 0;
    if (byte === PLUS) byte = SPACE;
    else if (byte === PERCENT) {
      byte = hexDigit(encoded[at + 1]) * 16 + hexDigit(encoded[at + 2]);
      if (Number.isNaN(byte)) return null;
      at += 2;
    }
    decoded[length] = byte;
    length += 1;
  }
  const bytes = decoded.subarray(0, length);
  return isUtf8(bytes) ? bytes.toString() : null;
}

/** NaN if it isn't one. */
function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}
