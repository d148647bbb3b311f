import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from '../shell/icon.tsx';
import { placeBelow } from '../shell/menu.tsx';
import { type Choice, type Choices, filterChoices, markAfter, resultsText } from './filter-choices.ts';
import { type Control, controlAttributes } from './use-element.tsx';

type Props = {
  control: Control;
  placeholder: string;
  focusOnLoad?: boolean | undefined;
  choices: Choices;
  /** The choice, where only one can be made. */
  chosen?: string | undefined;
  without?: readonly string[];
  isLocked?: boolean;
  afterTaking: 'closed' | 'open';
  choose(value: string): void;
};

/** A field with a list that what is typed filters: click, Enter or an arrow opens it, Esc closes it. */
export function ComboboxField({ control, placeholder, focusOnLoad, ...options }: Props) {
  const listId = useId();
  const field = useRef<HTMLInputElement>(null);
  const combobox = useCombobox(options);
  const { isOpen, typed, marked } = combobox;
  const { choices, chosen } = options;
  const name = choices.flatMap((group) => group.options).find(({ value }) => value === chosen)?.text ?? chosen ?? '';
  const open = () => {
    combobox.open();
    // The next character replaces the name of the choice.
    if (!isOpen) field.current?.select();
  };
  return (
    <span className="combobox">
      <input
        {...controlAttributes(control)}
        ref={field}
        className="field field-short"
        type="text"
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={marked && optionId(listId, marked)}
        data-focus-on-load={focusOnLoad}
        placeholder={placeholder}
        readOnly={options.isLocked}
        value={typed ?? name}
        onChange={({ target }) => combobox.type(target.value)}
        onClick={open}
        onKeyDown={combobox.onKeyDown}
        onBlur={combobox.close}
      />
      <Icon name="chevron" />
      <OptionList id={listId} combobox={combobox} field={field} chosen={chosen === undefined ? [] : [chosen]} />
    </span>
  );
}

type Options = {
  choices: Choices;
  /** Marked when the list opens. */
  chosen?: string | undefined;
  /** Not offered any more. */
  without?: readonly string[] | undefined;
  isLocked?: boolean | undefined;
  /** True if the list stays open for more after a choice. */
  afterTaking: 'closed' | 'open';
  choose(value: string): void;
};

type Combobox = {
  isOpen: boolean;
  /** The search text; undefined before anything was typed. */
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
function useCombobox(options: Options): Combobox {
  const { choices, chosen, without, isLocked, afterTaking, choose } = options;
  const [begun, setSearch] = useState<{ typed: string | undefined; at: number }>();
  const search = isLocked ? undefined : begun;
  const matches = search ? filterChoices(choices, search.typed ?? '', without) : [];
  const flat = matches.flatMap((group) => group.options);
  const marked = search && flat[search.at];
  const type = (text: string | undefined) => {
    const all = filterChoices(choices, '', without).flatMap((group) => group.options);
    const atChosen = text ? 0 : all.findIndex(({ value }) => value === chosen);
    if (!isLocked) setSearch({ typed: text, at: Math.max(0, atChosen) });
  };
  const open = () => {
    if (!search) type(undefined);
  };
  const close = () => setSearch(undefined);
  const take = (value: string) => {
    setSearch(afterTaking === 'open' ? { typed: undefined, at: 0 } : undefined);
    choose(value);
  };
  /** Returns true if the key was for the list. */
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
  return {
    isOpen: search !== undefined,
    typed: search?.typed,
    shown: matches,
    marked,
    open,
    close,
    type,
    take,
    onKeyDown,
  };
}

type ListProps = {
  id: string;
  combobox: Combobox;
  field: RefObject<HTMLElement | null>;
  chosen: readonly string[];
};

function optionId(listId: string, { value }: Choice): string {
  return `${listId}-${encodeURIComponent(value)}`;
}

/** Shows the list of a combobox above everything else on the page. The field keeps the focus. */
function OptionList({ id, combobox, field, chosen }: ListProps) {
  const popup = useRef<HTMLDivElement>(null);
  const { isOpen, shown, marked, take } = combobox;
  const count = shown.flatMap(({ options }) => options).length;
  usePlace(popup, field, { isOpen, count });
  const markedId = marked && optionId(id, marked);
  useLayoutEffect(() => {
    if (markedId !== undefined) document.getElementById(markedId)?.scrollIntoView({ block: 'nearest' });
  }, [markedId]);
  const optionOf = (option: Choice) => (
    // biome-ignore lint/a11y/useFocusableInteractive: marked by aria-activedescendant
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
    <div
      key={option.value}
      id={optionId(id, option)}
      className="option"
      role="option"
      aria-selected={chosen.includes(option.value)}
      data-marked={option === marked}
      onClick={() => take(option.value)}
    >
      <span>{option.text}</span>
      {option.note !== undefined && <span className="option-note">{option.note}</span>}
    </div>
  );
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keeps the focus in the field */}
      <div ref={popup} className="menu option-list" popover="manual" onMouseDown={(event) => event.preventDefault()}>
        {isOpen && count === 0 && <p className="option-none">No results</p>}
        <div id={id} role="listbox" aria-label="Options" hidden={count === 0}>
          {shown.map(({ label: group, options }) =>
            group === undefined ? (
              options.map(optionOf)
            ) : (
              // biome-ignore lint/a11y/useSemanticElements: a group of options
              <div key={group} role="group" aria-label={group}>
                <div className="option-group" aria-hidden="true">
                  {group}
                </div>
                {options.map(optionOf)}
              </div>
            ),
          )}
        </div>
      </div>
      <span className="visually-hidden" role="status">
        {isOpen && resultsText(count)}
      </span>
    </>
  );
}

/** Shows the list beside its field while it is open, wherever that is scrolled to. */
function usePlace(
  popup: RefObject<HTMLElement | null>,
  field: ListProps['field'],
  { isOpen, count }: { isOpen: boolean; count: number },
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number of options is another height
  useLayoutEffect(() => {
    const list = popup.current;
    const opener = field.current;
    if (!list || !opener || !isOpen) return;
    const place = () => {
      list.style.width = `${opener.offsetWidth}px`;
      placeBelow(opener, list);
    };
    list.showPopover();
    place();
    window.addEventListener('scroll', place, true);
    window.addEventListener('resize', place);
    return () => {
      window.removeEventListener('scroll', place, true);
      window.removeEventListener('resize', place);
      list.hidePopover();
    };
  }, [isOpen, count]);
}
