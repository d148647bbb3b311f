import { askApprovers } from '../../core/approval/alerts.ts';
import { tell } from '../interaction/answers.ts';
import { clickOf } from '../interaction/click.ts';
import type { ActionListener } from '../interaction/listeners.ts';
import { parseApprovalValue } from '../ui/button-value.ts';
import { changeRequest } from './change-request.ts';
import { explainRefusal } from './explain-refusal.ts';

/** Has those mentioned in the thread who can decide, on behalf of a person who can't. */
export const onAskApprovers: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const { person: by } = context;
  const asked = await changeRequest(context, {
    ...{ key: parseApprovalValue(click.value), by, action: 'ask-approvers' },
    transition: (execution, { approvalId, now, ...permission }) =>
      askApprovers(execution, approvalId, { by, ...permission }, now),
  });
  await ack();
  const say = await context.say();
  if (asked.ok) return tell(context, click, { title: say('ask.done-title'), text: say('ask.done') });
  const { text } = await explainRefusal(context, { you: by, value: click.value }, asked.refusal);
  await tell(context, click, { title: say('ask.failed-title'), text });
};
