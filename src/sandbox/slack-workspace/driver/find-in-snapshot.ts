import { optionsOf } from '../block-kit/composition.ts';
import { type HeldElement, heldElements, messageBlocks } from '../block-kit/interactive.ts';
import { inputKind } from '../inputs/element-kind.ts';
import { isOffered } from '../inputs/is-offered.ts';
import { type JsonObject, objectAt, stringAt } from '../json.ts';
import type { Block, Message, Snapshot } from '../people-api.ts';
import type { ElementInput, ElementPlace, ViewInputs } from '../person-actions.ts';
import { blocksText, textObject, visibleText } from './visible-text.ts';

/**
 * The place in which a person acts: a message, the top modal or the app's Home tab. Default: the top modal, which covers everything else. If none
 * is open, the newest message that has it, and then the Home tab.
 */
export type Where = {
  in?: Message | 'modal' | 'home';
  /** Only from the first block on that says this, where several elements have the same label. */
  from?: Wanted;
};

/** Text that must be present, or a pattern for it. */
export type Wanted = string | RegExp;

/** The values in messages are not part of a person's snapshot. */
type Surface = { blocks: readonly Block[]; place: ElementPlace; inputs: ViewInputs };

export function says(text: string, pattern: Wanted): boolean {
  return typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text);
}

export const saying = (pattern: Wanted) => (message: Message) => says(visibleText(message), pattern);

