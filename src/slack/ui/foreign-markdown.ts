import type { KnownBlock, RichTextBlock } from '@slack/types';
import type { Rendering } from '../../core/messages/rendering.ts';
import type { Say } from '../language/say.ts';
import { context, preformatted } from './blocks.ts';
import { plainLength } from './plain-blocks.ts';
import { type CutMarkdown, cutMarkdown } from './text/cut-markdown.ts';
import { escapeMarkdown } from './text/escape.ts';
import { richText } from './text/rich-text.ts';

/** What a message shows of a text that a crew wrote, and what it leaves out. */
interface ForeignMarkdown extends Omit<CutMarkdown, 'markdown'> {
  blocks: KnownBlock[];
}

/** At most `most` characters of the text; null where it has nothing to show. */
export function foreignMarkdown(
  text: string,
  { most, rendering, say }: { most: number; rendering: Rendering; say: Say },
): ForeignMarkdown | null {
  const { markdown, ...cut } = cutMarkdown(text, most);
  if (markdown === '') return null;
  switch (rendering) {
    case 'full':
      return { blocks: [{ type: 'markdown', text: escapeMarkdown(markdown) }], ...cut };
    case 'rich-text':
    case 'plain-text':
      return { blocks: richTextWithin(most, markdown), ...cut };
    case 'bare':
      return { blocks: [context(say('text.refused'))], isCut: false, shown: 0, left: [] };
  }
}

/** Indented lists and aligned tables can be several times as long as their source, which is shown instead. */
function richTextWithin(most: number, markdown: string): RichTextBlock[] {
  const blocks = richText(markdown);
  return plainLength(blocks) > most ? [preformatted(markdown, most)] : blocks;
}
