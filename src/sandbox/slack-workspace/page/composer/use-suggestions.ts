import { type KeyboardEvent, useState } from 'react';
import { useKnown } from './known.tsx';
import { type Suggestion, suggest } from './suggest.ts';

export type Suggestions = {
  isOpen: boolean;
  all: Suggestion[];
  /** The index of the highlighted suggestion. */
  at: number;
  look(text: string, caret: number): void;
  close(): void;
  /** Returns whether the list handled the key. */
  takeKey(event: KeyboardEvent, take: (suggestion: Suggestion) => void): boolean;
};

/** The suggestions for the text in the composer. */
export function useSuggestions(): Suggestions {
  const known = useKnown();
  const [all, setAll] = useState<Suggestion[]>([]);
  const [at, setAt] = useState(0);
  const isOpen = all.length > 0;
  const close = () => setAll([]);
  return {
    isOpen,
    all,
    at,
    close,
    look: (text, caret) => {
      setAll(suggest(text, caret, known));
      setAt(0);
    },
    takeKey: (event, take) => {
      const marked = all[at];
      if (!isOpen || marked === undefined) return false;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step !== undefined) setAt((at + step + all.length) % all.length);
      else if (event.key === 'Escape') close();
      else if (event.key === 'Tab' || (event.key === 'Enter' && !isTyped(event, marked))) take(marked);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}

/** Enter sends a command that is already typed in full. */
function isTyped(event: KeyboardEvent, { label }: Suggestion): boolean {
  return event.target instanceof HTMLTextAreaElement && label.startsWith('/') && event.target.value.trim() === label;
}
