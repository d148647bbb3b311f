import type { Execution } from '../../core/execution/execution.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { slackDate } from '../ui/text/moment.ts';

/** Why *Stop following* changed nothing; mrkdwn, names are escaped. */
export function nothingToStop(unfollowed: Execution['unfollowed'], name: NameOf): string {
  if (!unfollowed) return 'The run has ended already, so there is nothing more to follow. Your click changed nothing.';
  return `${nameIn(name, unfollowed.by)} stopped following already (${slackDate(unfollowed.at)}). Your click changed nothing.`;
}
