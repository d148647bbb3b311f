import type { Button } from '@slack/types';
import type { RootModel } from '../../core/messages/view-models.ts';
import { button, confirm } from '../ui/blocks.ts';

/** What a person can do with a run; null for a button that doesn't apply. Each button carries the ref. */
export function rootButtons({ ref, run, unfollowed }: RootModel): (Button | null)[] {
  const activity = button('show_activity', 'Show activity', { value: ref });
  const again = button('run_again', 'Run again', { value: ref });
  const stop = unfollowed ? null : button('stop_following', 'Stop following', { value: ref, confirm: CONFIRM_STOP });
  switch (run.status) {
    case 'starting':
    case 'running':
    case 'waiting':
      return [activity, stop];
    case 'lost':
      return [activity, again, stop];
    case 'completed':
    case 'failed':
      return [activity, again];
    case 'not-started':
      return [again];
    case 'unconfirmed':
      return [{ ...again, confirm: CONFIRM_SECOND_START }, stop];
  }
}

const CONFIRM_STOP = confirm({
  title: 'Stop following this run?',
  text:
    'No more news, approvals or results will arrive in this thread. The crew itself may go on: it can only be stopped ' +
    'in its own control panel. A decision that was already made is still delivered.',
  yes: 'Stop following',
  no: 'Keep following',
  style: 'danger',
});

const CONFIRM_SECOND_START = confirm({
  title: 'Run it again?',
  text: 'The first start may have worked although nobody confirmed it. If it did, the crew runs twice.',
  yes: 'Run again',
  no: 'Wait',
});
