import { setTimeout as delay } from 'node:timers/promises';
import type { KickoffRefusal } from '../../core/execution/execution.ts';
import { tellRefusal } from '../approval/decision.ts';
import type { Click } from '../interaction/click.ts';
import type { OnClick, OnSubmit, SubmissionAnswer } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { OpenView } from '../interaction/submission.ts';
import { modalOf, OUT_OF_DATE } from '../ui/answer-modal.ts';
import { readPickedCrew } from './crew-picker.ts';
import type { KickoffMetadata } from './form.ts';
import { parseKickoffMetadata } from './form.ts';
import { fieldsOf, formView, openView, patiently, TOO_LATE, updateView } from './form-window.ts';
import { startingModal } from './progress-modals.ts';
import { readKickoffForm } from './read-form.ts';
import { startCrew } from './start-crew.ts';
import { inputsSentence, slowSentence } from './trouble.ts';
import { whyNotHere } from './why-not-here.ts';

/** Another crew was picked: the form shows its inputs. */
export const onPickCrew: OnClick = async (context, { view, value: crew }, ack) => {
  await ack();
  const metadata = view && parseKickoffMetadata(view.metadata);
  if (!view || !metadata || !context.crews.has(crew)) return;
  const picked = await formView(context, { ...metadata, crew, values: {}, missing: [] });
  await updateView(context, { viewId: view.id, hash: view.hash }, picked);
};

/** The crew is asked once more which inputs it needs. */
export const onAskAgain: OnClick = async (context, { view, value }, ack) => {
  await ack();
  const metadata = parseKickoffMetadata(value);
  if (!view || !metadata) return;
  await updateView(context, { viewId: view.id }, await formView(context, { ...metadata, values: {}, missing: [] }));
};

/** The form of an earlier run, prefilled: after its end, or with what the crew said is missing. */
export const onRunAgain: OnClick = async (context, click, ack) => {
  const found = await context.store.load(click.value);
  await ack();
  if (!found) return tellRefusal(context, click, { kind: 'unknown' });
  const { crew, channel, inputs: values, run, origin } = found.execution;
  const { missing, said } = run.status === 'not-started' ? saidOfInputs(run.refusal) : { missing: [], said: '' };
  const attempt = click.view && origin.kind === 'form' ? origin.form.attempt + 1 : 0;
  await showForm(context, click, { crew, channel, attempt, values, missing, said });
};

/** What the crew said no to may have been something else, which is over when the form is seen again. */
function saidOfInputs({ code, missing, detail }: KickoffRefusal): { missing: string[]; said: string } {
  return { missing, said: code === 'missing-inputs' || code === 'bad-request' ? detail : '' };
}

/** In the modal that was clicked, or in a new one. The bot may have been taken out of the channel since the first start. */
async function showForm(
  context: ListenerContext,
  click: Click,
  request: Parameters<typeof formView>[1],
): Promise<void> {
  const { triggerId, view: under } = click;
  const view = whyNotHere(context, request.channel).then(
    (why) => (why && modalOf('Start a crew', why)) ?? formView(context, request),
  );
  if (under) {
    await updateView(context, { viewId: under.id }, await view);
    return;
  }
  const { value, shown } = await patiently(context, { triggerId, crew: request.crew }, view);
  if (shown) await updateView(context, shown, value);
  else if ((await openView(context, triggerId, value)) === null)
    await context.answers.tell(click, 'Too late', TOO_LATE);
}

/** Slack gives a submission three seconds; what a crew says later than this is remembered for the next one. */
const PATIENCE_MS = 1_500;

/** The form is sent: the start is stored, and the view says that it goes on. What can't be used is said at its field. */
export const onKickoffForm: OnSubmit = async (context, { view, actor }, ack) => {
  const metadata = parseKickoffMetadata(view.metadata);
  if (!metadata) return ack(atFirstField(view, OUT_OF_DATE));
  const { crew, channel, attempt } = { ...metadata, crew: readPickedCrew(view.values) ?? metadata.crew };
  if (crew !== metadata.crew) return ack(await formOf(context, { ...metadata, crew }));
  const fields = fieldsOf(context, crew, metadata.unreported);
  const answer = await Promise.race([fields, delay(PATIENCE_MS, null, { ref: false })]);
  if (answer === null) return ack(atFirstField(view, slowSentence(crew)));
  if (answer.kind === 'unknown') return ack(atFirstField(view, inputsSentence(answer.code, crew)));
  const inputs = readKickoffForm(view.values, answer.fields);
  if (!inputs.ok) return ack({ kind: 'errors', errors: inputs.refusal });
  const seed = { form: { viewId: view.id, attempt } };
  const ref = await startCrew(context, { crew, channel, by: actor.person, inputs: inputs.value, seed });
  await ack({ kind: 'update', view: startingModal(crew) });
  context.wake(ref);
};

/** Sent before the fields of the crew that was picked had come. */
async function formOf(context: ListenerContext, metadata: KickoffMetadata): Promise<SubmissionAnswer> {
  return { kind: 'update', view: await formView(context, { ...metadata, values: {}, missing: [] }) };
}

/** An error at a field keeps the form as it is, with all that was typed. */
function atFirstField({ values }: OpenView, problem: string): SubmissionAnswer {
  const [first] = Object.keys(values);
  return first === undefined ? { kind: 'close' } : { kind: 'errors', errors: { [first]: problem } };
}
