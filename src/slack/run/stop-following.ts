import type { Person } from '../../core/approval/approval.ts';
import type { Refusal } from '../../core/approval/refusal.ts';
import { starterOf } from '../../core/execution/execution.ts';
import { stopFollowing } from '../../core/execution/follow.ts';
import { changeRequest } from '../approval/change-request.ts';
import { tellRefusal } from '../approval/refused-click.ts';
import { tell } from '../interaction/answers.ts';
import type { Click } from '../interaction/click.ts';
import type { OnClick } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { cannotStopText, isAboutRights } from './cannot-stop-text.ts';
import { nothingToStopText } from './nothing-to-stop-text.ts';

export const onStopFollowing: OnClick = async (context, click, ack) => {
  const { value: ref, actor } = click;
  const by = actor.person;
  let isChanged = false;
  let starter: Person | null = null;
  const changed = await changeRequest(context, {
    ...{ key: { ref, approvalId: null }, by, action: 'stop-following' },
    transition: (execution, { now, policy, facts }) => {
      const stopped = stopFollowing(execution, { by, policy, facts }, now);
      isChanged = stopped.ok && stopped.value !== execution;
      starter = starterOf(execution);
      return stopped;
    },
  });
  await ack();
  if (!changed.ok) return tellRefused(context, click, { refusal: changed.refusal, starter });
  if (isChanged) return;
  const { unfollowed } = changed.value;
  const [name, say] = await Promise.all([context.namesOf(unfollowed?.by), context.say()]);
  await tell(context, click, { title: say('answer.no-change'), text: nothingToStopText(unfollowed, name, say) });
};

/** Only people of the workspace learn who started the run. */
async function tellRefused(
  context: ListenerContext,
  click: Click,
  { refusal, starter }: { refusal: Refusal; starter: Person | null },
): Promise<void> {
  if (refusal.kind !== 'denied' || !isAboutRights(refusal.denial)) return tellRefusal(context, click, refusal);
  const account = await context.directory.account(click.actor.person.id);
  const isInside = account !== null && !account.isStranger;
  const [name, say] = await Promise.all([isInside ? context.namesOf(starter) : null, context.say()]);
  await tell(context, click, { title: say('answer.no-change'), text: cannotStopText(starter, name, say) });
}
