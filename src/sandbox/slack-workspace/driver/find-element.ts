import { optionsOf } from '../block-kit/composition.ts';
import { type HeldElement, heldElements } from '../block-kit/interactive.ts';
import { inputKind } from '../inputs/element-kind.ts';
import { isOffered } from '../inputs/is-offered.ts';
import { type JsonObject, objectAt, stringAt } from '../json.ts';
import type { Block, Snapshot } from '../people-api.ts';
import type { ElementInput } from '../person-actions.ts';
import { textObject } from './visible-text.ts';

/** A button-like element, and the input that pressing it makes. */
type Pressable = HeldElement & { input: ElementInput };

/** Finds a button, overflow entry or feedback button by its label. */
export function findPressable(blocks: readonly Block[], label: string): Pressable | undefined {
  for (const held of heldElements(blocks)) {
    const { element } = held;
    if (textObject(element.text) === label && inputKind(element) === 'press')
      return { ...held, input: { kind: 'press' } };
    const offered =
      element.type === 'overflow' ? optionsOf(element).find((option) => textObject(option.text) === label) : undefined;
    if (offered) return { ...held, input: { kind: 'options', values: [stringAt(offered, 'value') ?? ''] } };
    for (const side of ['positive_button', 'negative_button']) {
      const button = objectAt(element, side);
      if (button && textObject(button.text) === label)
        return { ...held, input: { kind: 'press', value: stringAt(button, 'value') ?? '' } };
    }
  }
  return undefined;
}

/** Finds an input by the label of its block, its placeholder, or the text of its section. */
export function findInput(blocks: readonly Block[], label: string): HeldElement | undefined {
  const holders = heldElements(blocks).filter(({ element }) => inputKind(element) !== 'press');
  return holders.find(({ block, element }) =>
    [textObject(block.label), textObject(element.placeholder), textObject(block.text)].includes(label),
  );
}

/** Finds the group of checkboxes with one of this text, and that one's value. */
export function findCheckbox(blocks: readonly Block[], text: string): (HeldElement & { value: string }) | undefined {
  for (const held of heldElements(blocks)) {
    if (held.element.type !== 'checkboxes') continue;
    const found = optionsOf(held.element).find((option) => textObject(option.text) === text);
    if (found) return { ...held, value: stringAt(found, 'value') ?? '' };
  }
  return undefined;
}

/** The input for words that a person would type or choose. Throws if a choice isn't available. */
export function inputOf(element: JsonObject, words: string[], snapshot: Snapshot): ElementInput {
  switch (inputKind(element)) {
    case 'options':
      return { kind: 'options', values: words.map((word) => optionValue(element, word)) };
    case 'ids':
      return { kind: 'ids', ids: words.map((word) => idOf(snapshot, element, word)) };
    case 'moment':
      return { kind: 'moment', value: words[0] || null };
    case 'instant':
      return { kind: 'instant', seconds: words[0] ? Math.floor(Date.parse(words[0]) / 1000) : null };
    case 'files':
      throw new Error('files are attached, not typed');
    case 'text':
    case 'press':
    case undefined:
      return { kind: 'text', value: words[0] ?? '' };
  }
}

function optionValue(element: JsonObject, word: string): string {
  const options = optionsOf(element);
  const found = options.find((option) => textObject(option.text) === word);
  if (!found)
    throw new Error(
      `“${word}” is not an option; options: ${options.map((option) => textObject(option.text)).join(', ')}`,
    );
  return stringAt(found, 'value') ?? '';
}

/** Selects of users offer active people only, others the conversations that pass their filter. */
function idOf(snapshot: Snapshot, element: JsonObject, word: string): string {
  const name = word.replace(/^[@#]/, '');
  const people = snapshot.members.filter(({ isDeactivated, isOutOfReach }) => !isDeactivated && !isOutOfReach);
  const found = /users_select$/.test(String(element.type))
    ? people.filter((person) => [person.id, person.name, person.realName].includes(name))
    : snapshot.channels.filter((channel) => isOffered(element, channel) && [channel.id, channel.name].includes(name));
  const [only, other] = found;
  if (!only) throw new Error(`${word} can’t be chosen in this workspace`);
  if (other) throw new Error(`several are called ${word}: choose by handle or id`);
  return only.id;
}
