// Opens a form for a click, once it is known what the person may start.
import type { ModalView } from '@slack/types';
import type { Result } from '../../../core/values/result.ts';
import { tell } from '../../listening/answers.ts';
import type { Click } from '../../listening/click.ts';
import type { Ack, ListenerContext } from '../../listening/context.ts';
import { openWhileWaiting, showWhenReady, type TooLate, tooLateText, updateModal } from '../../listening/modals.ts';
import { answerModal } from '../../ui/modal.ts';

interface Opening<Offered, Refusal> {
  ack: Ack;
  offered: Promise<Result<Offered, Refusal>>;
  loading: ModalView;
  formOf: (offered: Offered) => Promise<ModalView>;
  /** Why they may start nothing: as a modal, and in mrkdwn where none can be opened any more. */
  explain: (refusal: Refusal) => { view: ModalView; text: string };
}

/**
 * Shows a form in the modal that was clicked or in a new one, or why there is none. Acknowledges as soon as that is known, and not
 * at all if a refusal can't be stored.
 */
export async function openOffered<Offered, Refusal>(
  context: ListenerContext,
  click: Click,
  { ack, offered, loading, formOf, explain }: Opening<Offered, Refusal>,
): Promise<void> {
  const say = await context.say();
  const title = say('start.title.not-started');
  const view = offered.then(
    (found) => (found.ok ? formOf(found.value) : explain(found.refusal).view),
    () => answerModal(say, { title, text: say('start.cannot-store') }),
  );
  const acknowledged = offered.then(async (found) => {
    await ack();
    return found;
  });
  const [found, tooLate] = await Promise.all([acknowledged, showOnceReady(context, click, { loading, view })]);
  if (tooLate === null) return;
  if (found.ok) await tell(context, click, { title: say('start.too-late'), text: tooLateText(tooLate, say) });
  else await tell(context, click, { title, text: explain(found.refusal).text });
}

/** Null once it is shown, or the person has closed it. */
async function showOnceReady(
  context: ListenerContext,
  { triggerId, view: under }: Click,
  { loading, view }: { loading: ModalView; view: Promise<ModalView> },
): Promise<TooLate | null> {
  if (under) {
    await updateModal(context, { viewId: under.id }, await view);
    return null;
  }
  const { value, modal } = await openWhileWaiting(context, { triggerId, loading }, view);
  const shown = await showWhenReady(context, { triggerId, modal }, value);
  return shown === 'shown' || shown === 'closed' ? null : shown;
}
