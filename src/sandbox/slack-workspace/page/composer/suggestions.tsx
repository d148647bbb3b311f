import { createContext, type KeyboardEvent, useContext, useState } from 'react';
import type { Member, Shortcut, SlashCommand, UserGroup } from '../../people-api.ts';
import { resultsText } from '../elements/filter-choices.ts';
import { Icon } from '../shell/icon.tsx';
import { Menu } from '../shell/menu.tsx';
import { useAct } from '../state/acting.tsx';
import { type Suggestion, suggest } from './suggest.ts';

type Suggestions = {
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
  const suggestable = useKnown();
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
      setAll(suggest(text, caret, suggestable));
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

type Props = { id: string; suggestions: Suggestions; take(suggestion: Suggestion): void };

export function SuggestionList({ id, suggestions, take }: Props) {
  const { isOpen, all } = suggestions;
  return (
    <>
      <div className="suggestions" id={id} role="listbox" aria-label="Suggestions" hidden={!isOpen}>
        {all.map((suggestion, index) => (
          // The composer keeps the focus and handles the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: marked by aria-activedescendant
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter and Tab in the composer accept it
          <div
            key={suggestion.key}
            id={`${id}-${index}`}
            className="suggestion"
            role="option"
            aria-selected={index === suggestions.at}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(suggestion)}
          >
            <strong>{suggestion.label}</strong> <span className="suggestion-hint">{suggestion.hint}</span>
            <span className="suggestion-note">{suggestion.note}</span>
          </div>
        ))}
      </div>
      <span className="visually-hidden" role="status">
        {isOpen && resultsText(all.length)}
      </span>
    </>
  );
}

/** The suggestions of the composer. */
type Known = { commands: SlashCommand[]; members: Member[]; groups: UserGroup[]; globalShortcuts: Shortcut[] };

const KnownContext = createContext<Known>({ commands: [], members: [], groups: [], globalShortcuts: [] });
export const KnownProvider = KnownContext.Provider;

export function useKnown(): Known {
  return useContext(KnownContext);
}

export function GlobalShortcuts() {
  const act = useAct();
  const { globalShortcuts } = useKnown();
  if (globalShortcuts.length === 0) return null;
  const items = globalShortcuts.map(({ callbackId, name, description }) => ({
    key: callbackId,
    label: name,
    note: description,
    choose: () => void act({ type: 'global-shortcut', callbackId }),
  }));
  return (
    <Menu label="Shortcuts" title="Shortcuts" buttonClass="button button-icon" items={items}>
      <Icon name="plus" />
    </Menu>
  );
}
