import type { KnownBlock, ModalView } from '@slack/types';
import type { Say } from '../language/say.ts';
import { context, quote } from '../ui/blocks.ts';
import { type TextKey, TITLE_LIMIT, textValue } from '../ui/button-value.ts';
import { READABLE_LENGTH } from '../ui/limits.ts';
import { modal } from '../ui/modal.ts';
import { pageTurning, pageWithin } from '../ui/page-turning.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { markdownSource } from '../ui/text/markdown-source.ts';
import { type Page, pagesOf } from '../ui/text/pages.ts';
import { richText } from '../ui/text/rich-text.ts';
import { textProof } from '../ui/text/text-proof.ts';
import { decisionButtons } from './decision-buttons.ts';
import type { AboutText } from './find-about-text.ts';
import { headingJump } from './heading-jump.ts';
import { pageValue } from './page-value.ts';

/** One page of a text, counted from 0. */
interface ReadAll {
  key: TextKey;
  /** The whole text; null if it is no longer stored. */
  text: string | null;
  page: number;
  about: AboutText;
}

/** The feedback of one person always fits. */
const FEEDBACK_LIMIT = 6_000;

/** A whole text in pages, with its headings, and the decision that it is read for. */
export function readAllModal({ key, text, page, about }: ReadAll, say: Say): ModalView {
  const name = escapedLine(key.title, TITLE_LIMIT);
  return modal({
    callbackId: 'reading',
    title: say('reading.title'),
    close: say('modal.close'),
    metadata: textValue(key),
    blocks:
      text === null
        ? [
            context(`*${name}*`),
            ...feedbackBlocks(about, say),
            context(textProof({ hash: key.hash, goneAt: null }, say)),
          ]
        : pageBlocks({ key, text, page, about, name }, say),
  });
}

function pageBlocks(
  { key, text, page: wanted, about, name }: ReadAll & { text: string; name: string },
  say: Say,
): KnownBlock[] {
  const source = markdownSource(text, READABLE_LENGTH);
  const pages = pagesOf(source);
  const count = pages.length;
  const at = pageWithin(wanted, count);
  const isLast = at === count - 1;
  const page = pages[at];
  const shown = page ? richText(sourceOf(page)) : [];
  const where = count > 1 ? ` · ${say('page.of', { page: at + 1, count })}` : '';
  return [
    context(`*${name}*${where}`),
    ...(count > 1 ? headingJump(source, { pages, at, say }) : []),
    ...(at === 0 ? feedbackBlocks(about, say) : []),
    ...(shown.length > 0 ? shown : [context(say('reading.empty'))]),
    ...(isLast && text.length > READABLE_LENGTH ? [context(restText(key, text, say))] : []),
    ...pageTurning(say, {
      ...{ at, count, previous: 'read_previous', next: 'read_next' },
      valueFor: (other) => pageValue(key, other),
    }),
    ...(at === 0 || isLast ? decisionButtons(key, about, say) : []),
  ];
}

/** What the card shows only the beginning of. */
function feedbackBlocks({ feedback }: AboutText, say: Say): KnownBlock[] {
  return feedback === null ? [] : [context(say(`reading.${feedback.kind}`)), quote(feedback.text, FEEDBACK_LIMIT)];
}

function restText({ rest }: TextKey, text: string, say: Say): string {
  return rest === 'attached' ? say('reading.attached') : say('reading.left-out', { count: text.length });
}

/** A page that begins within a code block opens it again. */
function sourceOf({ text, within }: Page): string {
  return within ? `${within.opening}\n${text}` : text;
}
