import type { ViewOutput } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { InputField } from '../../../../core/values/input-field.ts';
import type { Inputs } from '../../../../core/values/json.ts';
import { ok, type Result, refuse } from '../../../../core/values/result.ts';
import { ANSWER_WITHIN_MS, soon } from '../../../api/soon.ts';
import type { Say } from '../../../language/say.ts';
import { type Click, clickOf, contentOf, findMessageText, shortcutClick } from '../../../listening/click.ts';
import type {
  Ack,
  ActionListener,
  ListenerContext,
  ShortcutListener,
  ViewAnswer,
  ViewListener,
} from '../../../listening/context.ts';
import { fieldError, modalAsSeen, updateModal } from '../../../listening/modals.ts';
import type { FormValues } from '../../../ui/button-value.ts';
import type { MessageContent } from '../../../ui/message-text.ts';
import { modalOf } from '../../../ui/modal.ts';
import { readPickedCrew } from '../crew-picker.ts';
import { fieldsSoon, formView } from '../form.ts';
import { openOffered } from '../opening.ts';
import { findFirstOffered, findOffered } from '../permits.ts';
import { loadingModal } from '../progress.ts';
import { inputsSentence, noneToStartMessage, outOfDate, startRefusalModal } from '../trouble.ts';
import { intoBlockIn, readInto, readMessage, textInputs } from './message-blocks.ts';
import {
  type ChoiceMetadata,
  channelBlockIn,
  choiceMetadata,
  choiceView,
  crewBlockIn,
  findChosenPlace,
  readChosenChannel,
} from './modal.ts';

// Listeners of the shortcuts that start a crew, and of the window in which people choose the crew and the channel.

/** Asks which crew to start and where, for a shortcut or the button in Home. */
export const onStartCrew: ActionListener = ({ ack, body, context }) =>
  openChoice(context, clickOf(body), { ack, content: null });

export const onStartCrewAnywhere: ShortcutListener = ({ ack, context, shortcut }) =>
  openChoice(context, shortcutClick(shortcut), { ack, content: null });

export const onStartCrewWithMessage: ShortcutListener = ({ ack, context, shortcut }) =>
  openChoice(context, shortcutClick(shortcut), { ack, content: contentOf(shortcut) });

/** Shows the picked crew: what it is for, its own channel, and what it can take of a message. */
export const onChooseCrew: ActionListener = async ({ ack, body, context }) => {
  const { view, value: crew } = clickOf(body);
  const metadata = view && choiceMetadata.read(view.private_metadata);
  if (!view || !metadata) return ack();
  const offered = await findOffered(context, { crew, channel: null });
  await ack();
  const say = await context.say();
  const nextView = offered.ok
    ? await otherCrew(context, view, { metadata: { ...metadata, crew }, crews: offered.value, say })
    : startRefusalModal(offered.refusal, say);
  // The hash keeps the first of two quick choices from replacing the second.
  await updateModal(context, modalAsSeen(view), nextView);
};

/** Shows the form for the choice, on top of it, so that the person can go back. */
export const onChoice: ViewListener = async ({ ack, context, view }) => {
  const say = await context.say();
  const { values } = view.state;
  const metadata = choiceMetadata.read(view.private_metadata);
  if (!metadata) return ack(await outOfDate(context, view, say));
  const crew = readPickedCrew(values) ?? metadata.crew;
  const channel = readChosenChannel(values);
  const begins = metadata.messageLength === null ? 'empty' : 'with-message';
  context.addToLog({ crew });
  const [offered, answer] = await Promise.all([
    findOffered(context, { crew, channel }),
    chosenForm(context, { crew, channel, values, begins }, say),
  ]);
  if (!offered.ok) return ack({ response_action: 'push', view: startRefusalModal(offered.refusal, say) });
  // The choice was submitted before the inputs of the picked crew arrived.
  if (crew !== metadata.crew && metadata.messageLength !== null) {
    const chosen = { metadata: { ...metadata, crew }, crews: offered.value, say };
    return ack({ response_action: 'update', view: await otherCrew(context, view, chosen) });
  }
  await ack(answer);
};

