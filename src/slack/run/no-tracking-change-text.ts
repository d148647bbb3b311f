import { type Execution, hasEnded } from '../../core/execution/execution.ts';
import type { Say } from '../language/say.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { slackDate } from '../ui/text/moment.ts';

/** Why *Stop tracking for everyone* or *Track again* changed nothing; mrkdwn with escaped names. */
export function noTrackingChangeText(execution: Execution, name: NameOf, say: Say): string {
  const { unfollowed } = execution;
  if (hasEnded(execution)) return say('tracking.ended');
  if (!unfollowed) return say('tracking.not-stopped');
  return say('tracking.already-stopped', { name: nameIn(name, unfollowed.by), when: slackDate(unfollowed.at, say) });
}
