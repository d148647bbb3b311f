// JSON that people read before they decide, so that nothing of the value may be missing.
import { types } from 'node:util';
import type { Json } from '../json.ts';

/**
 * A value of untyped code as JSON that shows all of it, also what `JSON.stringify` empties or leaves out: a Map is an object, or a
 * list of pairs if it has other keys than texts; a Set is a list; undefined is null; a BigInt, NaN and what else isn't JSON is text.
 * Throws, with a reason that names `what`, if the value holds itself or is a function.
 */
export function wholeJson(value: unknown, what: string): Json {
  if (typeof value === 'function') throw new TypeError(`${what} can't be JSON: it is a function.`);
  return jsonFor(value, { what, around: [] });
}

/** `around`: the objects that the value stands in. */
type Place = { readonly what: string; readonly around: readonly object[] };

function jsonFor(value: unknown, place: Place): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'undefined':
    case 'function':
      return null;
    case 'object':
      return value === null ? null : jsonForObject(value, place);
    case 'bigint':
    case 'symbol':
      return String(value);
  }
}

function jsonForObject(value: object, { what, around }: Place): Json {
  if (around.includes(value)) throw new TypeError(`${what} can't be JSON: it holds itself.`);
  const place = { what, around: [...around, value] };
  if (types.isBoxedPrimitive(value)) return jsonFor(value.valueOf(), place);
  if (types.isRegExp(value) || (types.isDate(value) && Number.isNaN(value.getTime()))) return String(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') return jsonFor(value.toJSON(''), place);
  if (types.isMap(value) && hasNames(value)) return jsonForEntries([...value], place);
  if (Array.isArray(value) || types.isTypedArray(value)) return Array.from(value, (one) => jsonFor(one, place));
  const entries = Object.entries(value);
  if (types.isNativeError(value))
    return jsonForEntries([['name', value.name], ['message', value.message], ...entries], place);
  if (entries.length > 0 || isPlain(value)) return jsonForEntries(entries, place);
  if (isCollection(value)) return Array.from(value, (one) => jsonFor(one, place));
  return `[a ${value.constructor?.name ?? 'value'} that shows nothing of itself]`;
}

/** Functions are left out, as in JSON: nobody decides on them. */
function jsonForEntries(entries: readonly (readonly [string, unknown])[], place: Place): Json {
  const fields = entries.filter(([, held]) => typeof held !== 'function');
  return Object.fromEntries(fields.map(([name, field]) => [name, jsonFor(field, place)]));
}

function hasNames(map: ReadonlyMap<unknown, unknown>): map is ReadonlyMap<string, unknown> {
  return [...map.keys()].every((key) => typeof key === 'string');
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Reading a generator would use it up. */
function isCollection(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value && !types.isGeneratorObject(value);
}
