import type { KnownBlock } from '@slack/types';
import type { Say } from '../language/say.ts';
import type { ActionId } from '../ui/action-ids.ts';
import { context } from '../ui/blocks.ts';
import { READABLE_LENGTH } from '../ui/limits.ts';
import { pageTurning, pageWithin } from '../ui/modal.ts';
import { type Page, pagesOf } from '../ui/text/cut-markdown.ts';
import { markdownSource } from '../ui/text/markdown.ts';
import { richText } from '../ui/text/rich-text.ts';
import { headingJump } from './heading-jump.ts';

/** The buttons and the select that lead to the pages of a text, and what they carry. */
interface Turning {
  previous: ActionId;
  next: ActionId;
  jump: ActionId;
  valueFor: (page: number) => string;
}

interface TextPage {
  /** Counted from 0. */
  at: number;
  count: number;
  /** Leads to the headings; nothing on a single page. */
  jump: KnownBlock[];
  text: KnownBlock[];
  turning: KnownBlock[];
}

/** One page of a text, the nearest to the one that is wanted. `rest` says where to find what no page holds. */
export function textPage(
  text: string,
  { page: wanted, rest, turning }: { page: number; rest: string; turning: Turning },
  say: Say,
): TextPage {
  const source = markdownSource(text, READABLE_LENGTH);
  const pages = pagesOf(source);
  const count = pages.length;
  const at = pageWithin(wanted, count);
  const page = pages[at];
  const shown = page ? richText(sourceOf(page)) : [];
  const isCut = at === count - 1 && text.length > READABLE_LENGTH;
  return {
    ...{ at, count },
    jump: count > 1 ? headingJump(source, { pages, at, actionId: turning.jump, say }) : [],
    text: [...(shown.length > 0 ? shown : [context(say('reading.empty'))]), ...(isCut ? [context(rest)] : [])],
    turning: pageTurning(say, { at, count, ...turning }),
  };
}

/** A page that begins within a code block opens it again. */
function sourceOf({ text, within }: Page): string {
  return within ? `${within.opening}\n${text}` : text;
}
