import { stopFollowing } from '../../core/execution/follow.ts';
import { ok } from '../../core/result.ts';
import { tellRefusal } from '../approval/decision.ts';
import type { OnClick } from '../interaction/handlers.ts';
import { nothingToStopText } from './nothing-to-stop-text.ts';

export const onStopFollowing: OnClick = async (context, click, ack) => {
  const { value: ref, actor } = click;
  const changed = await context.store.change(ref, (execution, now) => ok(stopFollowing(execution, actor.person, now)));
  await ack();
  if (changed.kind === 'absent') return tellRefusal(context, click, { kind: 'unknown' });
  if (changed.kind === 'unchanged') {
    const name = await context.namesOf(changed.execution.unfollowed?.by);
    return context.answers.tell(click, 'Nothing was changed', nothingToStopText(changed.execution.unfollowed, name));
  }
  context.log.info({ ref, by: actor.person.id }, 'following was stopped');
  context.wake(ref);
};
