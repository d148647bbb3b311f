import type { KnownBlock, ModalView } from '@slack/types';
import type { CardModel } from '../../../core/messages/view-models.ts';
import { stateSentence } from '../../features/approval/card-state.ts';
import type { TickedRequest } from '../../home/ticks.ts';
import type { Say } from '../../language/say.ts';
import { button, section, sectionWith } from '../../ui/blocks.ts';
import { approvalValue, keyOf } from '../../ui/button-value.ts';
import { modal } from '../../ui/modal.ts';
import { batchValue } from './batch-key.ts';
import { type Excluded, leftOutBlocks, namesIn } from './left-out-blocks.ts';

/** What became of several requests that were approved together. */
interface BatchResults {
  approved: readonly { model: CardModel; quorum: number }[];
  leftOut: readonly Excluded[];
  /** Those that are still to be approved, or may be: they can be sent again. */
  open: readonly (Excluded & { key: TickedRequest })[];
}

/** Says what happened to each, by name. */
export function batchResultsModal({ approved, leftOut, open }: BatchResults, say: Say): ModalView {
  const blocks = [
    ...approved.map((each) => approvedBlock(each, say)),
    ...leftOutBlocks(leftOut, say('batch.left-out'), say),
    ...leftOutBlocks(open, say('batch.open'), say),
  ];
  const title = say(approved.length > 0 ? 'batch.done-title' : 'batch.none-title');
  if (open.length === 0) return modal({ callbackId: 'answer', title, close: say('modal.close'), blocks });
  return modal({
    callbackId: 'approve_batch',
    title,
    submit: say('batch.submit', { count: open.length }),
    close: say('modal.close'),
    metadata: batchValue(open.map(({ key }) => key)),
    blocks,
  });
}

function approvedBlock({ model, quorum }: { model: CardModel; quorum: number }, say: Say): KnownBlock {
  const { state } = model;
  const names = namesIn(model, say);
  if (state.kind === 'pending') return section(say('batch.counts', { names, count: model.votes.length, quorum }));
  const text = say('batch.approved', { names });
  if (state.kind !== 'undoable') return section(text);
  const later = stateSentence(model, { name: ({ name }) => name, say });
  return sectionWith(`${text} ${later}`, button('undo', say('card.undo'), { value: approvalValue(keyOf(model)) }));
}
