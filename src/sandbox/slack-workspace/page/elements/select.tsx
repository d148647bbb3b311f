import type { MultiSelect, Select } from '@slack/types';
import { Icon } from '../shell/icon.tsx';
import { useDirectory } from '../state/directory.tsx';
import { textWithEmoji } from '../text/text-with-emoji.ts';
import { ComboboxField } from './combobox-field.tsx';
import type { ElementProps } from './control.ts';
import { Frame } from './frame.tsx';
import { choicesOf, inputOf, valuesOf } from './select-choices.ts';
import { useElement } from './use-element.ts';

export function SelectView({ element, blockId, control }: ElementProps<Select>) {
  const state = useElement(element, blockId, control);
  const [chosen] = valuesOf(state.value);
  const put = (...values: string[]) => state.put(inputOf(element, values));
  return (
    <Frame state={state}>
      <span className="chips">
        <ComboboxField
          control={control}
          placeholder={textWithEmoji(element.placeholder ?? { text: 'Choose…' })}
          focusOnLoad={element.focus_on_load}
          choices={choicesOf(element, useDirectory())}
          chosen={chosen}
          afterTaking="closed"
          choose={put}
        />
        {chosen !== undefined && !control.dispatches && (
          <button type="button" className="button button-icon" aria-label="Clear" title="Clear" onClick={() => put()}>
            <Icon name="close" />
          </button>
        )}
      </span>
    </Frame>
  );
}

/** A list to add from, and removable chips for what was added. */
export function MultiSelectView({ element, blockId, control }: ElementProps<MultiSelect>) {
  const state = useElement(element, blockId, control);
  const choices = choicesOf(element, useDirectory());
  const chosen = valuesOf(state.value);
  const nameOf = (value: string) => choices.flatMap(({ options }) => options).find((o) => o.value === value)?.text;
  const isFull = element.max_selected_items !== undefined && chosen.length >= element.max_selected_items;
  const put = (values: string[]) => state.put(inputOf(element, values));
  const remove = (removed: string) => {
    put(chosen.filter((value) => value !== removed));
    // Its button is gone.
    document.getElementById(control.id)?.focus();
  };
  return (
    <Frame state={state}>
      {chosen.length > 0 && (
        <span className="chips">
          {chosen.map((value) => (
            <button
              key={value}
              type="button"
              className="chip"
              aria-label={`Remove ${nameOf(value) ?? value}`}
              onClick={() => remove(value)}
            >
              {nameOf(value) ?? value} <Icon name="close" />
            </button>
          ))}
        </span>
      )}
      <ComboboxField
        control={control}
        placeholder={isFull ? 'Maximum reached' : textWithEmoji(element.placeholder ?? { text: 'Add…' })}
        focusOnLoad={element.focus_on_load}
        choices={choices}
        without={chosen}
        isLocked={isFull}
        afterTaking="open"
        choose={(value) => put([...chosen, value])}
      />
    </Frame>
  );
}
