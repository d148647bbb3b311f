import { type CrewRefusal, isAboutUserToken, type ResumeFailure } from '../../core/approval/approval.ts';
import type { Say } from '../language/say.ts';
import { escapedLine } from '../ui/text/escape.ts';

interface Decided {
  /** Escaped. */
  crew: string;
  /** Escaped. */
  by: string;
  say: Say;
}

/** Why a decision has not reached the crew, and what to do; mrkdwn. */
export function resumeFailureText(failure: ResumeFailure, about: Decided): string {
  switch (failure.kind) {
    case 'refused':
      return refusedSentence(failure.code, about);
    case 'unconfirmed':
      return about.say('sending.unconfirmed');
  }
}

function refusedSentence(code: CrewRefusal, { crew, by, say }: Decided): string {
  const command = `/kickoff connect ${crew}`;
  switch (code) {
    case 'unauthorized':
      return say('sending.unauthorized');
    case 'user-token-refused':
      return say('sending.user-token-refused', { by, command });
    case 'no-user-token':
      return say('sending.no-user-token', { by, command });
    case 'not-found':
      return say('sending.not-found');
    case 'quota':
      return say('sending.quota');
    case 'unreachable':
      return say('sending.gave-up');
    case 'missing-inputs':
    case 'bad-request':
    case 'other':
      return say('sending.refused');
  }
}

/** What the crew’s service itself said, for those who can make something of it; escaped mrkdwn. */
export function resumeFailureDetail(failure: ResumeFailure, say: Say): string | null {
  // About a person's own token, our own sentence says all that others need to know.
  if (failure.kind === 'unconfirmed' || isAboutUserToken(failure.code)) return null;
  const said = escapedLine(failure.detail, 300);
  if (failure.status > 0)
    return say('sending.crew-said-with-status', {
      status: String(failure.status),
      said: said || say('sending.crew-said-nothing'),
    });
  return said === '' ? null : say('sending.crew-said', { said });
}
