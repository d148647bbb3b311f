import type { ModalView } from '@slack/types';
import { section } from '../ui/blocks.ts';
import { modal } from '../ui/modal.ts';
import { escapedLine } from '../ui/text/escape.ts';

/** Shown at once, until the crew has said which inputs it needs. */
export function loadingModal(crew: string): ModalView {
  return modal({
    callbackId: 'kickoff_progress',
    title: 'Start a crew',
    close: 'Cancel',
    blocks: [section(`⏳ Asking *${escapedLine(crew, 80)}* what it needs…`)],
  });
}

/** The answer to a submitted form, until the crew has answered. */
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
