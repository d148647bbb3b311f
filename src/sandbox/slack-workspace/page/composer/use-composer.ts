import { type KeyboardEvent, useRef, useState } from 'react';
import type { PersonProblem } from '../../person-actions.ts';
import { useAct } from '../state/acting.tsx';
import { draftOf, keepDraft } from './drafts.ts';
import type { Suggestion } from './suggest.ts';
import { useSuggestions } from './use-suggestions.ts';

export type Destination = { channel: string; threadTs?: string };

/** The text being written to a channel or thread, and how to send it. */
export function useComposer({ channel, threadTs }: Destination) {
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
    put(taken);
    suggestions.close();
    field.current?.focus();
    requestAnimationFrame(() => field.current?.setSelectionRange(caret, caret));
  };
  const send = async () => {
    const sent = text.trim();
    if (sent === '') return;
    put('');
    suggestions.close();
    const place = threadTs === undefined ? {} : { threadTs, ...(alsoToChannel && { alsoToChannel }) };
    toEndOfMessages(field.current);
    const outcome = await act({ type: 'send', channel, text: sent, ...place });
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
