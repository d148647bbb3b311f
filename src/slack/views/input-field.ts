import type { InputField } from '../../core/crew.ts';
import { fingerprint } from '../../core/fingerprint.ts';
import type { Json } from '../../core/json.ts';

/** The same for the same input whenever the form is shown again, so that typed text stays where it is. */
export function inputBlockId({ name, type }: Pick<InputField, 'name' | 'type'>): string {
  const isShort = /^[\w .-]{1,60}$/.test(name);
  return `input:${type}:${isShort ? name : fingerprint(name)}`;
}

/** What stands in a field for a value. */
export function fieldText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
