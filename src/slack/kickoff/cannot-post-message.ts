import { type Rendered, rendered, section } from '../ui/blocks.ts';
import { escapedLine } from '../ui/text/escape.ts';

/** Why the bot can't post where it was called. */
export type PostingTrouble = 'not-in-channel' | 'archived' | 'direct-message' | 'read-only' | 'other';

/** Says, before anything is started, why it can't be followed here and what to do. */
export function cannotPostMessage({ trouble, botName }: { trouble: PostingTrouble; botName: string }): Rendered {
  const text = words(trouble, escapedLine(botName, 80));
  return rendered(text, [section(text)]);
}

function words(trouble: PostingTrouble, bot: string): string {
  switch (trouble) {
    case 'not-in-channel':
      return `I’m not in this channel yet, so nothing was started. Please type \`/invite @${bot}\` and then \`/kickoff\` again.`;
    case 'archived':
      return 'This channel is archived, so nothing was started. Please use /kickoff in another channel.';
    case 'direct-message':
      return 'I can’t follow a run in a conversation that I’m not part of, so nothing was started. Please use /kickoff in a channel.';
    case 'read-only':
      return 'I may not post in this channel, so nothing was started. Please ask its admins, or use /kickoff in another channel.';
    case 'other':
      return `I can’t post here, so nothing was started. Please type \`/invite @${bot}\` and try again, or use another channel.`;
  }
}

/** Why a run that goes on here has an approval that nobody can see; mrkdwn. */
export function cannotShowWords({ trouble, botName }: { trouble: PostingTrouble; botName: string }): string {
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
