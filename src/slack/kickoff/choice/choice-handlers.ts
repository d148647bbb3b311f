import type { ViewOutput } from '@slack/bolt';
import type { Person } from '../../../core/approval/approval.ts';
import { clickOf } from '../../interaction/click.ts';
import type { ListenerContext } from '../../interaction/listener-context.ts';
import type { ActionListener, ViewAnswer, ViewListener } from '../../interaction/listeners.ts';
import { updateModal } from '../../interaction/modals.ts';
import type { Say } from '../../language/say.ts';
import { readPickedCrew } from '../crew-picker.ts';
import { outOfDate } from '../out-of-date.ts';
import { startRefusalModal } from '../start-refusal-text.ts';
import { findOffered } from '../why-not-start.ts';
import { type ChoiceMetadata, parseChoiceMetadata } from './choice-metadata.ts';
import { readChosenChannel } from './choice-modal.ts';
import { chosenForm } from './chosen-form.ts';
import { choiceView } from './find-choice.ts';
import { readMessage } from './message-blocks.ts';

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
  await updateModal(context, { viewId: view.id, hash: view.hash }, shown);
};

/** Shows the form of what was chosen, on top of the choice, so that the person can go back to it. */
export const onChoice: ViewListener = async ({ ack, context, view }) => {
  const by = context.person;
  const say = await context.say();
  const metadata = parseChoiceMetadata(view.private_metadata);
  if (!metadata) return ack(await outOfDate(context, { view, by, say }));
  const crew = readPickedCrew(view.state.values) ?? metadata.crew;
  const channel = readChosenChannel(view.state.values);
  context.addToLog({ crew });
  const [offered, answer] = await Promise.all([
    findOffered(context, { crew, channel: channel || null, by }),
    answerTo(context, view, { ...metadata, crew, channel, by, say }),
  ]);
  if (!offered.ok) return ack({ response_action: 'push', view: startRefusalModal(offered.refusal, say) });
  // It was submitted before the inputs of the picked crew arrived.
  if (crew !== metadata.crew && metadata.messageLength !== null) {
    const chosen = { metadata: { ...metadata, crew }, crews: offered.value, by, say };
    return ack({ response_action: 'update', view: await otherCrew(context, view, chosen) });
  }
  await ack(answer);
};

interface Chosen extends ChoiceMetadata {
  channel: string;
  by: Person;
  say: Say;
}

function answerTo(context: ListenerContext, { state: { values } }: ViewOutput, chosen: Chosen): Promise<ViewAnswer> {
  const { crew, channel, by, say, messageLength } = chosen;
  return chosenForm(
    context,
    { crew, channel, by, values, begins: messageLength === null ? 'empty' : 'with-message' },
    say,
  );
}

/** What the person has typed or chosen by themselves stays. */
function otherCrew(
  context: ListenerContext,
  { state: { values } }: ViewOutput,
  { metadata, crews, by, say }: { metadata: ChoiceMetadata; crews: string[]; by: Person; say: Say },
) {
  const { crew, preset, presetBy, messageLength } = metadata;
  const channel = readChosenChannel(values) || null;
  const isProposed = presetBy === 'crew' && channel === preset;
  const message = messageLength === null ? null : { text: readMessage(values), length: messageLength };
  return choiceView(context, { crew, crews, by, channel: isProposed ? null : channel, message }, say);
}
