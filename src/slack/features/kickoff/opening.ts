// Opens a form for a click, as soon as it is known what the person may start.
import type { ModalView } from '@slack/types';
import type { Result } from '../../../core/values/result.ts';
import { answerClick } from '../../listening/answers.ts';
import type { Click } from '../../listening/click.ts';
import type { Ack, ListenerContext } from '../../listening/context.ts';
import { openWhileWaiting, showWhenReady, type TooLate, tooLateText, updateModal } from '../../listening/modals.ts';
import { answerModal } from '../../ui/modal.ts';

interface Opening<Offered, Refusal> {
  ack: Ack;
  offered: Promise<Result<Offered, Refusal>>;
  loading: ModalView;
  formOf: (offered: Offered) => Promise<ModalView>;
  /** Explains why they may start nothing: as a modal, and in mrkdwn if no modal can be opened any more. */
  explain: (refusal: Refusal) => { view: ModalView; text: string };
}

/**
 * Shows a form, or why there is none, in the modal that was clicked or in a new one. Acknowledges as soon as that is known, but not if a
 * refusal can't be stored.
 */
export async function openOffered<Offered, Refusal>(
  context: ListenerContext,
  click: Click,
  { ack, offered, loading, formOf, explain }: Opening<Offered, Refusal>,
): Promise<void> {
  const say = await context.say();
  const title = say('start.title.not-started');
  const view = offered.then(
    (answer) => (answer.ok ? formOf(answer.value) : explain(answer.refusal).view),
    () => answerModal(say, { title, text: say('start.cannot-store') }),
  );
  const acknowledged = offered.then(async (answer) => {
    await ack();
    return answer;
  });
  const [answer, tooLate] = await Promise.all([acknowledged, showOnceReady(context, click, { loading, view })]);
  if (tooLate === null) return;
  if (answer.ok) await answerClick(context, click, { title: say('start.too-late'), text: tooLateText(tooLate, say) });
  else await answerClick(context, click, { title, text: explain(answer.refusal).text });
}

/** Resolves to null if the view is shown, or the person has closed it. */
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
  const outcome = await showWhenReady(context, { triggerId, modal }, value);
  return outcome === 'shown' || outcome === 'closed' ? null : outcome;
}
