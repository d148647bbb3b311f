import type { PostingTrouble } from '../api/channels.ts';
import type { Say } from '../language/say.ts';
import { type Rendered, rendered, section } from '../ui/blocks.ts';
import { escapedLine } from '../ui/text/escape.ts';

/** Why nothing was started: the bot can't follow a run here. Says what to do, too. */
export function cannotPostMessage(trouble: PostingTrouble, botName: string, say: Say): Rendered {
  const text = reason(trouble, escapedLine(botName, 80), say);
  return rendered(text, [section(text)]);
}

function reason(trouble: PostingTrouble, bot: string, say: Say): string {
  switch (trouble) {
    case 'not-in-channel':
      return say('channel.not-in', { bot });
    case 'other':
      return say('channel.other', { bot });
    case 'archived':
    case 'direct-message':
    case 'read-only':
      return say(`channel.${trouble}`);
  }
}
