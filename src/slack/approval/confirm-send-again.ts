import type { Confirm } from '@slack/types';
import type { ResumeFailure } from '../../core/approval/approval.ts';
import type { Say } from '../language/say.ts';
import { confirm } from '../ui/blocks.ts';

/** Asked before a decision that didn't arrive, or may have, is sent again. */
export function confirmSendAgain(failure: ResumeFailure, say: Say): Confirm {
  const common = { title: say('send-again.title'), yes: say('send-again.yes'), no: say('send-again.no') };
  switch (failure.kind) {
    case 'refused':
      return confirm({ ...common, text: say('send-again.refused') });
    case 'unconfirmed':
      return confirm({ ...common, text: say('send-again.unconfirmed'), style: 'danger' });
  }
}
