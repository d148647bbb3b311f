import { stopFollowing, trackAgain } from '../../../core/execution/tracking.ts';
import type { Refusal } from '../../../core/policy/refusal.ts';
import type { Person } from '../../../core/state/approval.ts';
import { type Execution, hasEnded, starterOf } from '../../../core/state/execution.ts';
import type { Say } from '../../language/say.ts';
import { tell } from '../../listening/answers.ts';
import { type Click, clickOf } from '../../listening/click.ts';
import type { Ack, ActionListener, ListenerContext } from '../../listening/context.ts';
import { changeRequest } from '../../request/change-request.ts';
import { canAsk } from '../../request/denial.ts';
import { tellRefusal } from '../../request/refusal.ts';
import { type NameOf, nameIn } from '../../ui/person.ts';
import { slackDate } from '../../ui/text/moment.ts';

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
    key: { ref, approvalId: null },
    by,
    action,
    transition: (execution, { now, ...permission }) => {
      const result = transition(execution, { by, ...permission }, now);
      isChanged = result.ok && result.value !== execution;
      starter = starterOf(execution);
      return result;
    },
  });
  await ack();
  if (!changed.ok) return tellRefused(context, click, { refusal: changed.refusal, action, starter });
  if (isChanged) return;
  const [name, say] = await Promise.all([context.namesOf(changed.value.unfollowed?.by), context.say()]);
  await tell(context, click, { title: say('answer.no-change'), text: noTrackingChangeText(changed.value, name, say) });
}

/** Only people of the workspace learn who started the run. */
async function tellRefused(
  context: ListenerContext,
  click: Click,
  { refusal, action, starter }: { refusal: Refusal; action: Tracking['action']; starter: Person | null },
): Promise<void> {
  const denial = refusal.kind === 'denied' ? refusal.denial : null;
  // Where a denial is about what the person is or may do, it helps to say who may change this.
  const isAboutRights = denial && (canAsk(denial) || denial.kind === 'bot' || denial.kind === 'deactivated');
  if (!isAboutRights) return tellRefusal(context, click, { refusal, action });
  const account = await context.directory.account(context.person.id);
  const isInside = account !== null && !account.isStranger;
  const [name, say] = await Promise.all([isInside ? context.namesOf(starter) : null, context.say()]);
  const text = cannotChangeTrackingText(starter, name, say);
  await tell(context, click, { title: say(`refusal.cant-${action}`), text });
}

/** Why a person can't stop tracking a run, or track it again; mrkdwn with an escaped name. A `name` of null names nobody. */
export function cannotChangeTrackingText(starter: Person | null, name: NameOf | null, say: Say): string {
  if (!starter) return say('tracking.may-not-change-outside');
  return name === null
    ? say('tracking.may-not-change-starter')
    : say('tracking.may-not-change', { name: nameIn(name, starter) });
}

/** Why *Stop tracking for everyone* or *Track again* changed nothing; mrkdwn with escaped names. */
function noTrackingChangeText(execution: Execution, name: NameOf, say: Say): string {
  const { unfollowed } = execution;
  if (hasEnded(execution)) return say('tracking.ended');
  if (!unfollowed) return say('tracking.not-stopped');
  return say('tracking.already-stopped', { name: nameIn(name, unfollowed.by), when: slackDate(unfollowed.at, say) });
}
