import type { ModalView } from '@slack/types';
import { tell } from '../interaction/answers.ts';
import type { Click } from '../interaction/click.ts';
import type { AckClick } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { openWhileWaiting, showWhenReady, updateModal } from '../interaction/modals.ts';
import { answerModal, modalOf } from '../ui/answer-modal.ts';
import { type FormRequest, formView, TOO_LATE } from './form-view.ts';
import { loadingModal } from './progress-modals.ts';
import { NOT_STARTED, startRefusalModal, startRefusalText } from './start-refusal-text.ts';
import { whyNotHere } from './why-not-here.ts';
import { findOffered } from './why-not-start.ts';

type Request = Omit<FormRequest, 'crews'>;

const CANNOT_STORE = 'Signoff can’t store anything right now, so nothing was started. Please try again in a minute.';

/**
 * Shows a form for a click, in the modal that was clicked or in a new one, or says why the person may not start the crew.
 * Acknowledges as soon as that is known, and not at all if a refusal can't be stored.
 */
export async function showForm(
  context: ListenerContext,
  click: Click,
  { ack, request }: { ack: AckClick; request: Request },
): Promise<void> {
  const offered = findOffered(context, { ...request, by: click.actor.person });
  const view = offered.then(
    (found) => (found.ok ? viewOf(context, { ...request, crews: found.value }) : startRefusalModal(found.refusal)),
    async () => answerModal(await context.say(), { title: NOT_STARTED, text: CANNOT_STORE }),
  );
  const [found, isShown] = await Promise.all([
    offered.then(async (each) => {
      await ack();
      return each;
    }),
    show(context, click, { crew: request.crew, view }),
  ]);
  if (isShown) return;
  const text = found.ok ? TOO_LATE : startRefusalText(found.refusal);
  await tell(context, click, { title: found.ok ? 'Too late' : NOT_STARTED, text });
}

/** The bot may have been removed from the channel since the first start. */
async function viewOf(context: ListenerContext, request: FormRequest): Promise<ModalView> {
  const problem = await whyNotHere(context, request.channel);
  if (problem) return modalOf(await context.say(), { title: 'Start a crew', ...problem });
  return formView(context, request);
}

async function show(
  context: ListenerContext,
  { triggerId, view: under }: Click,
  { crew, view }: { crew: string; view: Promise<ModalView> },
): Promise<boolean> {
  if (under) {
    await updateModal(context, { viewId: under.id }, await view);
    return true;
  }
  const { value, modal } = await openWhileWaiting(context, { triggerId, loading: loadingModal(crew) }, view);
  return (await showWhenReady(context, { triggerId, modal }, value)) !== 'too-late';
}
