import type { PostingTrouble } from '../api/channels.ts';
import { type Rendered, rendered, section } from '../ui/blocks.ts';
import { escapedLine } from '../ui/text/escape.ts';

/** Why nothing was started: the bot can't follow a run here. Says what to do, too. */
export function cannotPostMessage({ trouble, botName }: { trouble: PostingTrouble; botName: string }): Rendered {
  const text = reason(trouble, escapedLine(botName, 80));
  return rendered(text, [section(text)]);
}

function reason(trouble: PostingTrouble, bot: string): string {
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
