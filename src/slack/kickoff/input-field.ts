import type { InputField } from '../../core/crew.ts';
import type { Json } from '../../core/json.ts';
import { fingerprint } from '../../core/messages/fingerprint.ts';

/** The same for the same input whenever the form is shown again, so that typed text stays where it is. */
export function inputBlockId({ name, type }: Pick<InputField, 'name' | 'type'>): string {
  const isShort = /^[\w .-]{1,60}$/.test(name);
  return `input:${type}:${isShort ? name : fingerprint(name)}`;
}

/** What stands in a field for a value; in one for JSON a text has its quotes, or it would be read as something else. */
export function fieldText({ type }: Pick<InputField, 'type'>, value: Json): string {
  return typeof value === 'string' && type !== 'json' ? value : JSON.stringify(value);
}
