import { setTimeout as delay } from 'node:timers/promises';
import type { ViewOutput } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { InputField } from '../../../../core/policy/crew.ts';
import type { Person } from '../../../../core/state/approval.ts';
import type { Inputs } from '../../../../core/values/json.ts';
import { ok, type Result, refuse } from '../../../../core/values/result.ts';
import type { Say } from '../../../language/say.ts';
import { tell } from '../../../listening/answers.ts';
import { type Click, clickOf, contentOf, findMessageText, shortcutClick } from '../../../listening/click.ts';
import type {
  Ack,
  ActionListener,
  ListenerContext,
  ShortcutListener,
  ViewAnswer,
  ViewListener,
} from '../../../listening/context.ts';
import { modalAsSeen, openWhileWaiting, showWhenReady, updateModal } from '../../../listening/modals.ts';
import type { FormValues } from '../../../ui/button-value.ts';
import type { MessageContent } from '../../../ui/message-text.ts';
import { answerModal, modalOf } from '../../../ui/modal.ts';
import { readPickedCrew } from '../crew-picker.ts';
import { fieldsOf, formView } from '../form.ts';
import { findFirstOffered, findOffered } from '../permits.ts';
import { loadingModal } from '../progress.ts';
import { inputsSentence, noneToStartMessage, outOfDate, startRefusalModal } from '../trouble.ts';
import { intoBlockIn, readInto, readMessage, textInputs } from './message-blocks.ts';
import {
  type ChannelTrouble,
  type ChoiceMetadata,
  channelBlockIn,
  choiceView,
  crewBlockIn,
  findChosenPlace,
  parseChoiceMetadata,
  readChosenChannel,
} from './modal.ts';

/** Asks which crew to start and where: for a shortcut, or the button in Home. */
export const onStartCrew: ActionListener = ({ ack, body, context }) =>
  openChoice(context, clickOf(body), { ack, content: null });

export const onStartCrewAnywhere: ShortcutListener = ({ ack, context, shortcut }) =>
  openChoice(context, shortcutClick(shortcut), { ack, content: null });

/** The same, with a form that begins with a message. */
export const onStartCrewWithMessage: ShortcutListener = ({ ack, context, shortcut }) =>
  openChoice(context, shortcutClick(shortcut), { ack, content: contentOf(shortcut) });

/** Shows what the crew that was picked is for, its own channel, and what it can take of a message. */
export const onChooseCrew: ActionListener = async ({ ack, body, context }) => {
  const { view, value: crew } = clickOf(body);
  const metadata = view && parseChoiceMetadata(view.private_metadata);
  if (!view || !metadata) return ack();
  const by = context.person;
  const offered = await findOffered(context, { crew, channel: null, by });
  await ack();
  const say = await context.say();
  const shown = offered.ok
    ? await otherCrew(context, view, { metadata: { ...metadata, crew }, crews: offered.value, by, say })
    : startRefusalModal(offered.refusal, say);
  // With the hash, the first of two choices in a row doesn't replace the second.
  await updateModal(context, modalAsSeen(view), shown);
};

/** Shows the form of what was chosen, on top of the choice, so that the person can go back to it. */
export const onChoice: ViewListener = async ({ ack, context, view }) => {
  const by = context.person;
  const say = await context.say();
  const { values } = view.state;
  const metadata = parseChoiceMetadata(view.private_metadata);
  if (!metadata) return ack(await outOfDate(context, { view, by, say }));
  const crew = readPickedCrew(values) ?? metadata.crew;
  const channel = readChosenChannel(values);
  const begins = metadata.messageLength === null ? 'empty' : 'with-message';
  context.addToLog({ crew });
  const [offered, answer] = await Promise.all([
    findOffered(context, { crew, channel, by }),
    chosenForm(context, { crew, channel, by, values, begins }, say),
  ]);
  if (!offered.ok) return ack({ response_action: 'push', view: startRefusalModal(offered.refusal, say) });
  // It was submitted before the inputs of the picked crew arrived.
  if (crew !== metadata.crew && metadata.messageLength !== null) {
    const chosen = { metadata: { ...metadata, crew }, crews: offered.value, by, say };
    return ack({ response_action: 'update', view: await otherCrew(context, view, chosen) });
  }
  await ack(answer);
};

interface Opening {
  ack: Ack;
  /** What the message says that the form is to begin with; null for a start without one. */
  content: MessageContent | null;
}

