import type { ModalView } from '@slack/types';
import { tell } from '../../interaction/answers.ts';
import { type Click, clickOf, contentOf, shortcutClick } from '../../interaction/click.ts';
import { findMessageText } from '../../interaction/find-message-text.ts';
import type { ListenerContext } from '../../interaction/listener-context.ts';
import type { Ack, ActionListener, ShortcutListener } from '../../interaction/listeners.ts';
import { openWhileWaiting, showWhenReady } from '../../interaction/modals.ts';
import type { Say } from '../../language/say.ts';
import { answerModal, modalOf } from '../../ui/answer-modal.ts';
import type { MessageContent } from '../../ui/message-text/message-content.ts';
import { pickFirst } from '../pick-first.ts';
import { loadingModal } from '../progress-modals.ts';
import { choiceView } from './find-choice.ts';

/** Asks which crew to start and where: for a shortcut, or the button in Home. */
export const onStartCrew: ActionListener = ({ ack, body, context }) =>
  openChoice(context, clickOf(body), { ack, content: null });

export const onStartCrewAnywhere: ShortcutListener = ({ ack, context, shortcut }) =>
  openChoice(context, shortcutClick(shortcut), { ack, content: null });

/** The same, with a form that begins with a message. */
export const onStartCrewWithMessage: ShortcutListener = ({ ack, context, shortcut }) =>
  openChoice(context, shortcutClick(shortcut), { ack, content: contentOf(shortcut) });

interface Opening {
  ack: Ack;
  /** What the message says that the form is to begin with; null for a start without one. */
  content: MessageContent | null;
}

/** Acknowledges as soon as it is known what the person may start, and not at all if a refusal can't be stored. */
async function openChoice(context: ListenerContext, click: Click, { ack, content }: Opening): Promise<void> {
  const say = await context.say();
  const first = pickFirst(context, { channel: null, by: context.person, say });
  const view = first.then(
    (found): ModalView | Promise<ModalView> =>
      found.ok
        ? viewOf(context, click, { ...found.value, content, say })
        : modalOf(say, { title: say('start.title'), ...found.refusal }),
    () => answerModal(say, { title: say('start.title.not-started'), text: say('start.cannot-store') }),
  );
  const [found, shown] = await Promise.all([
    first.then(async (each) => {
      await ack();
      return each;
    }),
    show(context, click, view, say),
  ]);
  if (shown !== 'too-late') return;
  const told = found.ok
    ? { title: say('start.too-late'), text: say('start.took-too-long') }
    : { title: say('start.title.not-started'), text: found.refusal.text };
  await tell(context, click, told);
}

async function show(context: ListenerContext, { triggerId }: Click, view: Promise<ModalView>, say: Say) {
  const { value, modal } = await openWhileWaiting(context, { triggerId, loading: loadingModal(null, say) }, view);
  return showWhenReady(context, { triggerId, modal }, value);
}

async function viewOf(
  context: ListenerContext,
  { message }: Click,
  { content, say, ...offered }: { crew: string; crews: string[]; content: MessageContent | null; say: Say },
): Promise<ModalView> {
  const text = content && (await findMessageText(context, content));
  return choiceView(
    context,
    {
      ...{ ...offered, by: context.person, channel: channelOf(message) },
      message: text === null ? null : { text, length: text.length },
    },
    say,
  );
}

/** A run can't be followed in the direct messages that the message may be from. */
function channelOf(message: Click['message']): string | null {
  return message && !message.channel.startsWith('D') ? message.channel : null;
}
