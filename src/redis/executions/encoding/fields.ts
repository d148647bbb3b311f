import type { Json } from '../../../core/json.ts';
import { asObject, type Base, type Codec } from './codec.ts';

/**
 * How a field is stored. What it usually holds, given in its stored form, is left out; without that, it is always stored.
 * A name keeps its meaning for ever: records that were stored with it are still there.
 */
interface Field<Value> {
  name: string;
  codec: Codec<Value>;
  usual: Json | undefined;
}

/** All fields of an object: one that is missing doesn't compile. */
export type Fields<Value> = { readonly [Key in keyof Value]-?: Field<Value[Key]> };

/** The fields of each variant of a tagged union, but the tag itself. */
type Variants<Value extends object, Tag extends keyof Value> = {
  readonly [Kind in Value[Tag] & string]: Fields<Omit<Extract<Value, Record<Tag, Kind>>, Tag>>;
};

type Encoded = Record<string, Json>;
type Plain = Record<string, unknown>;

export function field<Value>(name: string, codec: Codec<Value>, usual?: Json): Field<Value> {
  return { name, codec, usual };
}

type Entry = Field<unknown> & { key: string };

function entriesOf(fields: object): Entry[] {
  return Object.entries<Field<unknown>>({ ...fields }).map(([key, each]) => ({ key, ...each }));
}

export function object<Value extends object>(fields: Fields<Value>): Codec<Value, Encoded> {
  const entries = entriesOf(fields);
  return {
    encode: (value, base) => encodeFields(entries, value as Plain, { base, into: {} }),
    decode: (stored, base) => decodeFields(entries, asObject(stored), { base, into: {} }) as Value,
  };
}

/** A union is stored as the fields of its variant, with its tag under `name` unless that is the usual one. */
export function union<Value extends object, Tag extends keyof Value & string>(
  tag: Tag,
  { name, usual }: { name: string; usual: (Value[Tag] & string) | null },
  variants: Variants<Value, Tag>,
): Codec<Value, Encoded> {
  const variantOf = new Map(Object.entries<object>(variants).map(([kind, fields]) => [kind, entriesOf(fields)]));
  return {
    encode(value, base) {
      const kind = String(value[tag]);
      return encodeFields(known(variantOf.get(kind), kind), value as Plain, {
        base,
        into: kind === usual ? {} : { [name]: kind },
      });
    },
    decode(stored, base) {
      const record = asObject(stored);
      const kind = String(record[name] ?? usual);
      return decodeFields(known(variantOf.get(kind), kind), record, { base, into: { [tag]: kind } }) as Value;
    },
  };
}

function encodeFields(entries: Entry[], value: Plain, { base, into }: { base: Base; into: Encoded }): Encoded {
  for (const { key, name, codec, usual } of entries) {
    const encoded = codec.encode(value[key], base);
    if (usual === undefined || !isUsual(encoded, usual)) into[name] = encoded;
  }
  return into;
}

function decodeFields(entries: Entry[], stored: Readonly<Plain>, { base, into }: { base: Base; into: Plain }): Plain {
  let current = '';
  try {
    for (const { key, name, codec, usual } of entries) {
      current = name;
      const each = stored[name] === undefined ? usual : stored[name];
      const value = codec.decode(each, base);
      if (value !== undefined) into[key] = value;
    }
  } catch (error) {
    throw new TypeError(`${current} ${error instanceof Error ? error.message : error}`);
  }
  return into;
}

/** Lists and objects are usually empty. */
function isUsual(encoded: Json, usual: Json): boolean {
  return encoded === usual || (isEmpty(usual) && isEmpty(encoded));
}

function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function known<Each>(found: Each | undefined, kind: string): Each {
  if (found === undefined) throw new TypeError(`is of an unknown kind, ${kind}`);
  return found;
}
