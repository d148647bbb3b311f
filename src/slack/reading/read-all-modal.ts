import type { KnownBlock, ModalView } from '@slack/types';
import type { Say } from '../language/say.ts';
import { context, quote } from '../ui/blocks.ts';
import { type TextKey, TITLE_LIMIT, textValue } from '../ui/button-value.ts';
import { modal } from '../ui/modal.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { textProof } from '../ui/text/text-proof.ts';
import { decisionButtons } from './decision-buttons.ts';
import type { AboutText } from './find-about-text.ts';
import { pageValue } from './page-value.ts';
import { textPage } from './text-page.ts';

/** One page of a text, counted from 0. */
interface ReadAll {
  key: TextKey;
  /** The whole text; null if it is no longer stored. */
  text: string | null;
  page: number;
  about: AboutText;
  /** What stands above the text. */
  above?: readonly KnownBlock[];
}

/** The feedback of one person always fits. */
const FEEDBACK_LIMIT = 6_000;

/** A whole text in pages, with its headings, and the decision that it is read for. */
export function readAllModal({ key, text, page, about, above = [] }: ReadAll, say: Say): ModalView {
  const name = escapedLine(key.title, TITLE_LIMIT);
  return modal({
    callbackId: 'reading',
    title: say('reading.title'),
    close: say('modal.close'),
    metadata: textValue(key),
    blocks: [
      ...above,
      ...(text === null
        ? [
            context(`*${name}*`),
            ...feedbackBlocks(about, say),
            context(textProof({ hash: key.hash, goneAt: null }, say)),
          ]
        : pageBlocks({ key, text, page, about, name }, say)),
    ],
  });
}

function pageBlocks(
  { key, text, page: wanted, about, name }: ReadAll & { text: string; name: string },
  say: Say,
): KnownBlock[] {
  const turning = {
    ...({ previous: 'read_previous', next: 'read_next', jump: 'read_heading' } as const),
    valueFor: (other: number) => pageValue(key, other),
  };
  const page = textPage(text, { page: wanted, rest: restText(key, text, say), turning }, say);
  const { at, count } = page;
  const where = count > 1 ? ` · ${say('page.of', { page: at + 1, count })}` : '';
  return [
    context(`*${name}*${where}`),
    ...page.jump,
    ...(at === 0 ? feedbackBlocks(about, say) : []),
    ...page.text,
    ...page.turning,
    ...(at === 0 || at === count - 1 ? decisionButtons(key, about, say) : []),
  ];
}

/** What the card shows only the beginning of. */
function feedbackBlocks({ feedback }: AboutText, say: Say): KnownBlock[] {
  return feedback === null ? [] : [context(say(`reading.${feedback.kind}`)), quote(feedback.text, FEEDBACK_LIMIT)];
}

function restText({ rest }: TextKey, text: string, say: Say): string {
  return rest === 'attached' ? say('reading.attached') : say('reading.left-out', { count: text.length });
}
