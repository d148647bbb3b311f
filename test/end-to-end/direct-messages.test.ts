import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PersonSettings, USUAL_SETTINGS } from '../../src/core/inbox/person-settings.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import { storeSettings } from '../support/person-settings.ts';
import { type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';

const APPROVERS = ['UJON00002', 'UAIKO0003', 'UPRIYA004'];

let world: PolicyWorld;

const as = (handle: string) => world.slack.as(handle);
const directly = (handle: string, crew: string) => as(handle).sees('Signoff', new RegExp(`^.*\\b${crew}\\b`, 's'));

beforeAll(async () => {
  world = await startPolicyWorld({
    crews: {
      telling: { approvers: ['UJON00002', '@legal'] },
      asked: { approvers: APPROVERS },
      lasting: { approvers: APPROVERS, undo: '10m' },
      threaded: { approvers: ['UJON00002'] },
    },
    more: { telling: { notify: 'dm' }, threaded: { broadcast: false } },
  });
  const atOnce: PersonSettings = { ...USUAL_SETTINGS, tell: { kind: 'at-once' } };
  await storeSettings(world.env(0).REDIS_URL ?? '', { UJON00002: atOnce, UPRIYA004: atOnce });
  // A bot that already runs may learn of it some seconds later.
  await world.restart();
});
afterAll(() => world.stop());

const textOf = (message: Message) => JSON.stringify([message.text, message.blocks]);

it('a crew keeps its cards in the thread, where they mention people all the same', async () => {
  const run = await world.run('threaded');
  expect(run.card.broadcast).toBe(false);
  const shown = (await as('jon').channel('#releases')).map(({ ts }) => ts);
  expect(shown).toContain(run.root.ts);
  expect(shown).not.toContain(run.card.ts);
  expect(run.repliesWith('Approval needed')).toMatchObject([{ notified: ['UJON00002', 'UMARIA001'] }]);
  await as('jon').click('Approve', { in: run.card });
  expect(await run.told()).toEqual(['approved: Approved.']);
});

it('a crew’s people hear of a request by direct message, and decide it there', async () => {
  const run = await world.run('telling');
  const [jons, priyas] = [await directly('jon', 'telling'), await directly('priya', 'telling')];
  expect(run.replies().flatMap(({ notified }) => notified)).toEqual([]);
  await as('jon').click('Who can decide?', { in: jons });
  await as('jon').seesModal('You can decide this');
  await as('jon').closeModal();
  await as('jon').click('Reject…', { in: jons });
  await as('jon').fill('What should change?', 'Mention oolong.');
  await as('jon').submit();
  await run.shows('Jon Bell rejected');
  const line = await as('priya').seesChanged(priyas, 'Jon Bell rejected');
  expect(textOf(line)).toMatch(/Open the thread/);
  expect(textOf(line)).not.toContain('action_id');
  expect(textOf(await as('jon').seesChanged(jons, 'Sent to the crew'))).toContain('Mention oolong.');
  expect(await run.repliesWith('Sent to the crew')).toHaveLength(1);
  const again = await as('priya').sees('Signoff', /telling.*Changed since round 1.*\[Compare\]\n[−+↕] /s);
  await as('priya').click('Approve', { in: again });
  expect(await run.told()).toEqual(['rejected: Mention oolong.', 'approved: Approved.']);
});

it('people who want to be told at once decide in the thread or directly, and others get no direct message', async () => {
  const run = await world.run('asked');
  const [jons, priyas] = [await directly('jon', 'asked'), await directly('priya', 'asked')];
  await as('jon').click('Approve', { in: run.card });
  await run.shows('Jon Bell approved');
  expect(textOf(await as('priya').seesChanged(priyas, 'Jon Bell approved'))).not.toContain('action_id');
  await as('jon').seesChanged(jons, 'Sent to the crew');
  expect(await run.told()).toEqual(['approved: Approved.']);
  expect((await as('aiko').snapshot()).channels.map(({ name }) => name)).not.toContain('Signoff');
});

it('A request that is approved directly is undone directly, and then waits in all places again', async () => {
  const run = await world.run('lasting');
  const [jons, priyas] = [await directly('jon', 'lasting'), await directly('priya', 'lasting')];
  await as('jon').click('Approve', { in: jons });
  await as('priya').seesChanged(priyas, 'Jon Bell approved');
  await as('jon').click('Undo', { in: await as('jon').seesChanged(jons, 'Undo') });
  await run.shows('Reject…');
  await as('jon').seesChanged(jons, 'Reject…');
  await as('priya').click('Approve', { in: await as('priya').seesChanged(priyas, 'Reject…') });
  expect(textOf(await as('jon').seesChanged(jons, 'Priya Nair approved'))).not.toContain('action_id');
  expect(await run.repliesWith('Priya Nair approved')).toHaveLength(1);
});
