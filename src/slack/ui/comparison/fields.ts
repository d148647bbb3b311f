import { diffArrays } from 'diff';
import { calledValue, inWords } from '../structure.ts';
import type { JsonPart } from '../text/json-text.ts';

/** A field that differs, with its value in each text; null if the text lacks it. Labels are like `Order › Amount`. */
export interface FieldChange {
  label: string;
  before: string | null;
  after: string | null;
}

/**
 * Returns the fields that differ, in the order of the texts. Null if fields can't show the difference: one text isn't JSON or gives a name
 * twice, or the texts differ in something that isn't a field.
 */
export function changedFields(before: string, after: string): FieldChange[] | null {
  const [left, right] = [calledValue(before), calledValue(after)];
  if (left === null || right === null || left.above !== right.above) return null;
  const [one, other] = [left.value, right.value];
  if (!hasUniqueNames(one) || !hasUniqueNames(other)) return null;
  if (keyOf(one) === keyOf(other)) return [];
  const changes = valueChanges([], one, other);
  // Values that look alike, such as 5 and "5", would count as one.
  return changes !== null && changes.length > 0 ? changes : null;
}

function hasUniqueNames(value: JsonPart): boolean {
  if (value.kind === 'array') return value.items.every(hasUniqueNames);
  if (value.kind !== 'object') return true;
  const names = new Set(value.entries.map(([name]) => name));
  return names.size === value.entries.length && value.entries.every(([, field]) => hasUniqueNames(field));
}

/** Returns equal texts for equal values, whatever the order of their names. */
function keyOf(value: JsonPart): string {
  switch (value.kind) {
    case 'raw':
      return value.text;
    case 'text':
      return JSON.stringify(value.text);
    case 'array':
      return `[${value.items.map(keyOf).join()}]`;
    case 'object':
      return `{${value.entries.map(([name, field]) => `${JSON.stringify(name)}:${keyOf(field)}`).join()}}`;
  }
}

/** Returns the changes of a value; null if one wouldn't be visible. `undefined` means that the text lacks the value. */
function valueChanges(
  path: readonly string[],
  before: JsonPart | undefined,
  after: JsonPart | undefined,
): FieldChange[] | null {
  if (before?.kind === 'array' && after?.kind === 'array') return itemChanges(path, before.items, after.items);
  if (before?.kind === 'object' && after?.kind === 'object') {
    const [left, right] = [new Map(before.entries), new Map(after.entries)];
    const names = [...new Set([...left.keys(), ...right.keys()])];
    return allOf(names.map((name) => valueChanges([...path, inWords(name)], left.get(name), right.get(name))));
  }
  const [one, other] = [textOf(before), textOf(after)];
  if (one !== other) return [{ label: path.join(' › '), before: one, after: other }];
  return before && after && keyOf(before) === keyOf(after) ? [] : null;
}

function allOf(changes: readonly (FieldChange[] | null)[]): FieldChange[] | null {
  return changes.every((each) => each !== null) ? changes.flat() : null;
}

/** Compares lists. Items that only moved because others were added or removed are equal; the others are matched by their names. */
function itemChanges(
  path: readonly string[],
  before: readonly JsonPart[],
  after: readonly JsonPart[],
): FieldChange[] | null {
  const only = itemsOnlyIn(before, after);
  if (only === null) return null;
  const [left, right] = [byName(only.gone), byName(only.added)];
  const names = [...new Set([...left.keys(), ...right.keys()])];
  return allOf(
    names.map((name) => {
      const [one, other] = [left.get(name), right.get(name)];
      const isNamed = typeof name === 'string' && one !== undefined && other !== undefined;
      return valueChanges(isNamed ? [...path, name] : path, one, other);
    }),
  );
}

/** Long lists that share little would take minutes. */
const DIFF_MS = 100;

function itemsOnlyIn(
  before: readonly JsonPart[],
  after: readonly JsonPart[],
): { gone: JsonPart[]; added: JsonPart[] } | null {
  const differences = diffArrays(before.map(keyOf), after.map(keyOf), { timeout: DIFF_MS });
  if (!differences) return null;
  const [gone, added]: [JsonPart[], JsonPart[]] = [[], []];
  let [from, at] = [0, 0];
  for (const change of differences) {
    if (change.removed) gone.push(...before.slice(from, from + change.count));
    if (change.added) added.push(...after.slice(at, at + change.count));
    if (!change.added) from += change.count;
    if (!change.removed) at += change.count;
  }
  return { gone, added };
}

/** Maps items by their names, or by their places if some have no name, or the same one. */
function byName(items: readonly JsonPart[]): Map<string | number, JsonPart> {
  const entries = new Map(items.map((item, i) => [nameOf(item) ?? i, item]));
  return entries.size === items.length ? entries : new Map(items.entries());
}

/** Fields that distinguish the objects of a list, the best first. */
const NAMES = ['id', 'key', 'name', 'title', 'email', 'sku', 'path', 'label'];

function nameOf(item: JsonPart): string | null {
  if (item.kind !== 'object') return null;
  const fields = new Map(item.entries);
  const name = NAMES.map((each) => fields.get(each)).find((value) => value?.kind === 'text');
  return name?.kind === 'text' ? name.text : null;
}

/** Returns a value as people read it; null if there is none. */
function textOf(value: JsonPart | undefined): string | null {
  switch (value?.kind) {
    case undefined:
      return null;
    case 'raw':
    case 'text':
      return value.text;
    case 'array':
      return value.items.map(textOf).join(', ');
    case 'object':
      return value.entries.map(([name, each]) => `${inWords(name)}: ${textOf(each)}`).join(', ');
  }
}
