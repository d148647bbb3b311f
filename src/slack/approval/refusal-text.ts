import type { Refusal } from '../../core/approval/decide.ts';
import { NO_LONGER_KNOWN } from '../ui/answer-modal.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { slackDate } from '../ui/text/moment.ts';

/** For people of other organisations, in shared channels. */
export const STRANGERS_MAY_NOT =
  'Only people of the workspace that Signoff is installed in can do this. Nothing was changed; please ask somebody there.';

/** Why a click changed nothing; mrkdwn with escaped names. */
export function refusalText(refusal: Refusal, name: NameOf): string {
  switch (refusal.kind) {
    case 'unknown':
      return NO_LONGER_KNOWN;
    case 'stranger':
      return STRANGERS_MAY_NOT;
    case 'already-decided': {
      const { verdict, by, at } = refusal.decision;
      const did = verdict === 'approve' ? 'approved' : 'rejected';
      return `${nameIn(name, by)} was faster and ${did} this (${slackDate(at)}). Your click changed nothing.`;
    }
    case 'superseded':
      return supersededText(refusal.by);
    case 'feedback-missing':
      return 'A rejection needs feedback, so that the crew knows what to do better. Please write a short sentence.';
    case 'notes-not-taken':
      return 'This crew takes approvals without a note only: it would read a note as a rejection. Nothing was changed; please use *Approve*, or *Reject…* with feedback.';
    case 'nothing-to-send':
      return 'There is nothing to send again: the crew has got the decision, or it is on its way.';
  }
}

function supersededText(by: Extract<Refusal, { kind: 'superseded' }>['by']): string {
  switch (by) {
    case 'newer-round':
      return 'The crew has asked again in the meantime. Please decide the newest request in this thread.';
    case 'ended':
      return 'The run has ended, so there is nothing left to decide. Your click changed nothing.';
    case 'unfollowed':
      return 'Somebody stopped following this run, so it can’t be decided here any more. Your click changed nothing.';
  }
}
