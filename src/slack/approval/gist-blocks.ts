import type { KnownBlock } from '@slack/types';
import type { CardModel } from '../../core/messages/view-models.ts';
import type { Say } from '../language/say.ts';
import { buttons, context, sectionWith } from '../ui/blocks.ts';
import { foreignMarkdown } from '../ui/foreign-markdown.ts';
import { listed } from '../ui/listed.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { type Heading, titleOf } from '../ui/text/headings.ts';
import type { CardDetails } from './card-details.ts';
import { hidesFeedback } from './led-by-blocks.ts';
import { readButton } from './read-button.ts';

/** The beginning of the output and, where something is hidden, what it is and where to read it. */
export function gistBlocks(model: CardModel, { output, preview, rendering, say }: CardDetails): KnownBlock[] {
  const shown = output === null ? null : foreignMarkdown(output, { most: preview, rendering, say });
  const why = output === null ? 'card.no-text' : 'card.empty-text';
  const blocks = shown ? shown.blocks : [context(`_${say(why)}_`)];
  const missing = [
    ...(shown?.isCut ? [say('card.showing', { shown: shown.shown, total: model.output.length })] : []),
    ...(shown && shown.left.length > 0 ? [say('card.left', { headings: headingWords(shown.left, say) })] : []),
    ...(hidesFeedback(model) ? [say('card.showing-feedback')] : []),
  ];
  const read = readButton(model, say);
  if (missing.length > 0) return [...blocks, sectionWith(missing.join('\n'), read)];
  return rendering === 'bare' ? [...blocks, ...buttons(read)] : blocks;
}

/** More than these are only counted. */
const MOST_HEADINGS = 20;

function headingWords(headings: readonly Heading[], say: Say): string {
  const words = headings.map((heading, i) => (i < MOST_HEADINGS ? `*${escapedLine(titleOf(heading), 60)}*` : ''));
  return listed(words, say);
}
