/** The indexes of values that stand further up already. Undefined ones are unknown, so they repeat none. */
export function repeatsIn(values: readonly unknown[]): number[] {
  return values.flatMap((value, i) => (value !== undefined && values.indexOf(value) < i ? [i] : []));
}
