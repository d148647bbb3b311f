import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { USUAL_SETTINGS } from '../../src/core/inbox/person-settings.ts';
import { allIn } from '../../src/sandbox/slack-workspace/driver/find-in-snapshot.ts';
import { modalText, visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { FollowedRun } from '../support/followed-run.ts';
import { storeSettings } from '../support/person-settings.ts';
import { CHANNEL, type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

let world: PolicyWorld;

beforeAll(async () => {
  world = await startPolicyWorld({
    crews: {
      jons: { approvers: ['UJON00002'], delegation: 'anyone' },
      duo: { approvers: ['@duo'], delegation: 'anyone' },
      pair: { approvers: ['UJON00002', 'UMARIA001'], quorum: 2, delegation: 'anyone' },
    },
    groups: { duo: ['jon', 'maria'] },
    bot: { lookEveryMs: 200 },
  });
});
afterEach(async () => {
  world.slack.faults.clear();
  world.slack.admin.reactivate('jon');
  world.slack.admin.setGroupMembers('duo', ['jon', 'maria']);
  await storeSettings(world.env(0).REDIS_URL ?? '', { UJON00002: USUAL_SETTINGS });
  await world.restart();
});
afterAll(() => world.stop());

const as = (handle: string) => world.slack.as(handle);

/** Jon is away for days, and Aiko stands in. */
async function isAway(): Promise<void> {
  await as('jon').openHome();
  await as('jon').click('Settings…', { in: 'home' });
  await as('jon').fill('Away until', inDays(3));
  await as('jon').choose('Stand-in', 'aiko');
  await as('jon').submit();
  await as('jon').seesModal('You’re away until');
  await as('jon').closeModal();
}

async function handOver(run: FollowedRun, by: string, to: string): Promise<void> {
  await as(by).click('Add an approver…', { in: run.card });
  await as(by).choose('Who should decide?', to);
  await as(by).submit();
}

/** What a person is told who tries to hand on what they were given. */
async function handingOn(by: string, run: FollowedRun): Promise<string> {
  await as(by).click('Add an approver…', { in: run.card });
  const told = modalText(await as(by).seesModal(/Who should decide\?|You can’t add anyone/));
  await as(by).closeModal();
  return told;
}

const modalsOf = (who: string) => as(who).waitFor('the modals', ({ modals }) => modals.length);

const NAMES: Record<string, string> = {
  jon: 'Jon Bell',
  aiko: 'Aiko Tanaka',
  maria: 'Maria Alvarez',
  priya: 'Priya Nair',
};

/** Approves. Resolves to what becomes of it: what only this person is told, or the card as everybody sees it then. */
async function approve(who: string, run: FollowedRun): Promise<string> {
  // What a slow bot has told them before stands in a modal.
  for (let open = await modalsOf(who); open > 0; open--) await as(who).closeModal();
  const isPrivate = ({ ephemeral }: { ephemeral: boolean }) => ephemeral;
  const toldBefore = await as(who).waitFor('the channel', (seen) => allIn(seen, CHANNEL).filter(isPrivate).length);
  await as(who).click('Approve', { in: run.card });
  return as(who).waitFor('what comes of it', ({ modals, ...seen }) => {
    const modal = modals.map(modalText).find((text) => text.includes('You can’t approve this'));
    if (modal !== undefined) return modal;
    const all = allIn({ modals, ...seen }, CHANNEL);
    const told = all.filter(isPrivate).slice(toldBefore).at(-1);
    if (told) return visibleText(told);
    const card = all.find(({ ts }) => ts === run.card.ts);
    const shown = card ? visibleText(card) : '';
    // “Aiko Tanaka (for Jon Bell)” is Aiko’s vote.
    const voted = `(?<!for )${NAMES[who]}`;
    return new RegExp(`${voted}.* approved | of \\d approved: [^·]*${voted}`).test(shown) ? shown : undefined;
  });
}

it('A stand-in can’t approve once the person whom they stand in for is deactivated', async () => {
  await isAway();
  const run = await world.run('jons');
  await run.shows('Aiko Tanaka can decide, too');
  world.slack.admin.deactivate('jon');
  await world.restart();
  expect(await approve('aiko', run)).toContain(
    'Jon Bell added you as an approver, but no longer has a right of their own',
  );
  expect(await run.toldSoFar()).toEqual([]);
});

it('A stand-in can’t approve while Slack can’t tell whether the person whom they stand in for is still in the group', async () => {
  await isAway();
  const run = await world.run('duo');
  await run.shows('Aiko Tanaka can decide, too');
  const effect = { kind: 'status', status: 500 } as const;
  // Before the restart: a bot may read the groups for other runs as soon as it is up.
  world.slack.faults.add({ method: 'usergroups.list', times: 999, effect });
  await world.restart();
  expect(await approve('aiko', run)).toContain('Slack can’t tell right now');
  expect(await run.toldSoFar()).toEqual([]);
});

it('A person and the approver whom they have added count once for a quorum of two', async () => {
  const run = await world.run('pair');
  await approve('jon', run);
  await handOver(run, 'jon', 'aiko');
  expect(await approve('aiko', run)).toContain('Jon Bell has already approved this with the same right');
  expect(await run.toldSoFar()).toEqual([]);
  expect(await approve('maria', run)).toContain('Jon Bell and Maria Alvarez approved');
});

it('An approver whom somebody has added can add nobody', async () => {
  const run = await world.run('duo');
  await handOver(run, 'jon', 'aiko');
  await run.shows('Aiko Tanaka (added by Jon Bell)');
  expect(await handingOn('aiko', run)).toContain(
    'You can decide this only because Jon Bell can, so you can’t add anyone yourself. Who can add an approver: @duo.',
  );
  expect(await approve('priya', run)).toContain('You aren’t allowed to decide this.');
  expect(await run.toldSoFar()).toEqual([]);
});
