import type { ModalView } from '@slack/types';
import { stopFollowing, trackAgain } from '../../../core/execution/tracking.ts';
import type { Refusal } from '../../../core/policy/refusal.ts';
import type { Person } from '../../../core/state/approval.ts';
import { type Execution, hasEnded, starterOf } from '../../../core/state/execution.ts';
import { ok, type Result } from '../../../core/values/result.ts';
import type { Say } from '../../language/say.ts';
import { showModal, tell } from '../../listening/answers.ts';
import { clickOf } from '../../listening/click.ts';
import type { ActionListener, ListenerContext, ViewListener } from '../../listening/context.ts';
import { showInstead } from '../../listening/modals.ts';
import { changeRequest } from '../../request/change-request.ts';
import { canAsk } from '../../request/denial.ts';
import { explainRefusal, refusalTitle } from '../../request/refusal.ts';
import { section } from '../../ui/blocks.ts';
import { answerModal, modal } from '../../ui/modal.ts';
import { type NameOf, nameIn } from '../../ui/person.ts';
import { escapedLine } from '../../ui/text/escape.ts';
import { slackDate } from '../../ui/text/moment.ts';

/**
 * Opens the window that asks whether to stop: Slack's own question would be about all entries of the menu. Buttons in old messages
 * ask both questions.
 */
export const onStopFollowing: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const asked = await changeTracking(context, click.value, { ...STOP, stores: 'nothing' });
  await ack();
  if (asked.stored.ok && asked.makesDifference)
    return showModal(context, click, stopModal(asked.stored.value, await context.say()));
  await tell(context, click, await whyUnchanged(context, asked, click.value));
};

export const onStopConfirmed: ViewListener = async ({ ack, context, view }) => {
  const ref = view.private_metadata;
  const stopped = await changeTracking(context, ref, STOP);
  if (stopped.makesDifference) return ack();
  const answer = await whyUnchanged(context, stopped, ref);
  await ack(showInstead(view, answerModal(await context.say(), answer)));
};

export const onTrackAgain: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const tracked = await changeTracking(context, click.value, TRACK_AGAIN);
  await ack();
  if (!tracked.makesDifference) await tell(context, click, await whyUnchanged(context, tracked, click.value));
};

interface Tracking {
  action: 'stop-following' | 'track-again';
  transition: typeof stopFollowing;
  /** Default: the change. `nothing`: it is only asked whether the person may make it. */
  stores?: 'nothing';
}

const STOP: Tracking = { action: 'stop-following', transition: stopFollowing };
const TRACK_AGAIN: Tracking = { action: 'track-again', transition: trackAgain };

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

/** Asks before a run is no longer tracked. Its `private_metadata` is the ref. */
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

/** Only people of the workspace learn who started the run. */
async function whyUnchanged(
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
  // Where a denial is about what the person is or may do, it helps to say who may change this.
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

/** Why a person can't stop tracking a run, or track it again; mrkdwn with an escaped name. A `name` of null names nobody. */
export function cannotChangeTrackingText(starter: Person | null, name: NameOf | null, say: Say): string {
  if (!starter) return say('tracking.may-not-change-outside');
  return name === null
    ? say('tracking.may-not-change-starter')
    : say('tracking.may-not-change', { name: nameIn(name, starter) });
}

/** Why *Stop tracking* or *Track again* changed nothing; mrkdwn with escaped names. */
function noTrackingChangeText(execution: Execution, name: NameOf, say: Say): string {
  const { unfollowed } = execution;
  if (hasEnded(execution)) return say('tracking.ended');
  if (!unfollowed) return say('tracking.not-stopped');
  return say('tracking.already-stopped', { name: nameIn(name, unfollowed.by), when: slackDate(unfollowed.at, say) });
}
