import type { KnownBlock, ModalView } from '@slack/types';
import { sayIn } from '../language/say.ts';
import { context, type Rendered } from './blocks.ts';
import { plainBlocks } from './plain-blocks.ts';

/** In English, since what Slack refused doesn't say for whom it was. */
const LEFT_OUT = sayIn('en')('text.left-out');

/** A modal as designed, then ever more plainly, each with all its inputs and buttons. Made as they are asked for. */
export function* plainerModals(view: ModalView): Generator<ModalView> {
  yield view;
  // All our modals are made of these; the type also has those of other apps.
  const blocks = view.blocks as KnownBlock[];
  if (hasRichText(blocks)) yield { ...view, blocks: plainBlocks(blocks) };
  yield { ...view, blocks: bareBlocks(blocks) };
}

/** A message as designed, then ever more plainly, each with all its buttons. Made as they are asked for. */
export function* plainerMessages(message: Rendered): Generator<Rendered> {
  const { blocks } = message;
  yield message;
  if (hasRichText(blocks)) yield { ...message, blocks: plainBlocks(blocks) };
  yield { text: LEFT_OUT, blocks: bareBlocks(blocks) };
}

function bareBlocks(blocks: KnownBlock[]): KnownBlock[] {
  return [context(LEFT_OUT), ...blocks.filter(({ type }) => type === 'actions' || type === 'input')];
}

function hasRichText(blocks: KnownBlock[]): boolean {
  return blocks.some(({ type }) => type === 'rich_text');
}
