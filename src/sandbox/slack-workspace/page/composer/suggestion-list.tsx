import type { Suggestion } from './suggest.ts';
import type { Suggestions } from './use-suggestions.ts';

type Props = { id: string; suggestions: Suggestions; take(suggestion: Suggestion): void };

export function SuggestionList({ id, suggestions, take }: Props) {
  return (
    <div className="suggestions" id={id} role="listbox" aria-label="Suggestions" hidden={!suggestions.isOpen}>
      {suggestions.all.map((suggestion, index) => (
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
  );
}
