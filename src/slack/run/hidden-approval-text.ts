import type { PostingTrouble } from '../api/channels.ts';
import { escapedLine } from '../ui/text/escape.ts';

/** Why a run in this channel has an open approval that isn't shown; mrkdwn. */
export function hiddenApprovalText({ trouble, botName }: { trouble: PostingTrouble; botName: string }): string {
  switch (trouble) {
    case 'not-in-channel':
      return `An approval can’t be shown, since I’m not in this channel any more. Please type \`/invite @${escapedLine(botName, 80)}\`, and it appears within a few minutes.`;
    case 'archived':
      return 'An approval can’t be shown, since this channel is archived.';
    case 'direct-message':
    case 'read-only':
    case 'other':
      return 'An approval can’t be shown, since I may not post here any more. Please ask the admins of this channel.';
  }
}
