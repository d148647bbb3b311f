import type { Person } from '../../../core/approval/approval.ts';
import type { ListenerContext } from '../../app/context.ts';
import { within } from '../../directory/look-ups.ts';
import { explainRefusal } from '../../features/approval/refusal.ts';
import type { TickedRequest } from '../../home/ticks.ts';
import { approvalValue } from '../../ui/button-value.ts';
import { seconds } from '../../ui/text/moment.ts';
import type { WhyLeftOut } from './judge-ticked.ts';

/** What Slack has to be asked for the reasons has to fit into its three seconds. */
const MOST_WAIT_MS = 500;

/** Why a request isn't approved together with others; mrkdwn with escaped names. Never throws. */
export async function whyLeftOut(
  context: ListenerContext,
  { by, key }: { by: Person; key: TickedRequest },
  why: WhyLeftOut,
): Promise<string> {
  const say = await context.say();
  switch (why.kind) {
    case 'repeats':
      return say('batch.repeats', { round: why.round });
    case 'approved-before':
      return say('batch.approved-before');
    case 'refused': {
      const { refusal } = why;
      if (refusal.kind === 'too-soon') return say('batch.too-soon', { time: seconds(refusal.afterMs, say) });
      const isAskedAgain = refusal.kind === 'superseded' && refusal.by === 'newer-round';
      if (isAskedAgain || refusal.kind === 'other-text') return say('batch.other-text');
      const explained = explainRefusal(context, { you: by, value: approvalValue(key) }, refusal);
      const about = { log: context.log, about: { ref: key.ref } };
      return (await within(MOST_WAIT_MS, explained, about))?.text ?? say('batch.no-answer');
    }
  }
}
