import { setTimeout as delay } from 'node:timers/promises';
import type { KickoffRefusal } from '../../core/execution/execution.ts';
import { tell, tellNoLongerKnown } from '../interaction/answers.ts';
import type { Click } from '../interaction/click.ts';
import type { OnClick, OnSubmit, SubmissionAnswer } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { openWhileWaiting, showWhenReady, updateModal } from '../interaction/modals.ts';
import type { OpenView } from '../interaction/submission.ts';
import { modalOf, OUT_OF_DATE } from '../ui/answer-modal.ts';
import { readPickedCrew } from './crew-picker.ts';
import type { KickoffMetadata } from './form.ts';
import { parseKickoffMetadata } from './form.ts';
import { type FormRequest, fieldsOf, formView, TOO_LATE } from './form-view.ts';
import { loadingModal, startingModal } from './progress-modals.ts';
import { readKickoffForm } from './read-form.ts';
import { startCrew } from './start-crew.ts';
import { inputsSentence, slowSentence } from './trouble.ts';
import { whyNotHere } from './why-not-here.ts';

/** Shows the inputs of the crew that was picked. */
export const onPickCrew: OnClick = async (context, { view, value: crew }, ack) => {
  await ack();
  const metadata = view && parseKickoffMetadata(view.metadata);
  if (!view || !metadata || !context.crews.has(crew)) return;
  const picked = await formView(context, { ...metadata, crew, values: {}, missing: [] });
  await updateModal(context, { viewId: view.id, hash: view.hash }, picked);
};

/** Asks the crew again which inputs it needs. */
export const onAskAgain: OnClick = async (context, { view, value }, ack) => {
  await ack();
  const metadata = parseKickoffMetadata(value);
  if (!view || !metadata) return;
  await updateModal(context, { viewId: view.id }, await formView(context, { ...metadata, values: {}, missing: [] }));
};

/** Opens the form of an earlier run, prefilled: to run it again, or to add what the crew said is missing. */
export const onRunAgain: OnClick = async (context, click, ack) => {
  const found = await context.store.load(click.value);
  await ack();
  if (!found) return tellNoLongerKnown(context, click);
  const { crew, channel, inputs: values, run, origin } = found.execution;
  const { missing, said } = run.status === 'not-started' ? saidOfInputs(run.refusal) : { missing: [], said: '' };
  const attempt = click.view && origin.kind === 'form' ? origin.form.attempt + 1 : 0;
  await showForm(context, click, { crew, channel, attempt, values, missing, said });
};

/** A refusal for another reason says nothing about the inputs, so the form doesn't repeat it. */
function saidOfInputs({ code, missing, detail }: KickoffRefusal): { missing: string[]; said: string } {
  return { missing, said: code === 'missing-inputs' || code === 'bad-request' ? detail : '' };
}

/** In the modal that was clicked, or in a new one. The bot may have been removed from the channel since the first start. */
async function showForm(context: ListenerContext, click: Click, request: FormRequest): Promise<void> {
  const { triggerId, view: under } = click;
  const view = whyNotHere(context, request.channel).then(
    (problem) => (problem && modalOf('Start a crew', problem)) ?? formView(context, request),
  );
  if (under) {
    await updateModal(context, { viewId: under.id }, await view);
    return;
  }
  const loading = loadingModal(request.crew);
  const { value, modal } = await openWhileWaiting(context, { triggerId, loading }, view);
  const shown = await showWhenReady(context, { triggerId, modal }, value);
  if (shown === 'too-late') await tell(context, click, { title: 'Too late', text: TOO_LATE });
}

/**
 * Slack allows a submission three seconds; a later answer of the crew is cached for the next attempt.
 * https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response
 */
const MAX_WAIT_FOR_FIELDS_MS = 1_500;

/** Stores the start and acknowledges with a modal that says so. Values that can't be used are marked at their fields. */
export const onKickoffForm: OnSubmit = async (context, { view, actor }, ack) => {
  const metadata = parseKickoffMetadata(view.metadata);
  if (!metadata) return ack(atFirstField(view, OUT_OF_DATE));
  const { crew, channel, attempt } = { ...metadata, crew: readPickedCrew(view.values) ?? metadata.crew };
  if (crew !== metadata.crew) return ack(await formOf(context, { ...metadata, crew }));
  const fields = fieldsOf(context, crew, metadata.unreported);
  const answer = await Promise.race([fields, delay(MAX_WAIT_FOR_FIELDS_MS, null, { ref: false })]);
  if (answer === null) return ack(atFirstField(view, slowSentence(crew)));
  if (answer.kind === 'unknown') return ack(atFirstField(view, inputsSentence(answer.code, crew)));
  const inputs = readKickoffForm(view.values, answer.fields);
  if (!inputs.ok) return ack({ kind: 'errors', errors: inputs.refusal });
  const seed = { form: { viewId: view.id, attempt } };
  const ref = await startCrew(context, { crew, channel, by: actor.person, inputs: inputs.value, seed });
  await ack({ kind: 'update', view: startingModal(crew) });
  context.wake(ref);
};

/** The form was submitted before the fields of the picked crew arrived. */
async function formOf(context: ListenerContext, metadata: KickoffMetadata): Promise<SubmissionAnswer> {
  return { kind: 'update', view: await formView(context, { ...metadata, values: {}, missing: [] }) };
}

/** An error at a field keeps the form and everything typed in it. */
function atFirstField({ values }: OpenView, problem: string): SubmissionAnswer {
  const [first] = Object.keys(values);
  return first === undefined ? { kind: 'close' } : { kind: 'errors', errors: { [first]: problem } };
}
