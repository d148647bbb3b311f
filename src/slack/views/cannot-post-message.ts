import { type Rendered, rendered, section } from './blocks.ts';
import { inline } from './person.ts';

/** Why the bot can't post where it was called. */
export type PostingTrouble = 'not-in-channel' | 'archived' | 'direct-message' | 'read-only' | 'other';

/** Says, before anything is started, why it can't be followed here and what to do. */
export function cannotPostMessage({ trouble, botName }: { trouble: PostingTrouble; botName: string }): Rendered {
  const text = words(trouble, inline(botName, 80));
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
