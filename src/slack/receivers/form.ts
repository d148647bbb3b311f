import { isUtf8 } from 'node:buffer';

// Decodes forms (https://url.spec.whatwg.org/#application/x-www-form-urlencoded), of which each click is one. `decodeURIComponent` takes
// three times as long for them, and `URLSearchParams` accepts what is badly encoded.

const SPACE = 0x20;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const PLUS = 0x2b;
const EQUALS = 0x3d;

/** Returns the fields of a form; null if a `%` is broken or bytes aren't UTF-8. */
export function formFields(form: Buffer): Map<string, string> | null {
  const fields = new Map<string, string>();
  for (let start = 0; start < form.length; ) {
    const end = placeOf(AMPERSAND, form, start);
    const field = form.subarray(start, end);
    start = end + 1;
    if (field.length === 0) continue;
    const nameEnd = placeOf(EQUALS, field);
    const name = decode(field.subarray(0, nameEnd));
    const value = decode(field.subarray(nameEnd + 1));
    if (name === null || value === null) return null;
    fields.set(name, value);
  }
  return fields;
}

/** Returns the place of a byte, or the end if it isn't there. */
function placeOf(byte: number, bytes: Buffer, from = 0): number {
  const place = bytes.indexOf(byte, from);
  return place === -1 ? bytes.length : place;
}

/** Value of each byte that is a hexadecimal digit. */
const DIGITS = Float64Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return /[\da-f]/i.test(character) ? Number.parseInt(character, 16) : Number.NaN;
});

function decode(encoded: Buffer): string | null {
  const bytes = Buffer.allocUnsafe(encoded.length);
  let length = 0;
  for (let i = 0; i < encoded.length; i++) {
    let byte = encoded[i] ?? 0;
    if (byte === PLUS) byte = SPACE;
    else if (byte === PERCENT) {
      byte = 16 * (DIGITS[encoded[++i] ?? 0] ?? 0) + (DIGITS[encoded[++i] ?? 0] ?? 0);
      if (Number.isNaN(byte)) return null;
    }
    bytes[length++] = byte;
  }
  const text = bytes.subarray(0, length);
  return isUtf8(text) ? text.toString() : null;
}
