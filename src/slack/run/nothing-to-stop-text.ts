import type { Execution } from '../../core/execution/execution.ts';
import type { Say } from '../language/say.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { slackDate } from '../ui/text/moment.ts';

/** Why *Stop tracking for everyone* changed nothing; mrkdwn with escaped names. */
export function nothingToStopText(unfollowed: Execution['unfollowed'], name: NameOf, say: Say): string {
  if (!unfollowed) return say('tracking.ended');
  return say('tracking.already-stopped', { name: nameIn(name, unfollowed.by), when: slackDate(unfollowed.at, say) });
}
