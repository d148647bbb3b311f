import type { ModalView } from '@slack/types';
import { postPrivately } from '../api/send-accepted.ts';
import { answerMessage, answerModal, NO_LONGER_KNOWN } from '../ui/answer-modal.ts';
import type { Click } from './click.ts';
import type { ListenerContext } from './listener-context.ts';
import type { Opening } from './modals.ts';
import { openModal, pushModal } from './modals.ts';

type SlackPorts = Pick<ListenerContext, 'client' | 'log'>;

const NOT_OPENED = 'This took too long, so that nothing could be opened. Please click again.';

/** Opens a modal for a click, on top of the one that was clicked, or says that it was too late. Never throws. */
export async function showModal(ports: SlackPorts, click: Click, view: ModalView): Promise<void> {
  if ((await openFor(ports, click, view)).kind === 'too-late') await whisper(ports, click, NOT_OPENED);
}

/** Answers only the person who clicked: in a small modal, or in an ephemeral message if none can be opened. Never throws. */
export async function tell(
  ports: SlackPorts,
  click: Click,
  { title, text }: { title: string; text: string },
): Promise<void> {
  if ((await openFor(ports, click, answerModal(title, text))).kind !== 'opened') await whisper(ports, click, text);
}

/** Answers a click on a request or run that is no longer stored. */
export async function tellNoLongerKnown(ports: SlackPorts, click: Click): Promise<void> {
  await tell(ports, click, { title: 'Nothing was changed', text: NO_LONGER_KNOWN });
}

async function openFor(ports: SlackPorts, { triggerId, view: under }: Click, view: ModalView): Promise<Opening> {
  return under ? pushModal(ports, triggerId, view) : openModal(ports, triggerId, view);
}

async function whisper({ client, log }: SlackPorts, { actor, message }: Click, answer: string): Promise<void> {
  if (!message) return;
  const { channel, threadTs } = message;
  try {
    await postPrivately(client, { channel, user: actor.person.id, threadTs }, answerMessage(answer));
  } catch (error) {
    log.warn({ err: error }, 'could not answer a person privately');
  }
}
