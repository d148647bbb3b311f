// Listeners for *Stop tracking* and *Track again*.
import type { ModalView } from '@slack/types';
import { stopFollowing, trackAgain } from '../../../core/execution/tracking.ts';
import type { Refusal } from '../../../core/policy/refusal.ts';
import { type Execution, hasEnded, starterOf } from '../../../core/state/execution.ts';
import type { Person } from '../../../core/state/request.ts';
import { ok, type Result } from '../../../core/values/result.ts';
import type { Say } from '../../language/say.ts';
import { answerClick, showModal } from '../../listening/answers.ts';
import { clickOf } from '../../listening/click.ts';
import type { ActionListener, ListenerContext, ViewListener } from '../../listening/context.ts';
import { answerInPlace } from '../../listening/modals.ts';
import { changeRequest } from '../../request/change-request.ts';
import { canAsk } from '../../request/denial.ts';
import { explainRefusal, refusalTitle } from '../../request/refusal.ts';
import { section } from '../../ui/blocks.ts';
import { answerModal, modal } from '../../ui/modal.ts';
import { type NameOf, nameIn } from '../../ui/person.ts';
import { escapedLine } from '../../ui/text/escape.ts';
import { slackDate } from '../../ui/text/moment.ts';

/** Opens a window with the question, because Slack's own question would be about all entries of the menu. */
export const onStopFollowing: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const outcome = await changeTracking(context, click.value, { ...STOP, stores: 'nothing' });
  await ack();
  if (outcome.stored.ok && outcome.makesDifference)
    return showModal(context, click, stopModal(outcome.stored.value, await context.say()));
  await answerClick(context, click, await reasonUnchanged(context, outcome, click.value));
};

export const onStopConfirmed: ViewListener = async ({ ack, context, view }) => {
  const ref = view.private_metadata;
  const outcome = await changeTracking(context, ref, STOP);
  if (outcome.makesDifference) return ack();
  const answer = await reasonUnchanged(context, outcome, ref);
  await ack(answerInPlace(view, answerModal(await context.say(), answer)));
};

export const onTrackAgain: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const outcome = await changeTracking(context, click.value, { action: 'track-again', transition: trackAgain });
  await ack();
  if (!outcome.makesDifference) await answerClick(context, click, await reasonUnchanged(context, outcome, click.value));
};

interface Tracking {
  action: 'stop-following' | 'track-again';
  transition: typeof stopFollowing;
  /** `nothing`: only finds out whether the person may make the change. Default: stores the change. */
  stores?: 'nothing';
}

const STOP: Tracking = { action: 'stop-following', transition: stopFollowing };

interface Outcome extends Pick<Tracking, 'action'> {
  stored: Result<Execution, Refusal>;
  makesDifference: boolean;
  starter: Person | null;
}

/** Throws when it can't be stored: don't ack then. */
async function changeTracking(
  context: ListenerContext,
  ref: string,
  { action, transition, stores }: Tracking,
): Promise<Outcome> {
  const by = context.person;
  let makesDifference = false;
  let starter: Person | null = null;
  const stored = await changeRequest(context, {
    key: { ref, approvalId: null },
    by,
    action,
    transition: (execution, { now, ...permission }) => {
      const result = transition(execution, { by, ...permission }, now);
      makesDifference = result.ok && result.value !== execution;
      starter = starterOf(execution);
      return result.ok && stores === 'nothing' ? ok(execution) : result;
    },
  });
  return { action, stored, makesDifference, starter };
}

/** Asks before we stop tracking a run. Its `private_metadata` is the ref. */
function stopModal({ ref, crew }: Execution, say: Say): ModalView {
  return modal(say, {
    callbackId: 'stop_following',
    title: say('tracking.confirm-title'),
    submit: say('tracking.confirm-yes'),
    close: say('tracking.confirm-no'),
    metadata: ref,
    blocks: [section(say('tracking.confirm', { crew: escapedLine(crew, 80) }))],
  });
}

/** Says why nothing changed. Only people of the workspace learn who started the run. */
async function reasonUnchanged(
  context: ListenerContext,
  { action, stored, starter }: Outcome,
  ref: string,
): Promise<{ title: string; text: string }> {
  const say = await context.say();
  if (stored.ok) {
    const name = await context.namesOf(stored.value.unfollowed?.by);
    return { title: say('answer.no-change'), text: noTrackingChangeText(stored.value, name, say) };
  }
  const { refusal } = stored;
  const title = refusalTitle({ refusal, action }, say);
  const denial = refusal.kind === 'denied' ? refusal.denial : null;
  // If the denial is about the person's rights, it helps to say who may change this.
  const isAboutRights = denial && (canAsk(denial) || denial.kind === 'bot' || denial.kind === 'deactivated');
  if (!isAboutRights) {
    const { text } = await explainRefusal(context, ref, refusal);
    return { title, text };
  }
  const account = await context.directory.account(context.person.id);
  const isInside = account !== null && !account.isStranger;
  const name = isInside ? await context.namesOf(starter) : null;
  return { title, text: cannotChangeTrackingText(starter, name, say) };
}

/** Says why a person can't change the tracking of a run. Mrkdwn with an escaped name. `name`: null to name nobody. */
export function cannotChangeTrackingText(starter: Person | null, name: NameOf | null, say: Say): string {
  if (!starter) return say('tracking.may-not-change-outside');
  return name === null
    ? say('tracking.may-not-change-starter')
    : say('tracking.may-not-change', { name: nameIn(name, starter) });
}

/** Says why *Stop tracking* or *Track again* changed nothing. Mrkdwn with escaped names. */
function noTrackingChangeText(execution: Execution, name: NameOf, say: Say): string {
  const { unfollowed } = execution;
  if (hasEnded(execution)) return say('tracking.ended');
  if (!unfollowed) return say('tracking.not-stopped');
  return say('tracking.already-stopped', { name: nameIn(name, unfollowed.by), when: slackDate(unfollowed.at, say) });
}
