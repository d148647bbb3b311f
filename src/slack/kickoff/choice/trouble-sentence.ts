import type { Say } from '../../language/say.ts';
import type { ChannelTrouble } from './find-chosen-place.ts';

/** Why a run can't be started in the chosen channel, and what to do; plain text, beside the field. */
export function troubleSentence(trouble: ChannelTrouble, { bot, say }: { bot: string; say: Say }): string {
  switch (trouble) {
    case 'not-in-channel':
    case 'other':
      return say('choice.trouble.not-in', { bot });
    case 'archived':
    case 'direct-message':
    case 'read-only':
    case 'not-member':
    case 'unsure':
      return say(`choice.trouble.${trouble}`);
  }
}
