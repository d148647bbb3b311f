// Puts a request off for the person who asks for it, and no longer.

import type { ViewOutput } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { type Refusal, whyClosed } from '../../../core/approval/permission.ts';
import { findApproval } from '../../../core/execution/execution.ts';
import { type OpenRequest, summaryOf } from '../../../core/inbox/snapshot.ts';
import { backAt, laterToday, tomorrowMorning, withoutSnoozes, withSnooze } from '../../../core/inbox/snooze.ts';
import { ok, type Result, refuse } from '../../../core/result.ts';
import type { Millis } from '../../../core/time.ts';
import { showModal, tell } from '../../app/answers.ts';
import { type Click, clickOf } from '../../app/click.ts';
import type { ActionListener, ListenerContext, ViewAnswer, ViewListener } from '../../app/context.ts';
import { showInstead } from '../../app/modals.ts';
import type { Say } from '../../language/say.ts';
import { plain, section } from '../../ui/blocks.ts';
import { type ApprovalKey, approvalValue, instantIn, parseApprovalValue } from '../../ui/button-value.ts';
import { answerModal, modal } from '../../ui/modal.ts';
import { duration } from '../../ui/text/moment.ts';
import { refusalAnswer, tellRefusal } from '../approval/refusal.ts';
import { titleOf } from './request-lines.ts';
import { requestKey } from './selection.ts';
import { showChanged } from './show-again.ts';

export const onSnoozeToday: ActionListener = snoozeUntil(laterToday);

export const onSnoozeTomorrow: ActionListener = snoozeUntil(tomorrowMorning);

function snoozeUntil(when: (now: Millis, timeZone: string) => Millis): ActionListener {
  return async ({ ack, body, context }) => {
    const click = clickOf(body);
    const found = await findSnoozable(context, parseApprovalValue(click.value));
    if (found.ok) await store(context, found.value, when(Date.now(), await timeZoneOf(context)));
    await ack();
    if (found.ok) await showChanged(context, click);
    else await tellWhyNot(context, click, found.refusal);
  };
}

export const onSnoozeUntil: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const found = await findSnoozable(context, parseApprovalValue(click.value));
  await ack();
  if (!found.ok) return tellWhyNot(context, click, found.refusal);
  const proposed = tomorrowMorning(Date.now(), await timeZoneOf(context));
  await showModal(context, click, snoozeModal(found.value, proposed, await context.say()));
};

export const onSnoozed: ViewListener = async ({ ack, context, view }) => {
  const found = await findSnoozable(context, parseApprovalValue(view.private_metadata));
  if (!found.ok) return ack(await whyNotAnswer(context, view, found.refusal));
  const until = instantIn(view.state.values, UNTIL);
  if (until === null || until <= Date.now()) {
    const say = await context.say();
    return ack({ response_action: 'errors', errors: { [UNTIL]: say('home.snooze-past') } });
  }
  await store(context, found.value, until);
  await ack();
  context.home.showAgain(context.person.id);
};

export const onWake: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const key = parseApprovalValue(click.value);
  if (key)
    await context.personSettings.change(context.person.id, (settings) => ({
      ...settings,
      snoozed: withoutSnoozes(settings.snoozed, [key]),
    }));
  await ack();
  await showChanged(context, click);
};

/** Why a request can't be put off. */
type Unsnoozable = Refusal | { kind: 'expires-soon'; leftMs: Millis };

/**
 * The request itself is asked, since lists may be seconds older than the Home that was clicked. Throws `StoreUnavailable`: don't
 * ack then.
 */
async function findSnoozable(
  { store }: Pick<ListenerContext, 'store'>,
  key: ApprovalKey | null,
): Promise<Result<OpenRequest, Unsnoozable>> {
  const found = key && (await store.load(key.ref));
  const approval = found && findApproval(found.execution, key.approvalId);
  if (!approval) return refuse({ kind: 'unknown' });
  const request = summaryOf(found.execution).requests.find(({ approvalId }) => approvalId === approval.id);
  if (!request) return refuse(whyClosed(approval) ?? { kind: 'unknown' });
  const { expireAt } = request;
  const isBackAtOnce = backAt(request, Number.POSITIVE_INFINITY) <= found.now;
  return expireAt !== null && isBackAtOnce
    ? refuse({ kind: 'expires-soon', leftMs: expireAt - found.now })
    : ok(request);
}

/** In UTC if Slack can't say where the person is: the list says until when, by their clock. */
async function timeZoneOf({ people, person }: Pick<ListenerContext, 'people' | 'person'>): Promise<string> {
  return (await people.timeZoneOf(person.id)) ?? 'UTC';
}

async function store(
  { personSettings, person }: Pick<ListenerContext, 'personSettings' | 'person'>,
  { run: { ref }, approvalId }: OpenRequest,
  until: Millis,
): Promise<void> {
  await personSettings.change(person.id, (settings, now) => ({
    ...settings,
    snoozed: withSnooze(settings.snoozed, { ref, approvalId, until }, now),
  }));
}

async function tellWhyNot(context: ListenerContext, click: Click, why: Unsnoozable): Promise<void> {
  if (why.kind === 'expires-soon') await tell(context, click, expiresSoon(why.leftMs, await context.say()));
  else await tellRefusal(context, click, { refusal: why, action: 'do' });
}

/** The same in place of the form. */
async function whyNotAnswer(context: ListenerContext, view: ViewOutput, why: Unsnoozable): Promise<ViewAnswer> {
  if (why.kind !== 'expires-soon') return refusalAnswer(context, view, { refusal: why, action: 'do', typed: null });
  const say = await context.say();
  return showInstead(view, answerModal(say, expiresSoon(why.leftMs, say)));
}

function expiresSoon(leftMs: Millis, say: Say): { title: string; text: string } {
  return { title: say('home.snooze-title'), text: say('home.snooze-expires', { duration: duration(leftMs, say) }) };
}

const UNTIL = 'until';

/** Asks until when. Its `private_metadata` is read by `parseApprovalValue`. */
function snoozeModal(request: OpenRequest, proposed: Millis, say: Say): ModalView {
  return modal({
    callbackId: 'snooze_until',
    title: say('home.snooze-title'),
    submit: say('home.snooze-submit'),
    close: say('modal.cancel'),
    metadata: approvalValue(requestKey(request)),
    blocks: [
      section(titleOf(request, say)),
      {
        type: 'input',
        block_id: UNTIL,
        label: plain(say('home.snooze-label')),
        hint: plain(say('home.snooze-hint')),
        // In the time zone of the person: https://docs.slack.dev/reference/block-kit/block-elements/datetime-picker-element
        element: { type: 'datetimepicker', action_id: UNTIL, initial_date_time: Math.floor(proposed / 1_000) },
      },
    ],
  });
}
