import type { Say } from '../language/say.ts';
import type { Change } from './change.ts';
import { summaryText } from './summary-text.ts';

/** What changed since a round, on a line: `12 lines changed, 3 added, *Tests* removed`; mrkdwn. */
export function changeText(say: Say, change: Change, round: number): string {
  switch (change.kind) {
    case 'same':
      return say('compare.same-as', { round });
    case 'unseen':
      return say('compare.unseen');
    case 'too-large':
      return say('compare.too-large-for-card', { round });
    case 'compared':
      return say('compare.since-round', { what: summaryText(say, change.summary), round });
  }
}
