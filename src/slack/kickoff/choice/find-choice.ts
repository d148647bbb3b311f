import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import type { Person } from '../../../core/approval/approval.ts';
import type { ListenerContext } from '../../interaction/listener-context.ts';
import type { Say } from '../../language/say.ts';
import { answerModal } from '../../ui/answer-modal.ts';
import { escapedLine } from '../../ui/text/escape.ts';
import { fieldsOf } from '../form-view.ts';
import type { ChoiceMetadata } from './choice-metadata.ts';
import { choiceModal } from './choice-modal.ts';
import { findChosenPlace } from './find-chosen-place.ts';
import type { ChosenMessage } from './message-blocks.ts';
import { textInputs } from './text-inputs.ts';

/** What is known of a choice before it is shown. */
interface ChoiceRequest {
  crew: string;
  /** The names of the crews that the person can choose. */
  crews: readonly string[];
  by: Person;
  /** What the person has chosen, or the channel that they are in; null for the crew's own. */
  channel: string | null;
  message: Pick<ChosenMessage, 'text' | 'length'> | null;
}

/** The crew's own channel is only a proposal, for which nobody should wait. */
const PROPOSAL_WITHIN_MS = 1_000;

/** The choice of a crew and a channel, with what the crew can take of a message. Never throws. */
export async function choiceView(context: ListenerContext, request: ChoiceRequest, say: Say): Promise<ModalView> {
  const { crew, channel } = request;
  const [own, message] = await Promise.all([
    channel === null ? proposedChannel(context, request) : null,
    messageFor(context, request),
  ]);
  if (request.crews.length === 1 && message && takesNoText(message)) {
    const text = say('choice.no-text-input', { crew: escapedLine(crew, 80) });
    return answerModal(say, { title: say('start.title'), text });
  }
  const presetBy: ChoiceMetadata['presetBy'] = channel === null ? 'crew' : 'person';
  const crews = request.crews.map((name) => ({ name, description: context.crews.get(name)?.description ?? null }));
  return choiceModal({ crew, crews, preset: channel ?? own, presetBy, message }, say);
}

function takesNoText({ inputs }: ChosenMessage): boolean {
  return inputs.kind === 'inputs' && inputs.fields.length === 0;
}

async function messageFor(context: ListenerContext, { crew, message }: ChoiceRequest): Promise<ChosenMessage | null> {
  if (!message) return null;
  const answer = await fieldsOf(context, crew);
  const inputs =
    answer.kind === 'fields'
      ? { kind: 'inputs' as const, fields: textInputs(answer.fields) }
      : { kind: 'unknown' as const, code: answer.code };
  return { ...message, inputs };
}

/** The crew's own channel, if the person sees it; null if that isn't known in time. */
async function proposedChannel(context: ListenerContext, { crew, by }: ChoiceRequest): Promise<string | null> {
  const found = ownChannel(context, crew, by.id).catch((error: unknown) => {
    context.log.warn({ crew, err: error }, 'could not propose the channel of a crew');
    return null;
  });
  return Promise.race([found, delay(PROPOSAL_WITHIN_MS, null, { ref: false })]);
}

async function ownChannel(context: ListenerContext, crew: string, personId: string): Promise<string | null> {
  const channel = await context.channelOf(crew);
  if (channel === null) return null;
  const { trouble } = await findChosenPlace(context, { channel, personId });
  return trouble === null ? channel : null;
}
