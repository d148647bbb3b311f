import type { Confirm } from '@slack/types';
import type { ResumeFailure } from '../../core/approval/approval.ts';
import { confirm } from '../ui/blocks.ts';

/** Asked before a decision that didn't arrive, or may have, is sent again. */
export function confirmSendAgain(failure: ResumeFailure): Confirm {
  switch (failure.kind) {
    case 'refused':
      return confirm({
        title: 'Send the decision again?',
        text: 'The crew said no to it last time. Send it again once the reason is gone.',
        yes: 'Send again',
        no: 'Not now',
      });
    case 'unconfirmed':
      return confirm({
        title: 'Send the decision again?',
        text:
          'Nobody knows whether the crew got it. If it did, sending it again may decide the crew’s next question before ' +
          'anybody has read it. Please check the crew’s control panel if you can.',
        yes: 'Send again',
        no: 'Not now',
        style: 'danger',
      });
  }
}
