import type { ModalView } from '@slack/types';
import type { Execution, KickoffRefusal } from '../../../core/state/execution.ts';
import { postOf, ROOT, tsOf } from '../../../core/state/message.ts';
import { permalink } from '../../api/identity.ts';
import type { Say } from '../../language/say.ts';
import { answerClick, answerNotFound } from '../../listening/answers.ts';
import { clickOf } from '../../listening/click.ts';
import type { Ack, ActionListener, ListenerContext, ViewAnswer, ViewListener } from '../../listening/context.ts';
import { fieldError, type ModalKey, modalAsSeen, updateModal } from '../../listening/modals.ts';
import { readFields } from '../../ui/form-inputs.ts';
import { modalOf } from '../../ui/modal.ts';
import { CREW_BLOCK, readPickedCrew } from './crew-picker.ts';
import {
  type FormRequest,
  fieldsSoon,
  formView,
  isAgreed,
  type KickoffMetadata,
  kickoffMetadata,
  SHARING_BLOCK,
} from './form.ts';
import { openOffered } from './opening.ts';
import { findOffered, type StartRefusal, whyNotStart, whyUnknown } from './permits.ts';
import { loadingModal, startedModal, startingModal } from './progress.ts';
import {
  FORM_WITHIN_MS,
  followStart,
  patienceOf,
  progressOf,
  startCrew,
  startPlace,
  startTroubleView,
  troubleOf,
} from './start.ts';
import { atFirstField, inputsSentence, outOfDate, startRefusalModal, startRefusalText } from './trouble.ts';

// Listeners of the form that starts a crew.

export const onPickCrew: ActionListener = async ({ ack, body, context }) => {
  const { view, value: crew } = clickOf(body);
  const metadata = view && kickoffMetadata.read(view.private_metadata);
  if (!view || !metadata) return ack();
  await replaceForm(context, { ack, modal: modalAsSeen(view), request: { ...metadata, crew, values: {} } });
};

export const onAskAgain: ActionListener = async ({ ack, body, context }) => {
  const { view, value } = clickOf(body);
  const metadata = kickoffMetadata.read(value);
  if (!view || !metadata || metadata.crew === null) return ack();
  const request = { ...metadata, crew: metadata.crew, values: {} };
  await replaceForm(context, { ack, modal: { viewId: view.id }, request });
};

async function replaceForm(
  context: ListenerContext,
  { ack, modal, request }: { ack: Ack; modal: ModalKey; request: Omit<FormRequest, 'crews'> },
): Promise<void> {
  const offered = await findOffered(context, request);
  await ack();
  const say = await context.say();
  const view = offered.ok
    ? await formView(context, { ...request, crews: offered.value }, say)
    : startRefusalModal(offered.refusal, say);
  await updateModal(context, modal, view);
}

/** Opens the prefilled form of an earlier run, to run it again or to add inputs that the crew missed. */
export const onRunAgain: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const record = await context.store.load(click.value);
  if (!record) {
    const denial = await whyUnknown(context);
    await ack();
    if (!denial) return answerNotFound(context, click);
    const say = await context.say();
    const title = say('start.title.not-started');
    return answerClick(context, click, { title, text: startRefusalText({ crew: null, denial }, say) });
  }
  const { crew, channel, inputs: values, run, origin } = record.execution;
  const refused = run.status === 'not-started' && isAboutInputs(run.refusal) ? run.refusal : null;
  const attempt = click.view && origin.kind === 'form' ? origin.form.attempt + 1 : 0;
  const unconfirmed = run.status === 'not-confirmed' ? crew : undefined;
  const request = { crew, channel, attempt, unconfirmed, values, refused };
  const say = await context.say();
  await openOffered(context, click, {
    ack,
    offered: findOffered(context, { crew, channel }),
    loading: loadingModal(crew, say),
    formOf: (crews) => formOrProblem(context, { ...request, crews }, say),
    explain: (refusal) => ({ view: startRefusalModal(refusal, say), text: startRefusalText(refusal, say) }),
  });
};

/** A refusal for another reason may have passed, so the form doesn't repeat it. */
function isAboutInputs({ code }: KickoffRefusal): boolean {
  return code === 'missing-inputs' || code === 'bad-request';
}