/** The id of a channel in the person's list, by id, `#name` or `name`. Throws if they can't see it. */
export function channelIdOf(snapshot: Snapshot, reference: string): string {
  const name = reference.replace(/^#/, '');
  const match = snapshot.channels.find((channel) => channel.id === reference || channel.name === name);
  if (match) return match.id;
  const there = snapshot.channels.map((channel) => `#${channel.name}`).join(' ');
  throw new Error(`${snapshot.me.realName} can’t see ${reference}; visible: ${there}`);
}

/** All messages in a channel and its threads; none in a direct message that nobody has begun. */
export function allIn(snapshot: Snapshot, channel: string): Message[] {
  const isBegun = snapshot.channels.some(({ id, name }) => id === channel || name === channel);
  if (!channel.startsWith('#') && !isBegun) return [];
  return snapshot.messages[channelIdOf(snapshot, channel)] ?? [];
}

/** The messages shown in the channel itself, without thread-only replies. */
export function mainIn(snapshot: Snapshot, channel: string): Message[] {
  return allIn(snapshot, channel).filter(
    (message) => message.threadTs === undefined || message.threadTs === message.ts || message.broadcast,
  );
}

export function threadOf(snapshot: Snapshot, message: Message): Message[] {
  const rootTs = message.threadTs ?? message.ts;
  const all = snapshot.messages[message.channel] ?? [];
  return all.filter((candidate) => candidate.threadTs === rootTs && candidate.ts !== rootTs);
}

/** The current version of a message; undefined if it is gone. */
export function current(snapshot: Snapshot, message: Message): Message | undefined {
  return snapshot.messages[message.channel]?.find((candidate) => candidate.ts === message.ts);
}

function blocksFrom(blocks: readonly Block[], { from }: Where): readonly Block[] {
  if (from === undefined) return blocks;
  const first = blocks.findIndex((block) => says(blocksText([block]), from));
  return first === -1 ? [] : blocks.slice(first);
}

/** Finds an element where a person would look for it. Undefined if it isn't there (yet). */
export function findOn<Held>(
  seen: Snapshot,
  where: Where,
  find: (blocks: readonly Block[]) => Held | undefined,
): { held: Held; place: ElementPlace; inputs: ViewInputs } | undefined {
  for (const { blocks, place, inputs } of surfacesOf(seen, where)) {
    const match = find(blocksFrom(blocks, where));
    if (match !== undefined) return { held: match, place, inputs };
  }
  return undefined;
}

/** The places that are open, the likeliest first. */
function surfacesOf(snapshot: Snapshot, where: Where): Surface[] {
  const places = where.in === undefined ? placesOf(snapshot) : [where.in];
  return places.flatMap((place) => surfaceAt(snapshot, place) ?? []);
}

function placesOf(snapshot: Snapshot): (Message | 'modal' | 'home')[] {
  if (snapshot.modals.length > 0) return ['modal'];
  const messages = Object.values(snapshot.messages).flat();
  return [...messages.sort((a, b) => Number(b.ts) - Number(a.ts)), 'home'];
}

function surfaceAt(snapshot: Snapshot, place: Message | 'modal' | 'home'): Surface | undefined {
  if (place === 'modal' || place === 'home') {
    const view = place === 'modal' ? snapshot.modals.at(-1) : snapshot.home;
    return view && { blocks: view.blocks, place: { in: 'view', viewId: view.id }, inputs: view.inputs };
  }
  const message = current(snapshot, place);
  if (!message) return undefined;
  const { channel, ts } = message;
  return { blocks: messageBlocks(message), place: { in: 'message', channel, ts }, inputs: {} };
}

/** A button-like element, and the input that pressing it makes. */
type Pressable = HeldElement & { input: ElementInput };

/** Finds a button, overflow entry or feedback button by its label. */
export function findPressable(blocks: readonly Block[], label: string): Pressable | undefined {
  for (const candidate of heldElements(blocks)) {
    const { element } = candidate;
    if (textObject(element.text) === label && inputKind(element) === 'press')
      return { ...candidate, input: { kind: 'press' } };
    const offered =
      element.type === 'overflow' ? optionsOf(element).find((option) => textObject(option.text) === label) : undefined;
    if (offered) return { ...candidate, input: { kind: 'options', values: [stringAt(offered, 'value') ?? ''] } };
    for (const side of ['positive_button', 'negative_button']) {
      const button = objectAt(element, side);
      if (button && textObject(button.text) === label)
        return { ...candidate, input: { kind: 'press', value: stringAt(button, 'value') ?? '' } };
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
  for (const candidate of heldElements(blocks)) {
    if (candidate.element.type !== 'checkboxes') continue;
    const match = optionsOf(candidate.element).find((option) => textObject(option.text) === text);
    if (match) return { ...candidate, value: stringAt(match, 'value') ?? '' };
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
  const match = options.find((option) => textObject(option.text) === word);
  if (!match)
    throw new Error(
      `“${word}” is not an option; options: ${options.map((option) => textObject(option.text)).join(', ')}`,
    );
  return stringAt(match, 'value') ?? '';
}

/** Selects of users offer active people only, others the conversations that pass their filter. */
function idOf(snapshot: Snapshot, element: JsonObject, word: string): string {
  const name = word.replace(/^[@#]/, '');
  const people = snapshot.members.filter(({ isDeactivated, isOutOfReach }) => !isDeactivated && !isOutOfReach);
  const match = /users_select$/.test(String(element.type))
    ? people.filter((person) => [person.id, person.name, person.realName].includes(name))
    : snapshot.channels.filter((channel) => isOffered(element, channel) && [channel.id, channel.name].includes(name));
  const [only, other] = match;
  if (!only) throw new Error(`${word} can’t be chosen in this workspace`);
  if (other) throw new Error(`several are called ${word}: choose by handle or id`);
  return only.id;
}

/** Returns the value of the input with this label in a view, in a person's words. Throws if there is no such input. */
export function wordsIn(snapshot: Snapshot, label: string, where: Where): string[] {
  const match = findOn(snapshot, where, (blocks) => findInput(blocks, label));
  if (!match) throw new Error(`there is no input labelled “${label}” there`);
  const { held, inputs } = match;
  const input = inputs[String(held.block.block_id)]?.[String(held.element.action_id)];
  switch (input?.kind) {
    case 'text':
      return input.value === '' ? [] : [input.value];
    case 'options':
      return optionsOf(held.element)
        .filter((option) => input.values.includes(stringAt(option, 'value') ?? ''))
        .map((option) => textObject(option.text));
    case 'ids':
      return input.ids.map((id) => nameOf(snapshot, id));
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
