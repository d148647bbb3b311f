import type { Denial } from '../../core/approval/policy/permits.ts';
import type { Refusal } from '../../core/approval/refusal.ts';
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
    case 'denied':
      return denialText(refusal.denial);
    case 'facts-needed':
      return 'Slack can’t say right now who you are. Nothing was changed; please try again in a moment.';
    case 'already-decided': {
      const { verdict, by, at } = refusal.decision;
      const did = verdict === 'approve' ? 'approved' : 'rejected';
      if (by === null) return 'Nobody decided in time, so a rejection was sent. Your click changed nothing.';
      return `${nameIn(name, by)} was faster and ${did} this (${slackDate(at)}). Your click changed nothing.`;
    }
    case 'superseded':
      return supersededText(refusal.by);
    case 'expired':
      return 'Nobody decided in time, so this can no longer be decided here. Your click changed nothing.';
    case 'too-soon':
      return `This was asked only ${secondsText(refusal.afterMs)} ago. Please confirm that you want to approve it.`;
    case 'no-vote':
      return 'You have no vote here to withdraw.';
    case 'cannot-take-over':
      return `${nameIn(name, refusal.to)} may not decide this, so it can’t be handed over to them.`;
    case 'asked-lately':
      return `They were asked ${slackDate(refusal.at)}. Please give them some time.`;
    case 'feedback-missing':
      return 'A rejection needs feedback, so that the crew knows what to do better. Please write a short sentence.';
    case 'notes-not-taken':
      return 'This crew takes approvals without a note only: it would read a note as a rejection. Nothing was changed; please use *Approve*, or *Reject…* with feedback.';
    case 'nothing-to-send':
      return 'There is nothing to send again: the crew has got the decision, or it is on its way.';
  }
}

/** Why the policy says no. */
function denialText(denial: Denial): string {
  switch (denial.kind) {
    case 'stranger':
      return STRANGERS_MAY_NOT;
    case 'guest':
      return 'Guests can’t decide this. Nothing was changed.';
    case 'bot':
      return 'Apps can’t decide this. Nothing was changed.';
    case 'deactivated':
      return 'Your account is deactivated. Nothing was changed.';
    case 'self-approval':
      return 'You started this run, so somebody else has to decide. Nothing was changed.';
    case 'not-approver':
      return 'You aren’t one of those who may decide this. Nothing was changed.';
    case 'no-token':
      return 'This crew wants your own access token. Nothing was changed; please connect it first, with `/kickoff connect`.';
    case 'unsure':
      return denial.approver === null
        ? 'Slack can’t say right now who you are. Nothing was changed; please try again in a moment.'
        : `Slack can’t say whether you are in ${denial.approver}. Nothing was changed; please try again in a moment.`;
  }
}

function secondsText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
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
