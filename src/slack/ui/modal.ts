import type { KnownBlock, ModalView } from '@slack/types';
import type { DisplayedModal, SubmittedModal } from './action-ids.ts';
import { plain } from './blocks.ts';
import { MODAL_TITLE_LIMIT } from './limits.ts';

type ModalOptions = {
  title: string;
  blocks: KnownBlock[];
  close: string;
  metadata?: string;
} & ({ callbackId: SubmittedModal; submit?: string } | { callbackId: DisplayedModal; submit?: never });

export function modal({ callbackId, title, blocks, submit, close, metadata }: ModalOptions): ModalView {
  return {
    type: 'modal',
    callback_id: callbackId,
    title: plain(title, MODAL_TITLE_LIMIT),
    close: plain(close, MODAL_TITLE_LIMIT),
    ...(submit !== undefined && { submit: plain(submit, MODAL_TITLE_LIMIT) }),
    ...(metadata !== undefined && { private_metadata: metadata }),
    // A start that is on its way can't be changed any more by what stands below.
    ...(callbackId === 'kickoff_progress' && { clear_on_close: true }),
    blocks,
  };
}
