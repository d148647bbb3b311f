import type { KnownBlock } from '@slack/types';
import type { Say } from '../language/say.ts';
import type { ActionId } from '../ui/action-ids.ts';
import { grouped, plain } from '../ui/blocks.ts';
import { OPTION_LIMIT } from '../ui/limits.ts';
import type { Page } from '../ui/text/cut-markdown.ts';
import { headingsIn, titleOf } from '../ui/text/markdown.ts';

/** As many as leave room for the page in a view. */
const MOST_HEADINGS = 150;

/** Leads to the pages on which the headings of a text are; nothing if it has none. */
export function headingJump(
  source: string,
  { pages, at, actionId, say }: { pages: readonly Page[]; at: number; actionId: ActionId; say: Say },
): KnownBlock[] {
  const ends = endsOf(pages);
  const options = headingsIn(source)
    .slice(0, MOST_HEADINGS)
    .map((heading, i) => ({
      text: plain(titleOf(heading), OPTION_LIMIT),
      value: `${ends.findIndex((end) => heading.at < end)}:${i}`,
    }));
  if (options.length === 0) return [];
  const placeholder = plain(say('reading.jump'));
  // Slack keeps what was chosen in a block of the same name.
  const blockId = `jump:${at}`;
  return [
    {
      type: 'actions',
      block_id: blockId,
      elements: [{ type: 'static_select', action_id: actionId, placeholder, ...grouped(options) }],
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

/** The page of a chosen heading. */
export function jumpedTo(value: string): number {
  return Number.parseInt(value, 10) || 0;
}
