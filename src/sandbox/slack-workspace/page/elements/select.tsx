import type { MultiSelect, PlainTextOption, Select } from '@slack/types';
import { isOffered } from '../../inputs/is-offered.ts';
import type { Member } from '../../people-api.ts';
import type { ElementInput } from '../../person-actions.ts';
import { Icon } from '../shell/icon.tsx';
import { type Directory, type NamedChannel, useDirectory } from '../state/directory.tsx';
import { nameInList } from '../state/person-words.ts';
import { textWithEmoji } from '../text/emoji.ts';
import { ComboboxField } from './combobox.tsx';
import type { Choice, Choices } from './filter-choices.ts';
import { type ElementProps, Frame, useElement } from './use-element.tsx';

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

function choicesOf(element: Select | MultiSelect, directory: Directory): Choices {
  switch (element.type) {
    case 'static_select':
    case 'multi_static_select':
      return element.option_groups
        ? element.option_groups.map(({ label, options }) => ({
            label: textWithEmoji(label),
            options: options.map(plain),
          }))
        : [{ options: (element.options ?? []).map(plain) }];
    case 'users_select':
    case 'multi_users_select':
      return [{ options: directory.members.filter(isChoosable).map(personChoice) }];
    case 'conversations_select':
    case 'multi_conversations_select':
    case 'channels_select':
    case 'multi_channels_select':
      return [{ options: directory.channels.filter((one) => isOffered(element, one)).map(channelChoice) }];
    case 'external_select':
    case 'multi_external_select':
      // This workspace doesn't support options loaded from the app.
      return [];
  }
}

/** Deactivated people keep their names, but can't be chosen; nor can people whom a guest doesn't meet. */
function isChoosable({ isDeactivated, isOutOfReach }: Member): boolean {
  return isDeactivated !== true && isOutOfReach !== true;
}

function personChoice(member: Member): Choice {
  return { value: member.id, text: nameInList(member), alias: member.name };
}

function plain({ value = '', text, description }: PlainTextOption): Choice {
  return { value, text: textWithEmoji(text), ...(description && { note: textWithEmoji(description) }) };
}

function channelChoice({ id, name, kind }: NamedChannel) {
  return { value: id, text: kind === 'im' ? name : `#${name}` };
}

function valuesOf(input: ElementInput | undefined): string[] {
  if (input?.kind === 'options') return input.values;
  return input?.kind === 'ids' ? input.ids : [];
}

function inputOf(element: Select | MultiSelect, values: string[]): ElementInput {
  const isStatic = /^(multi_)?(static|external)_select$/.test(element.type);
  return isStatic ? { kind: 'options', values } : { kind: 'ids', ids: values };
}
