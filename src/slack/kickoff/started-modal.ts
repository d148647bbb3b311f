import type { ModalView } from '@slack/types';
import { type Rendered, rendered, section } from '../ui/blocks.ts';
import { modal } from '../ui/modal.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';

interface Started {
  crew: string;
  /** The address of the thread; null while its first message is still on its way. */
  link: string | null;
}

/** The form's last word: the crew runs. */
export function startedModal(started: Started): ModalView {
  return modal({ callbackId: 'kickoff_progress', title: 'Started', blocks: [section(startedText(started))] });
}

/** The same as a private message. */
export function startedMessage(started: Started): Rendered {
  const text = startedText(started);
  return rendered(text, [section(text)]);
}

function startedText({ crew, link }: Started): string {
  const where = link ? `<${escapeMrkdwn(link)}|its thread>` : 'its thread in the channel';
  return `✅ *${escapedLine(crew, 80)}* has started. Follow it in ${where}.`;
}
