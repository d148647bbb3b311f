import type { Button } from '@slack/types';
import type { RootModel } from '../../core/messages/view-models.ts';
import type { Say } from '../language/say.ts';
import { button, confirm } from '../ui/blocks.ts';
import { confirmSecondStart } from './confirm-second-start.ts';

/** What a person can do with a run; null for a button that doesn't apply. Each button carries the ref. */
export function rootButtons({ ref, run, unfollowed }: RootModel, say: Say): (Button | null)[] {
  const activity = button('show_activity', say('activity.button'), { value: ref });
  const again = button('run_again', say('reply.run-again'), { value: ref });
  const track = unfollowed ? button('track_again', say('tracking.again'), { value: ref }) : stopButton(ref, say);
  switch (run.status) {
    case 'starting':
    case 'running':
    case 'waiting':
      return [activity, track];
    case 'lost':
      return [activity, again, track];
    case 'completed':
    case 'failed':
      return [activity, again];
    case 'not-started':
      return [again];
    case 'unconfirmed':
      return [{ ...again, confirm: confirmSecondStart(say, say('reply.run-again')) }, track];
  }
}

function stopButton(ref: string, say: Say): Button {
  return button('stop_following', say('tracking.stop'), {
    value: ref,
    confirm: confirm({
      title: say('tracking.confirm-title'),
      text: say('tracking.confirm'),
      yes: say('tracking.confirm-yes'),
      no: say('tracking.confirm-no'),
      style: 'danger',
    }),
  });
}
