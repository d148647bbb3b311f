import { useSyncExternalStore } from 'react';

/** As in the styles: no pointer that hovers, or no more room than on a phone. */
const narrow = window.matchMedia('(hover: none), (width <= 720px)');

/** Whether the actions of messages are always shown, in a line of their own. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}

function subscribe(changed: () => void): () => void {
  narrow.addEventListener('change', changed);
  return () => narrow.removeEventListener('change', changed);
}
