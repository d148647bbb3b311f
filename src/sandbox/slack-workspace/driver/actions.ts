import { objectAt } from '../json.ts';
import type { ElementInput, Message, OpenView, PersonAction } from '../people-api.ts';
import type { Seat } from './client.ts';
import { findInput, findPressable, inputOf } from './find-element.ts';
import { channelIdOf, surfaceOf, type Where } from './find-in-snapshot.ts';
import { PersonProblemError } from './person-problem-error.ts';
import type { Eyes, Patience } from './queries.ts';
import { textObject } from './visible-text.ts';

/** What a driven person can do. Rejects with `PersonProblemError` where Slack would show an error. */
export type Hands = {
  say(channel: string, text: string): Promise<Message>;
  reply(to: Message, text: string, options?: { alsoToChannel?: boolean }): Promise<Message>;
  /** Types a slash command, the app's or the workspace's own `/invite @name`. */
  command(channel: string, command: string, text?: string): Promise<void>;
  /** Presses what bears this label, once it is there. `confirm` is the label of the dialog's button, if it asks. */
  click(label: string, where?: Where & Patience & { confirm?: string }): Promise<void>;
  /** Types into the input with this label; where the app listens to it, presses Enter too. */
  fill(label: string, text: string, where?: Where & Patience): Promise<void>;
  /** Chooses by what the options say, or by names of people and channels. */
  choose(label: string, options: string | string[], where?: Where & Patience): Promise<void>;
  submit(): Promise<void>;
  /** The button beside submit: back to the modal below, if any. */
  back(): Promise<void>;
  /** The ✕: closes all modals. */
  closeModal(): Promise<void>;
  openHome(): Promise<void>;
  /** Chooses the app's shortcut of this name in a message's menu. */
  messageShortcut(name: string, message: Message): Promise<void>;
  globalShortcut(name: string): Promise<void>;
  join(channel: string): Promise<void>;
  markRead(message: Message): Promise<void>;
  dismiss(message: Message): Promise<void>;
  /** The bytes of a message's file, by name or title. */
  download(message: Message, file: string): Promise<Buffer>;
};

export function createHands(seat: Seat, id: string, eyes: Eyes): Hands {
  const perform = async (action: PersonAction) => {
    const outcome = await seat.act(id, action);
    if (!outcome.ok) throw new PersonProblemError(outcome.problem, await eyes.screen());
    return outcome.ts;
  };
  const channelId = async (reference: string) => channelIdOf(await eyes.snapshot(), reference);
  const onTop = async (): Promise<OpenView> => eyes.waitFor('a modal', (seen) => seen.modals.at(-1));
  const shortcut = async (type: 'message' | 'global', name: string) => {
    const { shortcuts } = (await eyes.snapshot()).app;
    const found = shortcuts.find((offered) => offered.type === type && offered.name === name);
    if (!found) throw new Error(`no such shortcut: ${name}; there are: ${shortcuts.map((one) => one.name).join(', ')}`);
    return found.callbackId;
  };
  const put = (label: string, words: string[], where: Where & Patience) =>
    putInto(eyes, perform, { label, words, where });
  return {
    say: (channel, text) => sendMessage(eyes, perform, { channel, text }),
    reply: (to, text, options = {}) =>
      sendMessage(eyes, perform, { channel: to.channel, text, threadTs: to.threadTs ?? to.ts, ...options }),
    async command(channel, command, text = '') {
      await perform({ type: 'send', channel: await channelId(channel), text: `${command} ${text}`.trim() });
    },
    click: (label, where = {}) => press(eyes, perform, { label, where }),
    fill: (label, text, where = {}) => put(label, [text], where),
    choose: (label, options, where = {}) => put(label, [options].flat(), where),
    async submit() {
      await perform({ type: 'submit', viewId: (await onTop()).id });
    },
    async back() {
      await perform({ type: 'close', viewId: (await onTop()).id, extent: 'one' });
    },
    async closeModal() {
      await perform({ type: 'close', viewId: (await onTop()).id, extent: 'all' });
    },
    async openHome() {
      await perform({ type: 'open-home', tab: 'home' });
    },
    async messageShortcut(name, { channel, ts }) {
      await perform({ type: 'message-shortcut', callbackId: await shortcut('message', name), channel, ts });
    },
    async globalShortcut(name) {
      await perform({ type: 'global-shortcut', callbackId: await shortcut('global', name) });
    },
    async join(channel) {
      await perform({ type: 'join', channel: await channelId(channel) });
    },
    async markRead({ channel, ts }) {
      await perform({ type: 'mark-read', channel, ts });
    },
    async dismiss({ channel, ts }) {
      await perform({ type: 'dismiss', channel, ts });
    },
    async download(message, file) {
      const found = message.files.find((candidate) => candidate.name === file || candidate.title === file);
      const bytes = found && (await seat.download(id, found.id));
      if (!bytes) throw new Error(`there is no file “${file}” in that message\n${await eyes.screen()}`);
      return bytes;
    },
  };
}

type Perform = (action: PersonAction) => Promise<string | undefined>;

async function sendMessage(
  eyes: Eyes,
  perform: Perform,
  message: { channel: string; text: string; threadTs?: string; alsoToChannel?: boolean },
): Promise<Message> {
  const channel = channelIdOf(await eyes.snapshot(), message.channel);
  const ts = await perform({ ...message, type: 'send', channel });
  return eyes.waitFor('the message just sent', (seen) => seen.messages[channel]?.find((sent) => sent.ts === ts));
}

async function press(
  eyes: Eyes,
  perform: Perform,
  wanted: { label: string; where: Where & Patience & { confirm?: string } },
): Promise<void> {
  const { label, where } = wanted;
  const { held, place } = await eyes.waitFor(
    `a button called “${label}”`,
    (seen) => {
      const surface = surfaceOf(seen, where);
      const found = surface && findPressable(surface.blocks, label);
      return found && { held: found, place: surface.place };
    },
    where,
  );
  const confirmLabel = textObject(objectAt(held.element, 'confirm')?.confirm);
  await perform({
    type: 'use',
    place,
    blockId: String(held.block.block_id),
    actionId: String(held.element.action_id),
    input: held.input,
    confirmed: where.confirm !== undefined && where.confirm === confirmLabel,
  });
}

async function putInto(
  eyes: Eyes,
  perform: Perform,
  wanted: { label: string; words: string[]; where: Where & Patience },
): Promise<void> {
  const { label, words, where } = wanted;
  const { held, place, seen } = await eyes.waitFor(
    `an input called “${label}”`,
    (current) => {
      const surface = surfaceOf(current, where);
      const found = surface && findInput(surface.blocks, label);
      return found && { held: found, place: surface.place, seen: current };
    },
    where,
  );
  const blockId = String(held.block.block_id);
  const actionId = String(held.element.action_id);
  const input: ElementInput = inputOf(held.element, words, seen);
  const isQuiet = held.block.type === 'input' && held.block.dispatch_action !== true;
  if (place.in === 'view' && isQuiet)
    await perform({ type: 'fill', viewId: place.viewId, inputs: { [blockId]: { [actionId]: input } } });
  else await perform({ type: 'use', place, blockId, actionId, input });
}
