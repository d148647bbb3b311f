// Renders one page of a text for *Review*, with buttons to the other pages and a list of headings.

import type { KnownBlock } from '@slack/types';
import { characterEnd } from '../../core/values/cut.ts';
import type { Say } from '../language/say.ts';
import type { ActionId } from './action-ids.ts';
import { context, divider, grouped, plain } from './blocks.ts';
import { type Page, pagesOf } from './cut-markdown.ts';
import { OPTION_LIMIT, READABLE_LENGTH } from './limits.ts';
import { pageButtons, pageWithin } from './modal.ts';
import { richText } from './rich-text.ts';
import { headingsIn, markdownSource, readableText, titleOf } from './text/markdown.ts';

interface Wanted {
  page: number;
  /** `elsewhere` says where to find what no page holds. `parts` shows all, in parts of `READABLE_LENGTH`, and may say why. */
  rest: { kind: 'elsewhere'; text: string } | { kind: 'parts'; text: string | null };
  valueFor: (page: number) => string;
}

export interface TextPage {
  /** Counted from 0. */
  at: number;
  count: number;
  isFirst: boolean;
  isLast: boolean;
  /** The text stands between two dividers, so that none of it can pass for ours. */
  blocks: KnownBlock[];
}

/** More pages than any part has. Page numbers of the n-th part begin with n times this number. */
const PART_PAGES = 1_000;

export function textPage(output: string, { page: wanted, rest, valueFor }: Wanted, say: Say): TextPage {
  const text = readableText(output);
  const parts = rest.kind === 'parts' ? Math.ceil(text.length / READABLE_LENGTH) : 1;
  const part = pageWithin(rest.kind === 'parts' ? wanted / PART_PAGES : 0, parts);
  const first = part * PART_PAGES;
  const [begin = 0, end] = [part, part + 1].map((each) => characterEnd(text, each * READABLE_LENGTH));
  const source = markdownSource(text, end, begin);
  const pages = pagesOf(source);
  const count = pages.length;
  const at = pageWithin(wanted - first, count);
  const page = pages[at];
  // A page that begins within a code block opens it again.
  const opening = page?.within ? `${page.within.opening}\n` : '';
  const content = page ? richText(`${opening}${page.text}`) : [];
  const isCut = at === count - 1 && text.length > READABLE_LENGTH;
  // Before the first page of a part comes the last page of the part before.
  const beside = { before: part > 0 ? -1 : null, after: part < parts - 1 ? PART_PAGES : null };
  return {
    at,
    count,
    isFirst: part === 0 && at === 0,
    isLast: part === parts - 1 && at === count - 1,
    blocks: [
      ...(parts > 1
        ? [context([say('review.part', { part: part + 1, parts }), rest.text].filter(Boolean).join('\n'))]
        : []),
      ...(count > 1 ? headingJump(source, { pages, first, at, say }) : []),
      divider(),
      ...(content.length > 0 ? content : [context(say('review.empty'))]),
      ...(isCut && rest.kind === 'elsewhere' ? [context(rest.text)] : []),
      divider(),
      ...pageButtons(say, { at, count, of: 'review', valueFor: (other) => valueFor(first + other), ...beside }),
    ],
  };
}

/** A view has room for a page beside this many headings. */
const MOST_HEADINGS = 150;

/** Returns a list of headings that leads to their pages; nothing if the text has none. */
function headingJump(
  source: string,
  { pages, first, at, say }: { pages: readonly Page[]; first: number; at: number; say: Say },
): KnownBlock[] {
  const ends = endsOf(pages);
  const options = headingsIn(source)
    .slice(0, MOST_HEADINGS)
    .map((heading, i) => ({
      text: plain(titleOf(heading), OPTION_LIMIT),
      value: `${first + ends.findIndex((end) => heading.at < end)}:${i}`,
    }));
  if (options.length === 0) return [];
  const placeholder = plain(say('review.jump'));
  // Slack keeps the choice in a block of the same id, so each page has its own.
  const blockId = `jump:${first + at}`;
  return [
    {
      type: 'actions',
      block_id: blockId,
      elements: [
        { type: 'static_select', action_id: 'review_heading' satisfies ActionId, placeholder, ...grouped(options) },
      ],
    },
  ];
}

function endsOf(pages: readonly Page[]): number[] {
  let end = 0;
  return pages.map(({ text }) => {
    end += text.length;
    return end;
  });
}

export function jumpedTo(value: string): number {
  return Number.parseInt(value, 10) || 0;
}
