import { type FormEvent, useId } from 'react';
import { Icon } from '../shell/icon.tsx';
import { GlobalShortcuts } from './global-shortcuts.tsx';
import { useKnown } from './known.tsx';
import { usageOf } from './suggest.ts';
import { SuggestionList } from './suggestion-list.tsx';
import { type Destination, useComposer } from './use-composer.ts';

/** Enter sends, Shift+Enter starts a new line, `/` suggests commands, `@` suggests names. */
export function Composer({ label, ...destination }: Destination & { label: string }) {
  const composer = useComposer(destination);
  const { text, field, problem, suggestions } = composer;
  const ids = { list: useId(), problem: useId() };
  const isInThread = destination.threadTs !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void composer.send();
  };
  return (
    <form className="composer" onSubmit={submit}>
      <SuggestionList id={ids.list} suggestions={suggestions} take={composer.take} />
      {problem ? (
        <p className="composer-problem" id={ids.problem} role="alert">
          {problem.text}
        </p>
      ) : (
        <Usage text={text} />
      )}
      <div className="composer-box">
        {!isInThread && <GlobalShortcuts />}
        <textarea
          ref={field}
          rows={1}
          value={text}
          placeholder={label}
          role="combobox"
          aria-label={label}
          aria-expanded={suggestions.isOpen}
          aria-controls={ids.list}
          aria-autocomplete="list"
          aria-activedescendant={suggestions.isOpen ? `${ids.list}-${suggestions.at}` : undefined}
          aria-describedby={problem && ids.problem}
          onChange={({ target }) => composer.type(target.value, target.selectionStart)}
          onKeyDown={composer.onKeyDown}
          onBlur={suggestions.close}
        />
        <button type="submit" className="button button-primary" disabled={text.trim() === ''} aria-label="Send">
          <Icon name="send" />
        </button>
      </div>
      {isInThread && <AlsoToChannel isOn={composer.alsoToChannel} change={composer.setAlsoToChannel} />}
    </form>
  );
}

function Usage({ text }: { text: string }) {
  const usage = usageOf(text, useKnown().commands);
  if (!usage) return null;
  return (
    <p className="composer-hint">
      <strong>{usage.command}</strong> <span className="suggestion-hint">{usage.usageHint}</span> {usage.description}
    </p>
  );
}

function AlsoToChannel({ isOn, change }: { isOn: boolean; change(isOn: boolean): void }) {
  return (
    <label className="also">
      <input type="checkbox" checked={isOn} onChange={({ target }) => change(target.checked)} />
      Also send to the channel
    </label>
  );
}
