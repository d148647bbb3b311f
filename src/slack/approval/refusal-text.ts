import type { Refusal } from '../../core/approval/refusal.ts';
import { NO_LONGER_KNOWN } from '../ui/answer-modal.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { seconds, slackDate } from '../ui/text/moment.ts';
import { type DenialDetails, denialText, takeOverText } from './denial-text.ts';

/** Whom and what a refusal is about. */
export interface RefusalDetails extends DenialDetails {
  name: NameOf;
}

/** Why a click changed nothing; mrkdwn with escaped names. */
export function refusalText(refusal: Refusal, details: RefusalDetails): string {
  const { name } = details;
  switch (refusal.kind) {
    case 'unknown':
      return NO_LONGER_KNOWN;
    case 'denied':
      return denialText(refusal.denial, details);
    case 'facts-needed':
      return 'Slack can’t say who can decide this. Please try again in a minute.';
    case 'already-decided':
      return decidedText(refusal.decision, name);
    case 'superseded':
      return supersededText(refusal.by);
    case 'expired':
      return 'Nobody decided in time, so this can no longer be decided here.';
    case 'too-soon':
      return `This was asked only ${seconds(refusal.afterMs)} ago. Please confirm that you want to approve it.`;
    case 'no-vote':
      return 'You have no vote here to withdraw.';
    case 'no-decision':
      return 'Nothing is decided here yet, so there is nothing to undo.';
    case 'cannot-take-over':
      return takeOverText(refusal.denial, nameIn(name, refusal.to));
    case 'asked-lately':
      return `They have been asked already (${slackDate(refusal.at)}). You can ask them again an hour after that.`;
    case 'feedback-missing':
      return 'A rejection needs feedback, so that the crew knows what to do better. Please write a short sentence.';
    case 'notes-not-taken':
      return 'This crew takes approvals without a note only: it would read a note as a rejection. Please use *Approve*, or *Request changes…* with feedback.';
    case 'nothing-to-send':
      return 'There is nothing to send again: the crew has got the decision, or it is on its way.';
  }
}

function decidedText(
  { verdict, by, at }: Extract<Refusal, { kind: 'already-decided' }>['decision'],
  name: NameOf,
): string {
  if (by === null) return 'Nobody decided in time, so a rejection was sent.';
  const did = verdict === 'approve' ? 'approved' : 'rejected';
  return `${nameIn(name, by)} was faster and ${did} this (${slackDate(at)}).`;
}

function supersededText(by: Extract<Refusal, { kind: 'superseded' }>['by']): string {
  switch (by) {
    case 'newer-round':
      return 'The crew has asked again in the meantime. Please decide the newest request in this thread.';
    case 'ended':
      return 'The run has ended, so there is nothing left to decide.';
    case 'unfollowed':
      return 'Somebody stopped following this run, so it can’t be decided here any more.';
  }
}
