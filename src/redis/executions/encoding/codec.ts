import type { Json } from '../../../core/json.ts';
import type { Millis } from '../../../core/time.ts';

/** What the values of one execution are stored relative to. */
export interface Base {
  ref: string;
  createdAt: Millis;
  kickoffIds: readonly string[];
}

/** How a value is stored: decoding what was encoded with the same base gives an equal value. */
export interface Codec<Value, Encoded extends Json = Json> {
  encode(value: Value, base: Base): Encoded;
  /** @throws {TypeError} if nothing that was encoded looks like this */
  decode(stored: unknown, base: Base): Value;
}

export const text: Codec<string> = {
  encode: (value) => value,
  decode: asText,
};

export const number: Codec<number> = {
  encode: (value) => value,
  decode: asNumber,
};

export const flag: Codec<boolean> = {
  encode: (value) => value,
  decode(stored) {
    if (typeof stored !== 'boolean') throw new TypeError('is not true or false');
    return stored;
  },
};

/** One of a fixed set of words. Only we wrote it, and a new word comes with a new record version. */
export function word<Word extends string>(): Codec<Word> {
  return { encode: (value) => value, decode: (stored) => asText(stored) as Word };
}

export function nullable<Value>(codec: Codec<Value>): Codec<Value | null> {
  return {
    encode: (value, base) => (value === null ? null : codec.encode(value, base)),
    decode: (stored, base) => (stored === null ? null : codec.decode(stored, base)),
  };
}

/** What may be missing, stored as null. */
export function optional<Value>(codec: Codec<Value>): Codec<Value | undefined> {
  return {
    encode: (value, base) => (value === undefined ? null : codec.encode(value, base)),
    decode: (stored, base) => (stored === null ? undefined : codec.decode(stored, base)),
  };
}

export function list<Value>(codec: Codec<Value>): Codec<Value[]> {
  return {
    encode: (values, base) => values.map((value) => codec.encode(value, base)),
    decode: (stored, base) => asList(stored).map((each) => codec.decode(each, base)),
  };
}

/** An object whose keys others chose, stored as it is. */
export function record<Value extends Json>(): Codec<Readonly<Record<string, Value>>> {
  return { encode: (value) => ({ ...value }), decode: (stored) => asObject(stored) as Record<string, Value> };
}

export function asText(stored: unknown): string {
  if (typeof stored !== 'string') throw new TypeError('is not a text');
  return stored;
}

export function asNumber(stored: unknown): number {
  if (typeof stored !== 'number') throw new TypeError('is not a number');
  return stored;
}

export function asList(stored: unknown): unknown[] {
  if (!Array.isArray(stored)) throw new TypeError('is not a list');
  return stored;
}

export function asObject(stored: unknown): Readonly<Record<string, unknown>> {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) throw new TypeError('is not an object');
  return stored as Readonly<Record<string, unknown>>;
}
