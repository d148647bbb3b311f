import { type CrewRefusal, isAboutUserToken, type ResumeFailure } from '../../core/approval/approval.ts';
import { escapedLine } from '../ui/text/escape.ts';

/** While a decision is sent until it arrives; both mrkdwn and plain text. */
export const CREW_UNREACHABLE = 'The crew can’t be reached right now. We keep trying; the decision is safe.';

/** Escaped. */
interface DecisionNames {
  crew: string;
  by: string;
}

/** Why a decision has not reached the crew, and what to do; mrkdwn. */
export function resumeFailureText(failure: ResumeFailure, about: DecisionNames): string {
  switch (failure.kind) {
    case 'refused':
      return refusedSentence(failure.code, about);
    case 'unconfirmed':
      return 'It is not certain that the crew got this decision: it didn’t confirm it. If the run goes on, all is well; else send it again.';
  }
}

function refusedSentence(code: CrewRefusal, { crew, by }: DecisionNames): string {
  switch (code) {
    case 'unauthorized':
      return 'The crew did not take this decision: it doesn’t accept our access token. Whoever runs Signoff needs to renew it; then send it again.';
    case 'user-token-refused':
      return `The crew did not take this decision: it doesn’t accept ${by}’s own token. They can connect again with /kickoff connect ${crew}; then send it again.`;
    case 'no-user-token':
      return `The crew did not take this decision: it needs ${by}’s own token, and none is connected. They can connect one with /kickoff connect ${crew}; then send it again.`;
    case 'not-found':
      return 'The crew did not take this decision: it no longer knows this run.';
    case 'quota':
      return 'The crew did not take this decision: its limit of runs is used up for now. Send it again when the limit is renewed or raised.';
    case 'unreachable':
      return 'The crew can’t be reached. The decision is safe; send it again in a few minutes.';
    case 'missing-inputs':
    case 'bad-request':
    case 'other':
      return 'The crew did not take this decision. Send it again, or ask whoever runs the crew.';
  }
}

/** What the crew’s service itself said, for those who can make something of it; escaped mrkdwn. */
export function resumeFailureDetail(failure: ResumeFailure): string | null {
  // About a person's own token, our own sentence says all that others need to know.
  if (failure.kind === 'unconfirmed' || isAboutUserToken(failure.code)) return null;
  const said = escapedLine(failure.detail, 300);
  const status = failure.status > 0 ? ` (HTTP ${failure.status})` : '';
  return said === '' && status === '' ? null : `The crew’s answer${status}: ${said || 'nothing'}`;
}