/** @param content the message that the form begins with; null for a start without one */
async function openChoice(
  context: ListenerContext,
  click: Click,
  { ack, content }: { ack: Ack; content: MessageContent | null },
): Promise<void> {
  const say = await context.say();
  await openOffered(context, click, {
    ack,
    offered: findFirstOffered(context, null),
    loading: loadingModal(null, say),
    formOf: (offered) => firstChoice(context, click, { ...offered, content, say }),
    explain(refusals) {
      const message = noneToStartMessage(refusals, say);
      return { view: modalOf(say, { title: say('start.title'), ...message }), text: message.text };
    },
  });
}

async function firstChoice(
  context: ListenerContext,
  { message }: Click,
  { content, say, ...offered }: { crew: string; crews: string[]; content: MessageContent | null; say: Say },
): Promise<ModalView> {
  const text = content && (await findMessageText(context, content));
  const begin = text === null ? null : { text, length: text.length };
  return choiceView(context, { ...offered, channel: channelOf(message), message: begin }, say);
}

/** Returns the channel of a message. The bot can't follow a run in direct messages. */
function channelOf(message: Click['message']): string | null {
  return message && !message.channel.startsWith('D') ? message.channel : null;
}

/** Shows the choice with another crew. What the person typed or chose stays. */
function otherCrew(
  context: ListenerContext,
  { state: { values } }: ViewOutput,
  { metadata, crews, say }: { metadata: ChoiceMetadata; crews: string[]; say: Say },
) {
  const { crew, preset, presetBy, messageLength } = metadata;
  const channel = readChosenChannel(values);
  const isProposed = presetBy === 'crew' && channel === preset;
  const message = messageLength === null ? null : { text: readMessage(values), length: messageLength };
  return choiceView(context, { crew, crews, channel: isProposed ? null : channel, message }, say);
}

const SLOW_SLACK = { trouble: 'unsure', sharing: 'unknown' } as const;

interface ChosenStart {
  crew: string;
  channel: string | null;
  values: FormValues;
  begins: 'empty' | 'with-message';
}

/** Returns the form for a crew and a channel that the person may use, or the problem with them, beside the field. */
async function chosenForm(
  context: ListenerContext,
  { crew, channel, values, begins }: ChosenStart,
  say: Say,
): Promise<ViewAnswer> {
  const [place, answer] = await Promise.all([
    channel === null ? null : soon(ANSWER_WITHIN_MS, findChosenPlace(context, channel), SLOW_SLACK),
    fieldsSoon(context, crew),
  ]);
  if (channel === null || !place) return fieldError(channelBlockIn(values), say('choice.choose-channel'));
  if (place.trouble) {
    const trouble = place.trouble === 'other' ? 'not-in-channel' : place.trouble;
    const problem = say(`choice.trouble.${trouble}`, { bot: context.identity.botName });
    return fieldError(channelBlockIn(values), problem);
  }
  if (answer === null) return fieldError(crewBlockIn(values), say('choice.slow', { crew }));
  if (answer.kind === 'unknown') return fieldError(crewBlockIn(values), inputsSentence(answer.code, crew, say));
  const begun = begins === 'empty' ? ok({}) : withMessage(values, textInputs(answer.fields), { crew, say });
  if (!begun.ok) return begun.refusal;
  const request = { crew, crews: [crew], channel, sharing: place.sharing, attempt: 0, values: begun.value };
  return { response_action: 'push', view: await formView(context, { ...request, channelFrom: 'choice' }, say) };
}

function withMessage(
  values: FormValues,
  fields: readonly InputField[],
  { crew, say }: { crew: string; say: Say },
): Result<Inputs, ViewAnswer> {
  if (fields.length === 0) return refuse(fieldError(crewBlockIn(values), say('choice.no-text-input-plain', { crew })));
  const into = readInto(values, fields);
  if (into) return ok({ [into.name]: readMessage(values) });
  return refuse(fieldError(intoBlockIn(values) ?? crewBlockIn(values), say('input.not-offered')));
}