/** Stores the start and acknowledges with what is known so far. Values that can't be used are marked at their fields. */
export const onKickoffForm: ViewListener = async ({ ack, context, view }) => {
  const metadata = kickoffMetadata.read(view.private_metadata);
  const say = await context.say();
  if (!metadata) return ack(await outOfDate(context, view, say));
  const { channel, attempt, sharing } = metadata;
  const crew = readPickedCrew(view.state.values) ?? metadata.crew;
  if (crew === null) return ack(fieldError(CREW_BLOCK, say('form.choose-crew')));
  if (crew !== metadata.crew) return ack(await otherCrewForm(context, { ...metadata, crew }, say));
  const [refusal, answer] = await Promise.all([
    whyNotStart(context, { crew, channel }),
    fieldsSoon(context, crew, metadata.unreported),
  ]);
  if (refusal) return ack(refusalAnswer(refusal, say));
  if (answer === null) return ack(atFirstField(view, say('inputs.slow', { crew })));
  if (answer.kind === 'unknown') return ack(atFirstField(view, inputsSentence(answer.code, crew, say)));
  const inputs = readFields(view.state.values, answer.fields, say);
  if (!inputs.ok) return ack({ response_action: 'errors', errors: inputs.refusal });
  if (!isAgreed(sharing, view.state.values))
    return ack({ response_action: 'errors', errors: { [SHARING_BLOCK]: say('form.share') } });
  const seed = { form: { viewId: view.id, attempt } };
  const ref = await startCrew(context, { crew, channel, inputs: inputs.value, seed });
  await ack(await startAnswer(context, { ...metadata, ref, crew, attempt: attempt + 1 }, say));
};

/** Closes the form if the crew has accepted, shows it again if the crew refused, and claims no more than is known. */
async function startAnswer(
  context: ListenerContext,
  { ref, crew, attempt, channelFrom }: Pick<KickoffMetadata, 'attempt' | 'channelFrom'> & { ref: string; crew: string },
  say: Say,
): Promise<ViewAnswer> {
  const execution = await followStart(context, ref, FORM_WITHIN_MS);
  if (!execution || execution.run.status === 'starting')
    return { response_action: 'update', view: startingModal({ crew, progress: progressOf(execution) }, say) };
  const trouble = troubleOf(execution.run);
  if (!trouble) return channelFrom === 'place' ? { response_action: 'clear' } : placeAnswer(context, execution, say);
  const failed = { execution, trouble, channelFrom, attempt, patienceMs: patienceOf(context) };
  return { response_action: 'update', view: await startTroubleView(context, failed, say) };
}

/** Links the thread for a starter who may be looking at another channel, or at Home. */
function placeAnswer({ identity }: ListenerContext, execution: Execution, say: Say): ViewAnswer {
  const { crew, channel } = execution;
  const ts = tsOf(postOf(execution, ROOT));
  const link = ts === null ? null : permalink(identity, channel, ts, null);
  return { response_action: 'update', view: startedModal({ crew, channel, link }, say) };
}

/** Shows the form of the picked crew, because the form was submitted before that crew's fields arrived. */
async function otherCrewForm(
  context: ListenerContext,
  metadata: KickoffMetadata & { crew: string },
  say: Say,
): Promise<ViewAnswer> {
  const offered = await findOffered(context, metadata);
  if (!offered.ok) return refusalAnswer(offered.refusal, say);
  const request = { ...metadata, crews: offered.value, values: {} };
  return { response_action: 'update', view: await formView(context, request, say) };
}

/** Keeps the form with everything typed below the answer if trying again may help. */
function refusalAnswer(refusal: StartRefusal, say: Say): ViewAnswer {
  const mayPass = refusal.denial?.kind === 'unsure' || refusal.denial?.kind === 'no-token';
  return { response_action: mayPass ? 'push' : 'update', view: startRefusalModal(refusal, say) };
}

/** Checks the channel again, because the bot may have been removed from it since the first start. */
async function formOrProblem(
  context: ListenerContext,
  request: Omit<FormRequest, 'sharing'>,
  say: Say,
): Promise<ModalView> {
  const { problem, sharing } = await startPlace(context, request.channel, say);
  return problem
    ? modalOf(say, { title: say('start.title'), ...problem })
    : formView(context, { ...request, sharing }, say);
}
