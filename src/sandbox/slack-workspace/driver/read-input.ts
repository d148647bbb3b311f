import { optionsOf } from '../block-kit/composition.ts';
import { stringAt } from '../json.ts';
import type { Snapshot } from '../people-api.ts';
import { findInput } from './find-element.ts';
import { textObject } from './visible-text.ts';

/** What the input with this label holds in the open modal, in a person's words. Throws if there is no such input. */
export function wordsIn(seen: Snapshot, label: string): string[] {
  const view = seen.modals.at(-1);
  const held = view && findInput(view.blocks, label);
  if (!held) throw new Error(`there is no input labelled “${label}” in a modal`);
  const input = view.inputs[String(held.block.block_id)]?.[String(held.element.action_id)];
  switch (input?.kind) {
    case 'text':
      return input.value === '' ? [] : [input.value];
    case 'options':
      return optionsOf(held.element)
        .filter((option) => input.values.includes(stringAt(option, 'value') ?? ''))
        .map((option) => textObject(option.text));
    case 'ids':
      return input.ids.map((id) => nameOf(seen, id));
    case 'moment':
      return input.value === null ? [] : [input.value];
    case 'instant':
      return input.seconds === null ? [] : [new Date(input.seconds * 1000).toISOString()];
    case 'press':
    case undefined:
      return [];
  }
}

function nameOf({ members, channels }: Snapshot, id: string): string {
  const person = members.find((member) => member.id === id);
  return person?.realName ?? channels.find((channel) => channel.id === id)?.name ?? id;
}
