import type { Refusal } from '../../core/approval/refusal.ts';
import type { Say } from '../language/say.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import { seconds, slackDate } from '../ui/text/moment.ts';
import { type DenialDetails, denialText, takeOverText } from './denial-text.ts';

/** Whom and what a refusal is about. */
export interface RefusalDetails extends DenialDetails {
  name: NameOf;
  /** The address of the card of the request as it is now; null if it isn't known. */
  card: string | null;
}

/** Why a click changed nothing; mrkdwn with escaped names. */
export function refusalText(refusal: Refusal, details: RefusalDetails): string {
  const { name, card, say } = details;
  switch (refusal.kind) {
    case 'unknown':
      return say('answer.no-longer-known');
    case 'denied':
      return denialText(refusal.denial, details);
    case 'facts-needed':
      return say('refusal.unsure');
    case 'crew-missing':
      return say('missing-crew.refusal', { crew: escapedLine(refusal.crew, 80) });
    case 'other-text':
      return card === null
        ? say('refusal.other-text')
        : `${say('refusal.other-text')} <${escapeMrkdwn(card)}|${say('alert.open')}>`;
    case 'already-decided':
      return decidedText(refusal.decision, { name, say });
    case 'superseded':
      return supersededText(refusal.by, say);
    case 'expired':
      return say('refusal.expired');
    case 'too-soon':
      return say('refusal.too-soon', { time: seconds(refusal.afterMs, say) });
    case 'no-vote':
      return say('refusal.no-vote');
    case 'no-decision':
      return say('refusal.no-decision');
    case 'cannot-take-over':
      return takeOverText(refusal.denial, { who: nameIn(name, refusal.to), say });
    case 'asked-lately':
      return say('refusal.asked-lately', { when: slackDate(refusal.at, say) });
    case 'feedback-missing':
      return say('refusal.feedback-missing');
    case 'notes-not-taken':
      return say('refusal.notes-not-taken');
    case 'nothing-to-send':
      return say('refusal.nothing-to-send');
  }
}

function decidedText(
  { verdict, by, at }: Extract<Refusal, { kind: 'already-decided' }>['decision'],
  { name, say }: { name: NameOf; say: Say },
): string {
  if (by === null) return say('refusal.rejected-by-time');
  const key = verdict === 'approve' ? 'refusal.approved-already' : 'refusal.rejected-already';
  return say(key, { name: nameIn(name, by), when: slackDate(at, say) });
}

function supersededText(by: Extract<Refusal, { kind: 'superseded' }>['by'], say: Say): string {
  switch (by) {
    case 'newer-round':
      return say('refusal.newer-round');
    case 'ended':
      return say('refusal.ended');
    case 'unfollowed':
      return say('refusal.unfollowed');
  }
}
