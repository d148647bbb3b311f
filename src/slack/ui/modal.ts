import type { KnownBlock, ModalView } from '@slack/types';
import { plain } from './blocks.ts';

export interface ModalOptions {
  callbackId: string;
  title: string;
  blocks: KnownBlock[];
  /** Absent for a modal that only says something. */
  submit?: string;
  close?: string;
  metadata?: string;
}

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
