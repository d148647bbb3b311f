import type { MultiSelect, PlainTextOption, Select } from '@slack/types';
import { isOffered } from '../../inputs/is-offered.ts';
import type { Member } from '../../people-api.ts';
import type { ElementInput } from '../../person-actions.ts';
import type { Directory, NamedChannel } from '../state/directory.tsx';
import { nameInList } from '../state/person-words.ts';
import { textWithEmoji } from '../text/text-with-emoji.ts';
import type { Choice, Choices } from './filter-choices.ts';

export function choicesOf(element: Select | MultiSelect, directory: Directory): Choices {
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

/** Deactivated people keep their names, but can't be chosen; nor can those whom a guest doesn't meet. */
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

export function valuesOf(input: ElementInput | undefined): string[] {
  if (input?.kind === 'options') return input.values;
  return input?.kind === 'ids' ? input.ids : [];
}

export function inputOf(element: Select | MultiSelect, values: string[]): ElementInput {
  const isStatic = /^(multi_)?(static|external)_select$/.test(element.type);
  return isStatic ? { kind: 'options', values } : { kind: 'ids', ids: values };
}
