import { answerTo, claimAnswer, settleAnswer } from '../core/messages/private-answers.ts';
import { change } from './change.ts';
import type { MessagePorts } from './slack-messages.ts';

/** Tries again to answer a person privately. Slack may have taken an earlier try, so that they may see it twice. */
export async function tellPrivately(
  { store, thread, log }: Pick<MessagePorts, 'store' | 'thread' | 'log'>,
  ref: string,
  to: string,
): Promise<void> {
  const claimed = await change(store, ref, (execution, now) => claimAnswer(execution, to, now));
  if (!claimed) return;
  const answer = answerTo(claimed, to);
  if (!answer) return log.warn({ ref, to }, 'gave up a private answer that Slack did not take for a minute');
  const outcome = await thread.tell(answer);
  await change(store, ref, (execution, now) => settleAnswer(execution, answer, outcome, now));
}
