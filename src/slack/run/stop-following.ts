import { stopFollowing } from '../../core/execution/follow.ts';
import { changeRequest } from '../approval/change-request.ts';
import { tellRefusal } from '../approval/refused-click.ts';
import { tell } from '../interaction/answers.ts';
import type { OnClick } from '../interaction/handlers.ts';
import { nothingToStopText } from './nothing-to-stop-text.ts';

export const onStopFollowing: OnClick = async (context, click, ack) => {
  const { value: ref, actor } = click;
  const by = actor.person;
  let isChanged = false;
  const changed = await changeRequest(context, {
    ...{ key: { ref, approvalId: null }, by, action: 'stop-following' },
    transition: (execution, { now, policy, facts }) => {
      const stopped = stopFollowing(execution, { by, policy, facts }, now);
      isChanged = stopped.ok && stopped.value !== execution;
      return stopped;
    },
  });
  await ack();
  if (!changed.ok) return tellRefusal(context, click, changed.refusal);
  if (isChanged) return;
  const { unfollowed } = changed.value;
  const text = nothingToStopText(unfollowed, await context.namesOf(unfollowed?.by));
  await tell(context, click, { title: 'Nothing was changed', text });
};
