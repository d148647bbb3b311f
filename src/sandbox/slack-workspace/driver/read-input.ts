import { optionsOf } from '../block-kit/composition.ts';
import { stringAt } from '../json.ts';
import type { Snapshot } from '../people-api.ts';
import { findInput } from './find-element.ts';
import { surfaceOf, type Where } from './find-in-snapshot.ts';
import { textObject } from './visible-text.ts';

/** What the input with this label holds in a view, in a person's words. Throws if there is no such input. */
export function wordsIn(seen: Snapshot, label: string, where: Where): string[] {
  const surface = surfaceOf(seen, where);
  const held = surface && findInput(surface.blocks, label);
  if (!held) throw new Error(`there is no input labelled “${label}” there`);
  const input = surface.inputs[String(held.block.block_id)]?.[String(held.element.action_id)];
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
    case 'files':
      return input.files.map(({ name }) => name);
    case 'press':
    case undefined:
      return [];
  }
}

function nameOf({ members, channels }: Snapshot, id: string): string {
  const person = members.find((member) => member.id === id);
  return person?.realName ?? channels.find((channel) => channel.id === id)?.name ?? id;
}
