import { setTimeout as delay } from 'node:timers/promises';
import type { Person } from '../../../core/approval/approval.ts';
import type { InputField } from '../../../core/crew.ts';
import type { Inputs } from '../../../core/json.ts';
import { ok, type Result, refuse } from '../../../core/result.ts';
import type { ListenerContext } from '../../interaction/listener-context.ts';
import type { ViewAnswer } from '../../interaction/listeners.ts';
import type { Say } from '../../language/say.ts';
import type { FormValues } from '../../ui/form-values.ts';
import { fieldsOf, formView } from '../form-view.ts';
import { inputsSentence } from '../trouble.ts';
import { channelBlockIn, crewBlockIn } from './choice-modal.ts';
import { findChosenPlace } from './find-chosen-place.ts';
import { intoBlockIn, readInto, readMessage } from './message-blocks.ts';
import { textInputs } from './text-inputs.ts';
import { troubleSentence } from './trouble-sentence.ts';

/**
 * Slack allows a submission three seconds; a later answer of the crew is cached for the next attempt.
 * https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response
 */
const MOST_WAIT_MS = 1_500;
const SLOW_SLACK = { trouble: 'unsure', sharing: 'unknown' } as const;

interface Chosen {
  crew: string;
  channel: string;
  by: Person;
  values: FormValues;
  begins: 'empty' | 'with-message';
}

/** The form for a crew and a channel that the person may use, or what is wrong with them, beside the field. */
export async function chosenForm(
  context: ListenerContext,
  { crew, channel, by, values, begins }: Chosen,
  say: Say,
): Promise<ViewAnswer> {
  const [place, answer] = await Promise.all([
    channel === '' ? null : soon(findChosenPlace(context, { channel, personId: by.id }), SLOW_SLACK),
    soon(fieldsOf(context, crew), null),
  ]);
  if (!place) return error(channelBlockIn(values), say('choice.choose-channel'));
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
