import type { InputBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { findStartPlace, type PostingTrouble, type Sharing } from '../../../api/channels.ts';
import { soon } from '../../../api/soon.ts';
import type { Say } from '../../../language/say.ts';
import type { ListenerContext } from '../../../listening/context.ts';
import { plain, section } from '../../../ui/blocks.ts';
import { codec, type FormValues, typedText } from '../../../ui/button-value.ts';
import { input } from '../../../ui/inputs.ts';
import { answerModal, modal } from '../../../ui/modal.ts';
import { escapedLine } from '../../../ui/text/escape.ts';
import { CREW_BLOCK, crewPicker, type OfferedCrew } from '../crew-picker.ts';
import { fieldsOf } from '../form.ts';
import { type ChosenMessage, messageBlocks, textInputs } from './message-blocks.ts';

// The window in which a person who comes from a shortcut chooses a crew and a channel, before the crew's form.

interface ChoiceRequest {
  crew: string;
  crews: readonly string[];
  /** The channel that the person chose or is in; null for the crew's own. */
  channel: string | null;
  message: Pick<ChosenMessage, 'text' | 'length'> | null;
}

/** The crew's own channel is only a proposal, so nobody waits longer for it. */
const PROPOSAL_WITHIN_MS = 1_000;

/** Renders the choice of a crew and a channel, with what the crew can take of a message. Never throws. */
export async function choiceView(context: ListenerContext, request: ChoiceRequest, say: Say): Promise<ModalView> {
  const { crew, channel } = request;
  const [own, message] = await Promise.all([
    channel === null ? proposedChannel(context, crew) : null,
    messageFor(context, request),
  ]);
  if (request.crews.length === 1 && message?.inputs.kind === 'inputs' && message.inputs.fields.length === 0) {
    const text = say('choice.no-text-input', { crew: escapedLine(crew, 80) });
    return answerModal(say, { title: say('start.title'), text });
  }
  const presetBy: ChoiceMetadata['presetBy'] = channel === null ? 'crew' : 'person';
  const crews = request.crews.map((name) => ({ name, description: context.crews.get(name)?.description ?? null }));
  return choiceModal({ crew, crews, preset: channel ?? own, presetBy, message }, say);
}

async function messageFor(context: ListenerContext, { crew, message }: ChoiceRequest): Promise<ChosenMessage | null> {
  if (!message) return null;
  const answer = await fieldsOf(context, crew);
  if (answer.kind === 'unknown') return { ...message, inputs: answer };
  return { ...message, inputs: { kind: 'inputs', fields: textInputs(answer.fields) } };
}

/** Returns the crew's own channel if the person sees it; null if that isn't known in time. */
async function proposedChannel(context: ListenerContext, crew: string): Promise<string | null> {
  const channel = ownChannel(context, crew).catch((error: unknown) => {
    context.log.warn({ crew, err: error }, 'could not propose the channel of a crew');
    return null;
  });
  return soon(PROPOSAL_WITHIN_MS, channel, null);
}

async function ownChannel(context: ListenerContext, crew: string): Promise<string | null> {
  const channel = await context.channelOf(crew);
  if (channel === null) return null;
  const { trouble } = await findChosenPlace(context, channel);
  return trouble === null ? channel : null;
}

const CHANNEL_BLOCK = 'channel';

interface Choice extends Omit<ChoiceMetadata, 'messageLength'> {
  crews: readonly OfferedCrew[];
  message: ChosenMessage | null;
}

/** Asks which crew to start and where, before its form. `choiceMetadata` reads its metadata. */
export function choiceModal(choice: Choice, say: Say): ModalView {
  const { crews, crew, message } = choice;
  const picker = crewPicker(crews, { crew, actionId: 'choose_crew', say });
  return modal(say, {
    callbackId: 'choose_start',
    title: say('start.title'),
    submit: say('modal.next'),
    metadata: choiceMetadata.write({ ...choice, messageLength: message?.length ?? null }),
    blocks: [
      ...(crews.length > 1 ? [] : [section(`*${escapedLine(crew, 80)}*`)]),
      ...picker,
      channelSelect(choice, say),
      ...(message ? messageBlocks(message, crew, say) : []),
    ],
  });
}

/** Gives each preset a block id of its own, because Slack keeps the choice in a block of the same id. */
function channelSelect({ preset }: Pick<Choice, 'preset'>, say: Say): InputBlock {
  return input(`${CHANNEL_BLOCK}:${preset ?? ''}`, {
    label: say('choice.channel'),
    hint: say('choice.channel-hint'),
    element: {
      type: 'conversations_select',
      action_id: 'channel_input',
      placeholder: plain(say('choice.choose-channel')),
      filter: { include: ['public', 'private'] },
      ...(preset !== null && { initial_conversation: preset }),
    },
  });
}

export function channelBlockIn(values: FormValues): string {
  return Object.keys(values).find((id) => id.startsWith(`${CHANNEL_BLOCK}:`)) ?? `${CHANNEL_BLOCK}:`;
}

/** Returns the block where an error about the crew is shown. A single crew has no block of its own. */
export function crewBlockIn(values: FormValues): string {
  return Object.hasOwn(values, CREW_BLOCK) ? CREW_BLOCK : channelBlockIn(values);
}

export function readChosenChannel(values: FormValues): string | null {
  return typedText(values, channelBlockIn(values)) || null;
}

/** The data that the choice of a crew and a channel carries from when it is shown to when it is submitted. */
export const choiceMetadata = codec(
  z.object({
    crew: z.string(),
    /** The channel that is shown; null if the person has to choose one. */
    preset: z.string().nullable(),
    /** `crew` if the preset is the crew's own channel, so that another crew has another. */
    presetBy: z.enum(['crew', 'person']),
    /** The length of the message that the form begins with; null for a start without one. */
    messageLength: z.number().int().nullable(),
  }),
);
export type ChoiceMetadata = NonNullable<ReturnType<typeof choiceMetadata.read>>;

/** The reason why a person can't start a run in a channel that they chose. `unsure`: Slack can't tell whether they are in it. */
type ChannelTrouble = PostingTrouble | 'not-member' | 'unsure';

interface ChosenPlace {
  trouble: ChannelTrouble | null;
  sharing: Sharing;
}

/** Checks that the bot can post in a channel that a person chose, and that the person sees it. */
export async function findChosenPlace(
  { client, identity, directory, person: { id } }: ListenerContext,
  channel: string,
): Promise<ChosenPlace> {
  const { trouble, sharing, privacy } = await findStartPlace(client, identity, channel);
  if (trouble || privacy === 'public') return { trouble, sharing };
  const members = await directory.membersOf({ kind: 'channel', name: 'channel' }, channel, [id]);
  if (!members) return { trouble: 'unsure', sharing };
  return { trouble: members.has(id) ? null : 'not-member', sharing };
}
