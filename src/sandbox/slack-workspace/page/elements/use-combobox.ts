import { type KeyboardEvent, useState } from 'react';
import { type Choice, type Choices, filterChoices, markAfter } from './filter-choices.ts';

type Options = {
  choices: Choices;
  /** Marked when the list opens. */
  chosen?: string | undefined;
  /** Not offered any more. */
  without?: readonly string[] | undefined;
  isLocked?: boolean | undefined;
  /** Whether the list is open for more once something was taken. */
  afterTaking: 'closed' | 'open';
  choose(value: string): void;
};

export type Combobox = {
  isOpen: boolean;
  /** What is searched for; undefined before anything was typed. */
  typed: string | undefined;
  shown: Choices;
  marked: Choice | undefined;
  open(): void;
  close(): void;
  type(text: string): void;
  take(value: string): void;
  onKeyDown(event: KeyboardEvent): void;
};

const OPENING = ['ArrowDown', 'ArrowUp', 'Enter'];

/** A field that filters a list. https://www.w3.org/WAI/ARIA/apg/patterns/combobox/ */
export function useCombobox(options: Options): Combobox {
  const { choices, chosen, without, isLocked, afterTaking, choose } = options;
  const [begun, setSearch] = useState<{ typed: string | undefined; at: number }>();
  const search = isLocked ? undefined : begun;
  const shown = search ? filterChoices(choices, search.typed ?? '', without) : [];
  const flat = shown.flatMap((group) => group.options);
  const marked = search && flat[search.at];
  const type = (typed: string | undefined) => {
    const all = filterChoices(choices, '', without).flatMap((group) => group.options);
    const atChosen = typed ? 0 : all.findIndex(({ value }) => value === chosen);
    if (!isLocked) setSearch({ typed, at: Math.max(0, atChosen) });
  };
  const open = () => {
    if (!search) type(undefined);
  };
  const close = () => setSearch(undefined);
  const take = (value: string) => {
    setSearch(afterTaking === 'open' ? { typed: undefined, at: 0 } : undefined);
    choose(value);
  };
  /** Whether the key was for the list. */
  const takeKey = (key: string): boolean => {
    if (!search) {
      if (OPENING.includes(key)) open();
      return OPENING.includes(key);
    }
    const at = markAfter(key, search.at, flat.length);
    if (at !== undefined) setSearch({ ...search, at });
    else if (key === 'Escape') close();
    else if (key === 'Enter' && marked) take(marked.value);
    return at !== undefined || key === 'Escape' || key === 'Enter';
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isForText = event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey;
    if (isForText || !takeKey(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { isOpen: search !== undefined, typed: search?.typed, shown, marked, open, close, type, take, onKeyDown };
}
