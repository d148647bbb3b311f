import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { parseApprover } from '../../../../src/core/approval/policy/policy.ts';
import { withApproval } from '../../../../src/core/execution/execution.ts';
import { USUAL_SETTINGS } from '../../../../src/core/inbox/person-settings.ts';
import { ok } from '../../../../src/core/result.ts';
import { HOUR_MS } from '../../../../src/core/time.ts';
import { modalText } from '../../../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../../../src/sandbox/slack-workspace/people-api.ts';
import { approvalValue } from '../../../../src/slack/ui/button-value.ts';
import { type ApprovalWorld, MARIA, startApprovalWorld } from '../approval/approval-world.ts';

let world: ApprovalWorld;
beforeAll(async () => {
  world = await startApprovalWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.groups.canTell = 'now';
  await world.settings(MARIA, () => USUAL_SETTINGS);
});

const maria = () => world.slack.as('maria');
const MANAGERS = ['@release-managers'].map(parseApprover).filter((each) => each !== null);

const WAYS = ['snooze_today', 'snooze_tomorrow', 'snooze_until'] as const;
type Way = (typeof WAYS)[number];

const offerOf = (ref: string, way: Way): Promise<Message> =>
  world.offers(way, { label: 'Snooze', value: approvalValue({ ref, approvalId: '1', hash: null }) });

/** When `snooze_until` asks until when, it gets the answer. */
async function snooze(offer: Message, way: Way): Promise<void> {
  await maria().click('Snooze', { in: offer });
  if (way !== 'snooze_until') return;
  await maria().fill('Until', new Date(Date.now() + 48 * HOUR_MS).toISOString());
  await maria().submit();
}

const snoozed = async () => (await world.settings(MARIA, (same) => same)).snoozed;

it.each(WAYS)('%s takes what waits, whatever the lists know of it by now', async (way) => {
  const { ref } = await world.asks({ approvers: MANAGERS });
  const offer = await offerOf(ref, way);
  world.groups.canTell = 'later';
  await snooze(offer, way);
  expect(await maria().modal()).toBeUndefined();
  expect(await snoozed()).toEqual([{ ref, approvalId: '1', until: expect.any(Number) }]);
});

it.each(['snooze_tomorrow', 'snooze_until'] as const)('%s keeps the time, however soon it expires', async (way) => {
  const { ref } = await world.asks({ expireAfterMs: HOUR_MS + 60_000 });
  await snooze(await offerOf(ref, way), way);
  const [only] = await snoozed();
  expect(only?.until).toBeGreaterThan((await world.approvalOf(ref)).times.expireAt ?? Number.NaN);
});

it.each(WAYS)('%s says why a request is not put off that expires within the hour', async (way) => {
  const { ref } = await world.asks({ expireAfterMs: HOUR_MS - 60_000 });
  await maria().click('Snooze', { in: await offerOf(ref, way) });
  expect(modalText(await maria().seesModal(/^Snooze/))).toMatch(
    /This expires in 5\d min(?: \d+ s)?, so it isn’t snoozed\./,
  );
  await maria().closeModal();
  expect(await snoozed()).toEqual([]);
});

it.each(WAYS)('%s says what has become of a request that others have decided', async (way) => {
  const { ref, card } = await world.asks({});
  const offer = await offerOf(ref, way);
  await world.slack.as('jon').click('Approve', { in: card });
  await maria().click('Snooze', { in: offer });
  await maria().seesModal('Jon Bell already approved this');
  await maria().closeModal();
  expect(await snoozed()).toEqual([]);
});

it('says both in the window that asks until when, too', async () => {
  const [decided, expiring] = [await world.asks({}), await world.asks({ expireAfterMs: 2 * HOUR_MS })];
  await maria().click('Snooze', { in: await offerOf(decided.ref, 'snooze_until') });
  await world.slack.as('jon').click('Approve', { in: decided.card });
  await maria().submit();
  await maria().seesModal('Jon Bell already approved this');
  await maria().closeModal();

  await maria().click('Snooze', { in: await offerOf(expiring.ref, 'snooze_until') });
  const approval = await world.approvalOf(expiring.ref);
  const times = { ...approval.times, expireAt: Date.now() + HOUR_MS / 2 };
  await world.store.change(expiring.ref, (run) => ok(withApproval(run, { ...approval, times })));
  await maria().submit();
  await maria().seesModal(/This expires in \d+ min(?: \d+ s)?, so it isn’t snoozed\./);
  await maria().closeModal();
  expect(await snoozed()).toEqual([]);
});
