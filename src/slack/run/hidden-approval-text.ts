import type { PostingTrouble } from '../api/channels.ts';
import type { Say } from '../language/say.ts';
import { escapedLine } from '../ui/text/escape.ts';

/** Why a run in this channel has an open approval that isn't shown; mrkdwn. */
export function hiddenApprovalText(
  { trouble, botName }: { trouble: PostingTrouble; botName: string },
  say: Say,
): string {
  switch (trouble) {
    case 'not-in-channel':
      return say('problem.hidden.not-in-channel', { bot: escapedLine(botName, 80) });
    case 'archived':
      return say('problem.hidden.archived');
    case 'direct-message':
    case 'read-only':
    case 'other':
      return say('problem.hidden.may-not-post');
  }
}
