// What changed between two structured outputs, field by field.
import { diffArrays } from 'diff';
import { z } from 'zod';

/** A value under its name, in one of two texts or in both; `Order › Amount`. */
export interface FieldChange {
  label: string;
  before: string | null;
  after: string | null;
}

type Json = z.infer<ReturnType<typeof z.json>>;

/** Longer texts are compared by their lines. */
const LONGEST = 200_000;

/** The fields that differ, in the order of the texts; null where that can't tell how the texts differ. */
export function changedFields(before: string, after: string): FieldChange[] | null {
  if (Math.max(before.length, after.length) > LONGEST) return null;
  try {
    const [one, other] = [parsed(before), parsed(after)];
    if (one === null || other === null) return null;
    const changes = valueChanges([], one, other);
    return changes.length > 0 || isSameJson(before, after) ? changes : null;
  } catch {
    // Text that is no JSON, or nested so deeply that it overflows the stack.
    return null;
  }
}

function isSameJson(before: string, after: string): boolean {
  return JSON.stringify(JSON.parse(before)) === JSON.stringify(JSON.parse(after));
}

/** Null for a single value. Throws where the text is no JSON. */
function parsed(text: string): Json | null {
  if (!/^\s*[[{]/.test(text)) return null;
  JSON.parse(text);
  return z.json().parse(JSON.parse(quotedNumbers(text)));
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** Numbers as they are written: parsed, 40.00 would be 40. */
function quotedNumbers(json: string): string {
  return json.replace(STRING_OR_NUMBER, (part) => (part.startsWith('"') ? part : `"${part}"`));
}

/** `undefined`: the text doesn't have the value. */
function valueChanges(path: readonly string[], before: Json | undefined, after: Json | undefined): FieldChange[] {
  if (Array.isArray(before) && Array.isArray(after)) return itemChanges(path, before, after);
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => valueChanges([...path, labelOf(name)], before[name], after[name]));
  }
  const [one, other] = [textOf(before), textOf(after)];
  return one === other ? [] : [{ label: path.join(' › '), before: one, after: other }];
}

/** Items that stand at another place because others were added or removed are the same; others are, by their names. */
function itemChanges(path: readonly string[], before: readonly Json[], after: readonly Json[]): FieldChange[] {
  const [gone, added] = itemsOnlyIn(before, after);
  const [left, right] = [byName(gone), byName(added)];
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((name) => {
    const [one, other] = [left.get(name), right.get(name)];
    const isNamed = typeof name === 'string' && one !== undefined && other !== undefined;
    return valueChanges(isNamed ? [...path, name] : path, one, other);
  });
}

function itemsOnlyIn(before: readonly Json[], after: readonly Json[]): [gone: Json[], added: Json[]] {
  const texts = (items: readonly Json[]) => items.map((item) => JSON.stringify(item));
  const [gone, added]: [Json[], Json[]] = [[], []];
  let [from, at] = [0, 0];
  for (const change of diffArrays(texts(before), texts(after))) {
    if (change.removed) gone.push(...before.slice(from, from + change.count));
    if (change.added) added.push(...after.slice(at, at + change.count));
    if (!change.added) from += change.count;
    if (!change.removed) at += change.count;
  }
  return [gone, added];
}

/** Items under their names; under their places where some have none, or the same as others. */
function byName(items: readonly Json[]): Map<string | number, Json> {
  const named = new Map(items.map((item, i) => [nameOf(item) ?? i, item]));
  return named.size === items.length ? named : new Map(items.entries());
}

/** Fields that tell an object from others in its list, best first. */
const NAMES = ['id', 'key', 'name', 'title', 'email', 'sku', 'path', 'label'];

function nameOf(item: Json): string | null {
  const names = isObject(item) ? NAMES.map((name) => item[name]) : [];
  return names.find((name) => typeof name === 'string') ?? null;
}

function isObject(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `unit_price` and `unitPrice` as `Unit price`. */
function labelOf(name: string): string {
  const words = name.replace(
    /(\p{Ll})(\p{Lu}\p{Ll})/gu,
    (_, end: string, start: string) => `${end} ${start.toLowerCase()}`,
  );
  const spaced = words.replace(/[_-]+/g, ' ').trim();
  return spaced === '' ? name : `${spaced.slice(0, 1).toUpperCase()}${spaced.slice(1)}`;
}

/** A value as people read it; null where there is none. */
function textOf(value: Json | undefined): string | null {
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (!isObject(value)) return String(value);
  return Object.entries(value)
    .map(([name, each]) => `${labelOf(name)}: ${textOf(each)}`)
    .join(', ');
}
