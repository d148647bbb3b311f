import type { KnownBlock, ModalView } from '@slack/types';
import { answerModal, NO_LONGER_KNOWN } from '../ui/answer-modal.ts';
import type { Click } from './click.ts';
import { giveAnswer } from './give-answer.ts';
import { keepForLater } from './keep-for-later.ts';
import type { ListenerContext } from './listener-context.ts';
import type { Opening } from './modals.ts';
import { openModal, pushModal } from './modals.ts';

type Ports = Pick<ListenerContext, 'client' | 'log' | 'store' | 'wake'>;

const NOT_OPENED = 'This took too long, so that nothing could be opened. Please click again.';

/** Opens a modal for a click, on top of the one that was clicked, or says that it was too late. Never throws. */
export async function showModal(ports: Ports, click: Click, view: ModalView): Promise<void> {
  if ((await openFor(ports, click, view)).kind === 'too-late') await whisper(ports, click, NOT_OPENED);
}

/**
 * Answers only the person who clicked: in a small modal, or in an ephemeral message if none can be opened. An acknowledged click
 * without an answer would look as if it had counted, so Slack is asked again for a minute, then without `more`. Never throws.
 */
export async function tell(
  ports: Ports,
  click: Click,
  { title, text, more = [] }: { title: string; text: string; more?: readonly KnownBlock[] },
): Promise<void> {
  if ((await openFor(ports, click, answerModal(title, text, more))).kind !== 'opened')
    await whisper(ports, click, text, more);
}

/** Answers a click on a request or run that is no longer stored. */
export async function tellNoLongerKnown(ports: Ports, click: Click): Promise<void> {
  await tell(ports, click, { title: 'Nothing was changed', text: NO_LONGER_KNOWN });
}

async function openFor(ports: Ports, { triggerId, view: under }: Click, view: ModalView): Promise<Opening> {
  return under ? pushModal(ports, triggerId, view) : openModal(ports, triggerId, view);
}

async function whisper(ports: Ports, click: Click, text: string, more: readonly KnownBlock[] = []): Promise<void> {
  const { actor, message } = click;
  if (!message) return;
  const { channel, threadTs } = message;
  const answer = { to: actor.person.id, channel, threadTs, text };
  if ((await giveAnswer(ports, answer, more)) === 'later') await keepForLater(ports, click, answer);
}
