import type { Execution } from '../../core/execution/execution.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { slackDate } from '../ui/text/moment.ts';

/** Why *Stop following* changed nothing; mrkdwn with escaped names. */
export function nothingToStopText(unfollowed: Execution['unfollowed'], name: NameOf): string {
  if (!unfollowed) return 'The run has ended already, so there is nothing more to follow.';
  return `${nameIn(name, unfollowed.by)} stopped following already (${slackDate(unfollowed.at)}).`;
}
