import { stopFollowing } from '../../core/execution/follow.ts';
import { ok } from '../../core/result.ts';
import { tell, tellNoLongerKnown } from '../interaction/answers.ts';
import type { OnClick } from '../interaction/handlers.ts';
import { nothingToStopText } from './nothing-to-stop-text.ts';

export const onStopFollowing: OnClick = async (context, click, ack) => {
  const { value: ref, actor } = click;
  const changed = await context.store.change(ref, (execution, now) => ok(stopFollowing(execution, actor.person, now)));
  await ack();
  if (changed.kind === 'absent') return tellNoLongerKnown(context, click);
  if (changed.kind === 'unchanged') {
    const { unfollowed } = changed.execution;
    const text = nothingToStopText(unfollowed, await context.namesOf(unfollowed?.by));
    return tell(context, click, { title: 'Nothing was changed', text });
  }
  context.log.info({ ref, by: actor.person.id }, 'stopped following');
  context.wake(ref);
};
