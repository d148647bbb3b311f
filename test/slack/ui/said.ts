import type { HomeView, ModalView } from '@slack/types';
import type { Rendered } from '../../../src/slack/ui/blocks.ts';

/** One object of a message or view, whatever it is. */
type Part = { [key: string]: unknown };

/** All objects inside a value, in reading order. */
export function partsOf(value: unknown): Part[] {
  const found: Part[] = [];
  collect(value, found);
  return found;
}

/** Into one list: views have thousands of parts, and copying lists of them took longer than rendering. */
function collect(value: unknown, found: Part[]): void {
  if (Array.isArray(value)) for (const each of value) collect(each, found);
  else if (isPart(value)) {
    found.push(value);
    for (const each of Object.values(value)) collect(each, found);
  }
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null;
}

function textsOf(parts: Part[], types: string[]): string[] {
  return parts.flatMap(({ type, text }) =>
    typeof type === 'string' && types.includes(type) && typeof text === 'string' ? [text] : [],
  );
}

/**
 * What Slack would read as a mention, a link or a date, and every bracket that is no text. A `>` that begins a line of a
 * markdown block is a quote, and nothing else.
 */
export function liveIn({ blocks, text = '' }: { blocks: unknown; text?: string }): string[] {
  const parts = partsOf(blocks);
  const markdown = textsOf(parts, ['markdown']).map((each) => each.replace(/^[ >]+/gm, ''));
  return [text, ...textsOf(parts, ['mrkdwn']), ...markdown].flatMap((each) => each.match(/<[^>]*>?|>/g) ?? []);
}

/** Everything that a message or view says, as a person reads it. */
export function said(shown: Rendered | ModalView | HomeView): string {
  return textsOf(partsOf(shown.blocks), ['mrkdwn', 'markdown', 'plain_text', 'text', 'link']).join('\n');
}

/** The action ids of all buttons and inputs, in reading order. */
export function actionsOf(shown: { blocks: unknown }): string[] {
  return partsOf(shown.blocks).flatMap(({ action_id: id }) => (typeof id === 'string' ? [id] : []));
}
