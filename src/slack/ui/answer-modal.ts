import type { KnownBlock, ModalView } from '@slack/types';
import type { Say } from '../language/say.ts';
import { type Rendered, rendered, section } from './blocks.ts';
import { modal } from './modal.ts';

interface Answer {
  title: string;
  /** mrkdwn in which foreign text is escaped already. */
  text: string;
  /** What else there is to do. */
  more?: readonly KnownBlock[];
}

/** A private answer to a click. */
export function answerModal(say: Say, { title, text, more = [] }: Answer): ModalView {
  return modalOf(say, { title, blocks: [section(text), ...more] });
}

/** The blocks of a private message as a modal. */
export function modalOf(say: Say, { title, blocks }: { title: string; blocks: KnownBlock[] }): ModalView {
  return modal({ callbackId: 'answer', title, close: say('modal.close'), blocks });
}

/** The same answer if no modal can be opened. */
export function answerMessage(text: string, more: readonly KnownBlock[] = []): Rendered {
  return rendered(text, [section(text), ...more]);
}
