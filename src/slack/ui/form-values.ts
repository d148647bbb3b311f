/** The part of a submitted view's `state.values` that we read, by block id and action id. */
export type FormValues = Record<string, Record<string, FormValue>>;

interface FormValue {
  type: string;
  value?: string | null;
  selected_date?: string | null;
  selected_time?: string | null;
  selected_user?: string | null;
  selected_conversation?: string | null;
  selected_option?: { value?: string } | null;
  selected_options?: readonly { value?: string }[] | null;
}

/** The only element of a block; null if the form has no such block. */
export function elementIn(values: FormValues, blockId: string): FormValue | null {
  const block = Object.hasOwn(values, blockId) ? values[blockId] : undefined;
  return Object.values(block ?? {})[0] ?? null;
}

/** The value of a block's element as text, whatever its kind; empty if nothing was entered. */
export function typedText(values: FormValues, blockId: string): string {
  const element = elementIn(values, blockId);
  const picked = element?.selected_date ?? element?.selected_time ?? element?.selected_user;
  return element?.value ?? picked ?? element?.selected_conversation ?? element?.selected_option?.value ?? '';
}
