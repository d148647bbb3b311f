import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { PersonProblem } from '../../person-actions.ts';
import { Icon } from '../shell/icon.tsx';
import { useAct } from '../state/acting.tsx';
import { type Suggestion, usageOf } from './suggest.ts';
import { GlobalShortcuts, SuggestionList, useKnown, useSuggestions } from './suggestions.tsx';

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
          aria-label={label}
          aria-haspopup="listbox"
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

type Destination = { channel: string; threadTs?: string };

/** The text being written to a channel or thread, and how to send it. */
function useComposer({ channel, threadTs }: Destination) {
  const act = useAct();
  const key = `${channel} ${threadTs ?? ''}`;
  const [text, setText] = useState(() => draftOf(key));
  const [alsoToChannel, setAlsoToChannel] = useState(false);
  const [problem, setProblem] = useState<PersonProblem>();
  const field = useRef<HTMLTextAreaElement>(null);
  const suggestions = useSuggestions();

  const put = (value: string) => {
    setText(value);
    keepDraft(key, value);
    setProblem(undefined);
  };
  const type = (value: string, caret: number) => {
    put(value);
    suggestions.look(value, caret);
  };
  const take = ({ text: taken, caret }: Suggestion) => {
    // At once: in a later frame, the caret could move away from what has been typed or selected since.
    flushSync(() => {
      put(taken);
      suggestions.close();
    });
    field.current?.focus();
    field.current?.setSelectionRange(caret, caret);
  };
  const send = async () => {
    const message = text.trim();
    if (message === '') return;
    put('');
    suggestions.close();
    field.current?.focus();
    const place = threadTs === undefined ? {} : { threadTs, ...(alsoToChannel && { alsoToChannel }) };
    toEndOfMessages(field.current);
    const outcome = await act({ type: 'send', channel, text: message, ...place });
    if (outcome.ok) return;
    // Restore the text, unless something else has been typed since.
    if (draftOf(key) === '') put(text);
    if (outcome.problem.at !== 'toast') setProblem(outcome.problem);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || suggestions.takeKey(event, take)) return;
    if (event.key === 'ArrowUp' && text === '') toMessages(event);
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    void send();
  };
  return { text, field, problem, suggestions, alsoToChannel, setAlsoToChannel, type, take, send, onKeyDown };
}

/** Sent messages and their effects appear at the end of the list, so scroll there. */
function toEndOfMessages(field: HTMLElement | null): void {
  const list = field?.closest('[data-region]')?.querySelector('.list');
  list?.scrollTo({ top: list.scrollHeight });
}

/** In an empty composer, ↑ moves to the message above. */
function toMessages(event: KeyboardEvent): void {
  event.preventDefault();
  const region = event.currentTarget.closest('[data-region]');
  region?.querySelector<HTMLElement>('.list [data-ts][tabindex="0"]')?.focus();
}

/** Unsent text by channel and thread, kept while the page is open. */
const drafts = new Map<string, string>();

function draftOf(key: string): string {
  return drafts.get(key) ?? '';
}

function keepDraft(key: string, text: string): void {
  if (text === '') drafts.delete(key);
  else drafts.set(key, text);
}
