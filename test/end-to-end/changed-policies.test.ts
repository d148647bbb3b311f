import { afterAll, beforeAll, expect, it } from 'vitest';
import { modalText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { CHANNEL, type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';

let world: PolicyWorld;

beforeAll(async () => {
  world = await startPolicyWorld({
    crews: {
      strict: {},
      noted: {},
      pair: { quorum: 2 },
      soon: { remind_after: '1s' },
      working: { expire_after: '1s' },
      endless: {},
    },
    more: { working: { hours: hoursThatAreOver() } },
  });
});
afterAll(() => world.stop());

const as = (handle: string) => world.slack.as(handle);
const ONLY_JON = { approvers: ['UJON00002'] };

it('after a restart with other rules, what was opened before follows them: cards, timers, windows and forms', async () => {
  const [strict, noted, pair] = [await world.run('strict'), await world.run('noted'), await world.run('pair')];
  const endless = await world.run('endless');
  await as('aiko').click('Approve', { in: pair.card });
  await pair.shows('1 of 2 approved: Aiko Tanaka');
  await as('maria').click('Reject…', { in: strict.card });
  await as('maria').fill('What should change?', 'Carefully typed.');
  await as('priya').click('Approve with note…', { in: noted.card });
  await as('priya').fill('Note for the crew', 'A note.');
  await as('aiko').command(CHANNEL, '/kickoff strict');
  await as('aiko').fill('topic', 'tea');
  const started = await startsOf('strict');
  const before = world.slack.calls().at(-1)?.seq ?? 0;
  await world.restart({
    strict: { approval: ONLY_JON, starters: ['UJON00002'] },
    noted: { approval: ONLY_JON },
    pair: { approval: { quorum: 2, approvers: ['UJON00002', 'UPRIYA004'] } },
    endless: { approval: { expire_after: '1s' } },
  });

  await strict.shows('Jon Bell can decide');
  await pair.shows('☑️ 1 of 2 approved: Aiko Tanaka · still needs 1 of Jon Bell and Priya Nair');
  await endless.shows('Nobody decided in time');
  const updates = world.slack.calls().filter(({ seq, name }) => seq > before && name === 'chat.update');
  const ofStrict = updates
    .map(({ request }) => JSON.stringify(request))
    .filter((each) => each.includes(strict.card.ts));
  expect(ofStrict.filter((each) => each.includes('Jon Bell can decide'))).toHaveLength(1);

  await as('maria').submit();
  const refused = modalText(
    await as('maria').seesModal('You aren’t allowed to decide this. Who can decide: Jon Bell.'),
  );
  expect(refused).toContain('Carefully typed.');
  await as('priya').submit();
  expect(modalText(await as('priya').seesModal('Who can decide: Jon Bell.'))).toContain('A note.');
  await as('priya').closeModal();
  await as('aiko').submit();
  await as('aiko').seesModal('You aren’t allowed to start *strict*.');
  expect(await startsOf('strict')).toBe(started);
  expect([await strict.toldSoFar(), await noted.toldSoFar()]).toEqual([[], []]);

  for (const { card } of [strict, noted, pair]) await as('jon').click('Approve', { in: card });
  await pair.shows(/☑️ 1 of 2 approved: Jon Bell · still needs .*Priya Nair/);
  await as('priya').click('Approve', { in: pair.card });
  await pair.shows('Jon Bell and Priya Nair approved');
  for (const run of [strict, noted, pair]) expect(await run.told()).toEqual(['approved: Approved.']);

  await as('priya').click('Run again', { in: strict.root });
  await as('priya').seesModal('You aren’t allowed to start *strict*');
  expect(await startsOf('strict')).toBe(started);
});

it('outside working hours, nothing expires', async () => {
  const [working, soon] = [await world.run('working'), await world.run('soon')];
  await expect.poll(() => soon.repliesWith('has been waiting for approval').length).toBeGreaterThan(1);
  await as('jon').click('Approve', { in: working.card });
  expect(await working.told()).toEqual(['approved: Approved.']);
});

const startsOf = async (crew: string) => (await world.crews.sandbox.runs()).filter((run) => run.crew === crew).length;

/** A weekday that isn't today anywhere. */
function hoursThatAreOver(): string {
  const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
  return `${days[(new Date().getUTCDay() + 3) % 7]} 09:00-17:00 Europe/Berlin`;
}
