import { setTimeout as delay } from 'node:timers/promises';
import type { Person } from '../../core/approval/approval.ts';
import type { OnSubmit, SubmissionAnswer } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { OpenView } from '../interaction/submission.ts';
import { readPickedCrew } from './crew-picker.ts';
import type { KickoffMetadata } from './form.ts';
import { parseKickoffMetadata } from './form.ts';
import { fieldsOf, formView } from './form-view.ts';
import { startingModal } from './progress-modals.ts';
import { readKickoffForm } from './read-form.ts';
import { startCrew } from './start-crew.ts';
import { startRefusalModal } from './start-refusal-text.ts';
import { inputsSentence, slowSentence } from './trouble.ts';
import { findOffered, type StartRefusal, whyNotStart, whyUnknownTo } from './why-not-start.ts';

/**
 * Slack allows a submission three seconds; a later answer of the crew is cached for the next attempt.
 * https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response
 */
const MAX_WAIT_FOR_FIELDS_MS = 1_500;

/** Stores the start and acknowledges with a modal that says so. Values that can't be used are marked at their fields. */
export const onKickoffForm: OnSubmit = async (context, { view, actor }, ack) => {
  const by = actor.person;
  const metadata = parseKickoffMetadata(view.metadata);
  if (!metadata) return ack(await outOfDate(context, view, by));
  const { crew, channel, attempt } = { ...metadata, crew: readPickedCrew(view.values) ?? metadata.crew };
  if (crew !== metadata.crew) return ack(await formOf(context, { ...metadata, crew }, by));
  const [refusal, answer] = await Promise.all([
    whyNotStart(context, { crew, channel, by }),
    Promise.race([fieldsOf(context, crew, metadata.unreported), delay(MAX_WAIT_FOR_FIELDS_MS, null, { ref: false })]),
  ]);
  if (refusal) return ack(refusalAnswer(refusal));
  if (answer === null) return ack(atFirstField(view, slowSentence(crew)));
  if (answer.kind === 'unknown') return ack(atFirstField(view, inputsSentence(answer.code, crew)));
  const inputs = readKickoffForm(view.values, answer.fields);
  if (!inputs.ok) return ack({ kind: 'errors', errors: inputs.refusal });
  const seed = { form: { viewId: view.id, attempt } };
  const ref = await startCrew(context, { crew, channel, by, inputs: inputs.value, seed });
  await ack({ kind: 'update', view: startingModal(crew) });
  context.wake(ref);
};

/** The form was submitted before the fields of the picked crew arrived. */
async function formOf(context: ListenerContext, metadata: KickoffMetadata, by: Person): Promise<SubmissionAnswer> {
  const offered = await findOffered(context, { ...metadata, by });
  if (!offered.ok) return refusalAnswer(offered.refusal);
  return {
    kind: 'update',
    view: await formView(context, { ...metadata, crews: offered.value, values: {}, missing: [] }),
  };
}

/** Where trying again may help, the form with all that was typed stays below the answer. */
function refusalAnswer(refusal: StartRefusal): SubmissionAnswer {
  const mayPass = refusal.denial?.kind === 'unsure' || refusal.denial?.kind === 'no-token';
  return { kind: mayPass ? 'push' : 'update', view: startRefusalModal(refusal) };
}

async function outOfDate(context: ListenerContext, view: OpenView, by: Person): Promise<SubmissionAnswer> {
  const denial = await whyUnknownTo(context, by);
  if (denial) return refusalAnswer({ crew: null, denial });
  return atFirstField(view, (await context.say())('answer.newer-message'));
}

/** An error at a field keeps the form and everything typed in it. */
function atFirstField({ values }: OpenView, problem: string): SubmissionAnswer {
  const [first] = Object.keys(values);
  return first === undefined ? { kind: 'close' } : { kind: 'errors', errors: { [first]: problem } };
}
