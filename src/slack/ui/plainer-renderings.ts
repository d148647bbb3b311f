import { isDeepStrictEqual } from 'node:util';
import type { KnownBlock, ModalView } from '@slack/types';
import { context, type Rendered } from './blocks.ts';
import { plainBlocks } from './plain-blocks.ts';

/** The same content ever more plainly, to be tried in this order when Slack refuses what it contains. */
type Renderings<Content> = [Content, ...Content[]];

const LEFT_OUT = 'Slack doesn’t accept the text that belongs here, so it was left out.';

/** A modal with all its inputs and buttons in each rendering. */
export function plainerModals(view: ModalView): Renderings<ModalView> {
  // All our modals are made of these; the type also has those of other apps.
  const blocks = view.blocks as KnownBlock[];
  return distinct(view, { ...view, blocks: plainBlocks(blocks) }, { ...view, blocks: bareBlocks(blocks) });
}

/** A message with all its buttons in each rendering. */
export function plainerMessages(message: Rendered): Renderings<Rendered> {
  const { blocks } = message;
  return distinct(message, { ...message, blocks: plainBlocks(blocks) }, { text: LEFT_OUT, blocks: bareBlocks(blocks) });
}

function bareBlocks(blocks: KnownBlock[]): KnownBlock[] {
  return [context(LEFT_OUT), ...blocks.filter(({ type }) => type === 'actions' || type === 'input')];
}

function distinct<Content>(first: Content, ...plainer: Content[]): Renderings<Content> {
  return [first, ...plainer.filter((each) => !isDeepStrictEqual(each, first))];
}
