import type { ModalView } from '@slack/types';
import { tell } from '../interaction/answers.ts';
import type { Click } from '../interaction/click.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { Ack } from '../interaction/listeners.ts';
import { openWhileWaiting, showWhenReady, updateModal } from '../interaction/modals.ts';
import type { Say } from '../language/say.ts';
import { answerModal, modalOf } from '../ui/answer-modal.ts';
import { type FormRequest, formView } from './form-view.ts';
import { loadingModal } from './progress-modals.ts';
import { startPlace } from './start-place.ts';
import { startRefusalModal, startRefusalText } from './start-refusal-text.ts';
import { findOffered } from './why-not-start.ts';

type Request = Omit<FormRequest, 'crews' | 'sharing'>;

/**
 * Shows a form for a click, in the modal that was clicked or in a new one, or says why the person may not start the crew.
 * Acknowledges as soon as that is known, and not at all if a refusal can't be stored.
 */
export async function showForm(
  context: ListenerContext,
  click: Click,
  { ack, request }: { ack: Ack; request: Request },
): Promise<void> {
  const say = await context.say();
  const offered = findOffered(context, { ...request, by: context.person });
  const view = offered.then(
    (found) =>
      found.ok ? viewOf(context, { ...request, crews: found.value }, say) : startRefusalModal(found.refusal, say),
    () => answerModal(say, { title: say('start.title.not-started'), text: say('start.cannot-store') }),
  );
  const [found, isShown] = await Promise.all([
    offered.then(async (each) => {
      await ack();
      return each;
    }),
    show(context, click, { loading: loadingModal(request.crew, say), view }),
  ]);
  if (isShown) return;
  const text = found.ok ? say('start.took-too-long') : startRefusalText(found.refusal, say);
  await tell(context, click, { title: found.ok ? say('start.too-late') : say('start.title.not-started'), text });
}

/** The bot may have been removed from the channel since the first start. */
async function viewOf(context: ListenerContext, request: Omit<FormRequest, 'sharing'>, say: Say): Promise<ModalView> {
  const { problem, sharing } = await startPlace(context, request.channel, say);
  return problem
    ? modalOf(say, { title: say('start.title'), ...problem })
    : formView(context, { ...request, sharing }, say);
}

async function show(
  context: ListenerContext,
  { triggerId, view: under }: Click,
  { loading, view }: { loading: ModalView; view: Promise<ModalView> },
): Promise<boolean> {
  if (under) {
    await updateModal(context, { viewId: under.id }, await view);
    return true;
  }
  const { value, modal } = await openWhileWaiting(context, { triggerId, loading }, view);
  return (await showWhenReady(context, { triggerId, modal }, value)) !== 'too-late';
}
