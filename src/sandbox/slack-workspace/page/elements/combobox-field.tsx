import { useId, useRef } from 'react';
import { Icon } from '../shell/icon.tsx';
import { type Control, controlAttributes } from './control.ts';
import type { Choices } from './filter-choices.ts';
import { OptionList, optionId } from './option-list.tsx';
import { useCombobox } from './use-combobox.ts';

type Props = {
  control: Control;
  placeholder: string;
  focusOnLoad?: boolean | undefined;
  choices: Choices;
  /** What is chosen, where only one can be. */
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
    // What is typed next replaces the name of what is chosen.
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
