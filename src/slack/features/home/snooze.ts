// Puts a request off for the person who asks for it, and no longer.

import type { ModalView } from '@slack/types';
import type { OpenRequest } from '../../../core/inbox/snapshot.ts';
import { backAt, laterToday, tomorrowMorning, withoutSnoozes, withSnooze } from '../../../core/inbox/snooze.ts';
import type { Millis } from '../../../core/time.ts';
import { showModal, tell, tellNoLongerKnown } from '../../app/answers.ts';
import { type Click, clickOf } from '../../app/click.ts';
import type { ActionListener, ListenerContext, ViewListener } from '../../app/context.ts';
import type { Say } from '../../language/say.ts';
import { plain, section } from '../../ui/blocks.ts';
import { type ApprovalKey, approvalValue, instantIn, parseApprovalValue } from '../../ui/button-value.ts';
import { modal } from '../../ui/modal.ts';
import { duration } from '../../ui/text/moment.ts';
import { titleOf } from './request-lines.ts';
import { requestKey } from './selection.ts';
import { showChanged } from './show-again.ts';

export const onSnoozeToday: ActionListener = snoozeUntil(laterToday);

export const onSnoozeTomorrow: ActionListener = snoozeUntil(tomorrowMorning);

/** In UTC if Slack can't say where the person is: the list says until when, by their clock. */
function snoozeUntil(when: (now: Millis, timeZone: string) => Millis): ActionListener {
  return async ({ ack, body, context }) => {
    const click = clickOf(body);
    const timeZone = (await context.people.timeZoneOf(context.person.id)) ?? 'UTC';
    const now = Date.now();
    const request = await findWaiting(context, parseApprovalValue(click.value));
    const until = request && backAt(request, when(now, timeZone));
    if (request && until !== null && until > now) await store(context, request, until);
    await ack();
    if (!request) return tellNoLongerKnown(context, click);
    if (until === null || until <= now) return tellExpires(context, click, request);
    await showChanged(context, click);
  };
}

export const onSnoozeUntil: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const request = await findWaiting(context, parseApprovalValue(click.value));
  await ack();
  if (!request) return tellNoLongerKnown(context, click);
  const now = Date.now();
  if (backAt(request, Number.POSITIVE_INFINITY) <= now) return tellExpires(context, click, request);
  const timeZone = (await context.people.timeZoneOf(context.person.id)) ?? 'UTC';
  await showModal(context, click, snoozeModal(request, tomorrowMorning(now, timeZone), await context.say()));
};

export const onSnoozed: ViewListener = async ({ ack, context, view }) => {
  const request = await findWaiting(context, parseApprovalValue(view.private_metadata));
  const [until, now, say] = [instantIn(view.state.values, UNTIL), Date.now(), await context.say()];
  if (until === null || until <= now)
    return ack({ response_action: 'errors', errors: { [UNTIL]: say('home.snooze-past') } });
  if (request) await store(context, request, until);
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

/** Null if it doesn't wait for the person who clicked. Throws `StoreUnavailable`: don't ack then. */
async function findWaiting(
  { inbox, person }: Pick<ListenerContext, 'inbox' | 'person'>,
  key: ApprovalKey | null,
): Promise<OpenRequest | null> {
  const { waiting } = await inbox.of(person.id);
  const found = waiting.find(({ request }) => request.run.ref === key?.ref && request.approvalId === key.approvalId);
  return found?.request ?? null;
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

async function tellExpires(context: ListenerContext, click: Click, { expireAt }: OpenRequest): Promise<void> {
  const say = await context.say();
  const left = duration((expireAt ?? 0) - Date.now(), say);
  await tell(context, click, { title: say('home.snooze-title'), text: say('home.snooze-expires', { duration: left }) });
}

const UNTIL = 'until';

/** Asks until when. Its `private_metadata` is read by `parseApprovalValue`. */
export function snoozeModal(request: OpenRequest, proposed: Millis, say: Say): ModalView {
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
