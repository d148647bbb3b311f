import type { KnownBlock } from '@slack/types';
import type { Rendering } from '../../core/messages/rendering.ts';
import { context } from './blocks.ts';
import { cutMarkdown } from './text/cut-markdown.ts';
import { escapeMarkdown } from './text/escape.ts';
import { richText } from './text/rich-text.ts';

/** What a message shows of a text that a crew wrote, at most `most` characters; null where it has nothing to show. */
export function foreignMarkdown(
  text: string,
  { most, rendering }: { most: number; rendering: Rendering },
): { blocks: KnownBlock[]; isCut: boolean } | null {
  const { markdown, isCut } = cutMarkdown(text, most);
  if (markdown === '') return null;
  switch (rendering) {
    case 'full':
      return { blocks: [{ type: 'markdown', text: escapeMarkdown(markdown) }], isCut };
    case 'rich-text':
    case 'plain-text':
      return { blocks: richText(markdown), isCut };
    case 'bare':
      return { blocks: [context('_Slack doesn’t accept this text in a message._ *Read all* shows it.')], isCut: false };
  }
}
