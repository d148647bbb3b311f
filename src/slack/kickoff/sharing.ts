import type { KnownBlock } from '@slack/types';
import type { Sharing } from '../api/channels.ts';
import type { Say } from '../language/say.ts';
import { plain, section } from '../ui/blocks.ts';
import { elementIn, type FormValues } from '../ui/form-values.ts';

/** Of the box in which the starter agrees to a run in a channel that others see. */
export const SHARING_BLOCK = 'sharing';

const AGREED = 'agreed';

/** Asks the starter before anything of a run is posted in a channel that another organisation sees, or may see. */
export function sharingQuestion(sharing: Sharing, say: Say): KnownBlock[] {
  if (sharing === 'own') return [];
  return [
    section(`⚠️ ${say(sharing === 'shared' ? 'form.shared' : 'form.maybe-shared')}`),
    {
      type: 'input',
      block_id: SHARING_BLOCK,
      label: plain(say('form.share-label')),
      element: {
        type: 'checkboxes',
        action_id: 'agree',
        options: [{ text: plain(say('form.share')), value: AGREED }],
      },
    },
  ];
}

/** Slack doesn't send the form without it, but nothing is posted on Slack's word alone. */
export function isAgreed(sharing: Sharing, values: FormValues): boolean {
  return sharing === 'own' || (elementIn(values, SHARING_BLOCK)?.selected_options ?? []).length > 0;
}
