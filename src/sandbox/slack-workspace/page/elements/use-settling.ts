import { useRef } from 'react';
import type { ElementInput } from '../../person-actions.ts';
import type { ElementState } from './use-element.ts';

/** Longer than between two keys of one date. */
const SETTLED_AFTER_MS = 700;

/** Each key in a date or time field makes another value, so the app is told once the person is done. */
export function useSettling({ hold, put }: ElementState): { change(input: ElementInput): void; settle(): void } {
  const pending = useRef<ElementInput>(undefined);
  const timer = useRef<number>(undefined);
  const settle = () => {
    window.clearTimeout(timer.current);
    if (pending.current) put(pending.current);
    pending.current = undefined;
  };
  return {
    settle,
    change(input) {
      hold(input);
      pending.current = input;
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(settle, SETTLED_AFTER_MS);
    },
  };
}
