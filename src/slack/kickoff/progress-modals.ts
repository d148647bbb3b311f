import type { ModalView } from '@slack/types';
import { section } from '../ui/blocks.ts';
import { modal } from '../ui/modal.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';

/** Shown until it is known what the form shows; null where the crew isn't chosen yet. */
export function loadingModal(crew: string | null): ModalView {
  const wait =
    crew === null ? 'Finding out what you can start here…' : `Asking *${escapedLine(crew, 80)}* what it needs…`;
  return modal({
    callbackId: 'kickoff_progress',
    title: 'Start a crew',
    close: 'Cancel',
    blocks: [section(`⏳ ${wait}`)],
  });
}

/** Replaces a submitted form until the crew has answered the kickoff. */
export function startingModal(crew: string): ModalView {
  return modal({
    callbackId: 'kickoff_progress',
    title: 'Starting…',
    blocks: [
      section(`⏳ Starting *${escapedLine(crew, 80)}*…`),
      section('You can close this window: the start goes on, and its news arrives in the channel.'),
    ],
  });
}

/** Replaces the form once the crew is running. `link` is the address of the thread; null until its root is posted. */
export function startedModal({ crew, link }: { crew: string; link: string | null }): ModalView {
  const where = link ? `<${escapeMrkdwn(link)}|its thread>` : 'its thread in the channel';
  return modal({
    callbackId: 'kickoff_progress',
    title: 'Started',
    blocks: [section(`✅ *${escapedLine(crew, 80)}* has started. Follow it in ${where}.`)],
  });
}
