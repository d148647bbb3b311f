import type { ModalView } from '@slack/types';
import type { Say } from '../language/say.ts';
import { section } from '../ui/blocks.ts';
import { type ApprovalKey, approvalValue } from '../ui/button-value.ts';
import { MODAL_TITLE_LIMIT } from '../ui/limits.ts';
import { modal } from '../ui/modal.ts';
import { seconds } from '../ui/text/moment.ts';

/** Asks whether the person wants to approve that soon. Its `private_metadata` is read by `parseApprovalValue`. */
export function approveSoonModal(key: ApprovalKey, afterMs: number, say: Say): ModalView {
  const question = say('soon.title', { duration: seconds(afterMs, say) });
  return modal({
    callbackId: 'approve_soon',
    title: question.length <= MODAL_TITLE_LIMIT ? question : say('soon.title-short'),
    submit: say('note.approve'),
    close: say('soon.back'),
    metadata: approvalValue(key),
    blocks: [section(soonText(afterMs, say))],
  });
}

/** For a person who approves sooner than the policy would like. */
export function soonText(afterMs: number, say: Say): string {
  return say('soon.text', { duration: seconds(afterMs, say) });
}
