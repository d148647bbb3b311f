import type { Person } from '../../core/approval/approval.ts';
import type { Refusal } from '../../core/approval/refusal.ts';
import { starterOf } from '../../core/execution/execution.ts';
import { stopFollowing } from '../../core/execution/follow.ts';
import { trackAgain } from '../../core/execution/track-again.ts';
import { changeRequest } from '../approval/change-request.ts';
import { tellRefusal } from '../approval/refused-click.ts';
import { tell } from '../interaction/answers.ts';
import { type Click, clickOf } from '../interaction/click.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { Ack, ActionListener } from '../interaction/listeners.ts';
import { cannotChangeTrackingText, isAboutRights } from './cannot-change-tracking-text.ts';
import { noTrackingChangeText } from './no-tracking-change-text.ts';

export const onStopFollowing: ActionListener = ({ ack, body, context }) =>
  changeTracking(context, clickOf(body), { ack, action: 'stop-following', transition: stopFollowing });

export const onTrackAgain: ActionListener = ({ ack, body, context }) =>
  changeTracking(context, clickOf(body), { ack, action: 'track-again', transition: trackAgain });

interface Tracking {
  ack: Ack;
  action: 'stop-following' | 'track-again';
  transition: typeof stopFollowing;
}

async function changeTracking(
  context: ListenerContext,
  click: Click,
  { ack, action, transition }: Tracking,
): Promise<void> {
  const { value: ref } = click;
  const by = context.person;
  let isChanged = false;
  let starter: Person | null = null;
  const changed = await changeRequest(context, {
    ...{ key: { ref, approvalId: null }, by, action },
    transition: (execution, { now, policy, facts }) => {
      const result = transition(execution, { by, policy, facts }, now);
      isChanged = result.ok && result.value !== execution;
      starter = starterOf(execution);
      return result;
    },
  });
  await ack();
  if (!changed.ok) return tellRefused(context, click, { refusal: changed.refusal, starter });
  if (isChanged) return;
  const [name, say] = await Promise.all([context.namesOf(changed.value.unfollowed?.by), context.say()]);
  await tell(context, click, { title: say('answer.no-change'), text: noTrackingChangeText(changed.value, name, say) });
}

/** Only people of the workspace learn who started the run. */
async function tellRefused(
  context: ListenerContext,
  click: Click,
  { refusal, starter }: { refusal: Refusal; starter: Person | null },
): Promise<void> {
  if (refusal.kind !== 'denied' || !isAboutRights(refusal.denial)) return tellRefusal(context, click, refusal);
  const account = await context.directory.account(context.person.id);
  const isInside = account !== null && !account.isStranger;
  const [name, say] = await Promise.all([isInside ? context.namesOf(starter) : null, context.say()]);
  await tell(context, click, { title: say('answer.no-change'), text: cannotChangeTrackingText(starter, name, say) });
}