/** Acknowledges as soon as it is known what the person may start, and not at all if a refusal can't be stored. */
async function openChoice(context: ListenerContext, click: Click, { ack, content }: Opening): Promise<void> {
  const say = await context.say();
  const first = findFirstOffered(context, { channel: null, by: context.person });
  const view = first.then(
    (found): ModalView | Promise<ModalView> =>
      found.ok
        ? firstChoice(context, click, { ...found.value, content, say })
        : modalOf(say, { title: say('start.title'), ...noneToStartMessage(found.refusal, say) }),
    () => answerModal(say, { title: say('start.title.not-started'), text: say('start.cannot-store') }),
  );
  const [found, shown] = await Promise.all([
    first.then(async (each) => {
      await ack();
      return each;
    }),
    showChoice(context, click, view, say),
  ]);
  if (shown !== 'too-late') return;
  const told = found.ok
    ? { title: say('start.too-late'), text: say('start.took-too-long') }
    : { title: say('start.title.not-started'), text: noneToStartMessage(found.refusal, say).text };
  await tell(context, click, told);
}

async function showChoice(context: ListenerContext, { triggerId }: Click, view: Promise<ModalView>, say: Say) {
  const { value, modal } = await openWhileWaiting(context, { triggerId, loading: loadingModal(null, say) }, view);
  return showWhenReady(context, { triggerId, modal }, value);
}

async function firstChoice(
  context: ListenerContext,
  { message }: Click,
  { content, say, ...offered }: { crew: string; crews: string[]; content: MessageContent | null; say: Say },
): Promise<ModalView> {
  const text = content && (await findMessageText(context, content));
  return choiceView(
    context,
    {
      ...offered,
      by: context.person,
      channel: channelOf(message),
      message: text === null ? null : { text, length: text.length },
    },
    say,
  );
}

/** A run can't be followed in the direct messages that the message may be from. */
function channelOf(message: Click['message']): string | null {
  return message && !message.channel.startsWith('D') ? message.channel : null;
}

/** The choice with another crew. What the person has typed or chosen themselves stays. */
function otherCrew(
  context: ListenerContext,
  { state: { values } }: ViewOutput,
  { metadata, crews, by, say }: { metadata: ChoiceMetadata; crews: string[]; by: Person; say: Say },
) {
  const { crew, preset, presetBy, messageLength } = metadata;
  const channel = readChosenChannel(values);
  const isProposed = presetBy === 'crew' && channel === preset;
  const message = messageLength === null ? null : { text: readMessage(values), length: messageLength };
  return choiceView(context, { crew, crews, by, channel: isProposed ? null : channel, message }, say);
}

/**
 * Slack allows a submission three seconds; a later answer of the crew is cached for the next attempt.
 * https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response
 */
const MOST_WAIT_MS = 1_500;
const SLOW_SLACK = { trouble: 'unsure', sharing: 'unknown' } as const;

interface ChosenStart {
  crew: string;
  channel: string | null;
  by: Person;
  values: FormValues;
  begins: 'empty' | 'with-message';
}

/** The form for a crew and a channel that the person may use, or what is wrong with them, beside the field. */
async function chosenForm(
  context: ListenerContext,
  { crew, channel, by, values, begins }: ChosenStart,
  say: Say,
): Promise<ViewAnswer> {
  const [place, answer] = await Promise.all([
    channel === null ? null : soon(findChosenPlace(context, { channel, personId: by.id }), SLOW_SLACK),
    soon(fieldsOf(context, crew), null),
  ]);
  if (channel === null || !place) return error(channelBlockIn(values), say('choice.choose-channel'));
  if (place.trouble)
    return error(channelBlockIn(values), troubleSentence(place.trouble, { bot: context.identity.botName, say }));
  if (answer === null) return error(crewBlockIn(values), say('choice.slow', { crew }));
  if (answer.kind === 'unknown') return error(crewBlockIn(values), inputsSentence(answer.code, crew, say));
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
  if (fields.length === 0) return refuse(error(crewBlockIn(values), say('choice.no-text-input-plain', { crew })));
  const into = readInto(values, fields);
  if (into) return ok({ [into.name]: readMessage(values) });
  return refuse(error(intoBlockIn(values) ?? crewBlockIn(values), say('input.not-offered')));
}

function soon<Value, Late>(wanted: Promise<Value>, late: Late): Promise<Value | Late> {
  return Promise.race([wanted, delay(MOST_WAIT_MS, late, { ref: false })]);
}

function error(block: string, problem: string): ViewAnswer {
  return { response_action: 'errors', errors: { [block]: problem } };
}

/** Why a run can't be started in the chosen channel, and what to do; plain text, beside the field. */
function troubleSentence(trouble: ChannelTrouble, { bot, say }: { bot: string; say: Say }): string {
  switch (trouble) {
    case 'not-in-channel':
    case 'other':
      return say('choice.trouble.not-in', { bot });
    case 'archived':
    case 'direct-message':
    case 'read-only':
    case 'no-access':
    case 'not-member':
    case 'unsure':
      return say(`choice.trouble.${trouble}`);
  }
}
