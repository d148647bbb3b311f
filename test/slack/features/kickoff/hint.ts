import type { InputHint } from '../../../../src/core/crew.ts';

/** What an operator says of an input, with the rest left open. */
export function hint(change: Partial<InputHint>): InputHint {
  return { label: null, type: 'text', options: [], default: null, help: null, min: null, max: null, ...change };
}
