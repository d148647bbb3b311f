import type { InputField } from '../../../core/crew.ts';

/** The inputs that can take any text. */
export function textInputs(fields: readonly InputField[]): InputField[] {
  return fields.filter(({ type }) => type === 'text' || type === 'long_text');
}

/** The one that a message most likely belongs into: the first that takes several lines, or else the first. */
export function preferredInput(fields: readonly InputField[]): InputField | null {
  return fields.find(({ type }) => type === 'long_text') ?? fields[0] ?? null;
}
