import type { ModalView } from '@slack/types';
import { section } from '../ui/blocks.ts';
import { type ApprovalKey, approvalValue } from '../ui/button-value.ts';
import { MODAL_TITLE_LIMIT } from '../ui/limits.ts';
import { modal } from '../ui/modal.ts';
import { seconds } from '../ui/text/moment.ts';

/** Asks whether the person wants to approve that soon. Its `private_metadata` is read by `parseApprovalValue`. */
export function approveSoonModal(key: ApprovalKey, afterMs: number): ModalView {
  const question = `Approve after ${seconds(afterMs)}?`;
  return modal({
    callbackId: 'approve_soon',
    title: question.length <= MODAL_TITLE_LIMIT ? question : 'Approve so soon?',
    submit: 'Approve',
    close: 'Go back',
    metadata: approvalValue(key),
    blocks: [section(soonText(afterMs))],
  });
}

/** For a person who approves sooner than the policy would like. */
export function soonText(afterMs: number): string {
  return `This was asked only ${seconds(afterMs)} ago. Please make sure that you have read what you approve.`;
}
