import type { MultiSelect, Select } from '@slack/types';
import { Icon } from '../shell/icon.tsx';
import { useDirectory } from '../state/directory.tsx';
import { controlAttributes, type ElementProps } from './control.ts';
import { Frame } from './frame.tsx';
import { type Choices, choicesOf, inputOf, valuesOf } from './select-choices.ts';
import { useElement } from './use-element.ts';

export function SelectView({ element, blockId, control }: ElementProps<Select>) {
  const state = useElement(element, blockId, control);
  const choices = choicesOf(element, useDirectory());
  const [chosen = ''] = valuesOf(state.value);
  return (
    <Frame state={state}>
      <select
        {...controlAttributes(control)}
        className="field field-short"
        data-focus-on-load={element.focus_on_load}
        value={chosen}
        onChange={({ target }) => state.put(inputOf(element, target.value === '' ? [] : [target.value]))}
      >
        <option value="">{element.placeholder?.text ?? 'Choose…'}</option>
        <Options choices={choices} />
      </select>
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
  return (
    <Frame state={state}>
      <span className="chips">
        {chosen.map((value) => (
          <button
            key={value}
            type="button"
            className="chip"
            aria-label={`Remove ${nameOf(value) ?? value}`}
            onClick={() =>
              state.put(
                inputOf(
                  element,
                  chosen.filter((other) => other !== value),
                ),
              )
            }
          >
            {nameOf(value) ?? value} <Icon name="close" />
          </button>
        ))}
      </span>
      <select
        {...controlAttributes(control)}
        className="field field-short"
        value=""
        disabled={isFull}
        onChange={({ target }) => target.value !== '' && state.put(inputOf(element, [...chosen, target.value]))}
      >
        <option value="">{isFull ? 'Maximum reached' : (element.placeholder?.text ?? 'Add…')}</option>
        <Options choices={choices} without={chosen} />
      </select>
    </Frame>
  );
}

function Options({ choices, without = [] }: { choices: Choices; without?: string[] }) {
  return choices.map(({ label, options }) => {
    const shown = options
      .filter(({ value }) => !without.includes(value))
      .map(({ value, text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ));
    return label === undefined ? (
      shown
    ) : (
      <optgroup key={label} label={label}>
        {shown}
      </optgroup>
    );
  });
}
