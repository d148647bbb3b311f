import type { KnownBlock, ModalView } from '@slack/types';
import type { DisplayedModal, SubmittedModal } from './action-ids.ts';
import { plain } from './blocks.ts';

export type ModalOptions = {
  title: string;
  blocks: KnownBlock[];
  close?: string;
  metadata?: string;
} & ({ callbackId: SubmittedModal; submit?: string } | { callbackId: DisplayedModal; submit?: never });

/** https://docs.slack.dev/reference/views/modal-views */
const TITLE_LIMIT = 24;

export function modal({ callbackId, title, blocks, submit, close = 'Close', metadata }: ModalOptions): ModalView {
  return {
    type: 'modal',
    callback_id: callbackId,
    title: plain(title, TITLE_LIMIT),
    close: plain(close, TITLE_LIMIT),
    ...(submit !== undefined && { submit: plain(submit, TITLE_LIMIT) }),
    ...(metadata !== undefined && { private_metadata: metadata }),
    blocks,
  };
}
