import type { KnownBlock, ModalView } from '@slack/types';
import { type Rendered, rendered, section } from './blocks.ts';
import { modal } from './modal.ts';

/** A private answer to a click, and what else there is to do. `text` is mrkdwn in which foreign text is escaped already. */
export function answerModal(title: string, text: string, more: readonly KnownBlock[] = []): ModalView {
  return modal({ callbackId: 'answer', title, blocks: [section(text), ...more] });
}

/** A private message as a modal. */
export function modalOf(title: string, { blocks }: Rendered): ModalView {
  return modal({ callbackId: 'answer', title, blocks });
}

/** The same answer if no modal can be opened. */
export function answerMessage(text: string, more: readonly KnownBlock[] = []): Rendered {
  return rendered(text, [section(text), ...more]);
}

/** The title of an answer that says why a click had no effect. */
export const NOTHING_CHANGED = 'Nothing was changed';

/** The answer to a click about a request or run that is no longer stored. */
export const NO_LONGER_KNOWN = 'This request is out of date: we no longer know it.';

/** The answer to a click on a button that has no handler any more. */
export const OUT_OF_DATE =
  'This message is out of date, so the click changed nothing. Please use the newest one in the thread.';
