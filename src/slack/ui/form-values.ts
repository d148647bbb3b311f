/** The part of a submitted view's `state.values` that is read here, by block id and action id. */
export type FormValues = Record<string, Record<string, FormValue>>;

export interface FormValue {
  type: string;
  value?: string | null;
  selected_date?: string | null;
  selected_option?: { value?: string } | null;
}

/** The one element of a block; null where the form has no such block. */
export function heldIn(values: FormValues, blockId: string): FormValue | null {
  const block = Object.hasOwn(values, blockId) ? values[blockId] : undefined;
  return Object.values(block ?? {})[0] ?? null;
}

/** What stands in a block's element as text, whatever kind of element it is; empty where nothing was chosen. */
export function typedText(values: FormValues, blockId: string): string {
  const held = heldIn(values, blockId);
  return held?.value ?? held?.selected_date ?? held?.selected_option?.value ?? '';
}
