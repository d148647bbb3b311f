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
      trio: { approvers: ['@duo', 'UMARIA001'], quorum: 2, delegation: 'anyone' },
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

async function isBack(): Promise<void> {
  await as('jon').openHome();
  await as('jon').click('Settings…', { in: 'home' });
  await as('jon').click('I’m back', { in: 'modal' });
  await as('jon').seesModal('Welcome back');
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

it('A stand-in approves after the one they stand in for was deactivated', async () => {
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

it('A stand-in approves after the one they stand in for has left the group', async () => {
  await isAway();
  const run = await world.run('duo');
  await run.shows('Aiko Tanaka can decide, too');
  world.slack.admin.setGroupMembers('duo', ['maria']);
  await world.restart();
  expect(await approve('aiko', run)).toContain(
    'Jon Bell added you as an approver, but no longer has a right of their own',
  );
  expect(await run.toldSoFar()).toEqual([]);
});

it('A stand-in approves while Slack can’t tell whether the one they stand in for is still in the group', async () => {
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

it('Somebody hands a request over and is deactivated, and the receiver approves it', async () => {
  const run = await world.run('jons');
  await handOver(run, 'jon', 'aiko');
  world.slack.admin.deactivate('jon');
  await world.restart();
  expect(await approve('aiko', run)).toContain(
    'Jon Bell added you as an approver, but no longer has a right of their own',
  );
  expect(await run.toldSoFar()).toEqual([]);
});

it('The receiver hands a request on after its giver has lost the right', async () => {
  const run = await world.run('duo');
  await handOver(run, 'jon', 'aiko');
  world.slack.admin.setGroupMembers('duo', ['maria']);
  await world.restart();
  expect(await handingOn('aiko', run)).toContain(
    'Jon Bell added you as an approver, but no longer has a right of their own',
  );
});

it('Giver and receiver make a quorum of two', async () => {
  const run = await world.run('pair');
  await approve('jon', run);
  await handOver(run, 'jon', 'aiko');
  expect(await approve('aiko', run)).toContain('Jon Bell has already approved this with the same right');
  expect(await run.toldSoFar()).toEqual([]);
  expect(await approve('maria', run)).toContain('Jon Bell and Maria Alvarez approved');
});

it('The receiver approves first, and then the giver', async () => {
  const run = await world.run('pair');
  await handOver(run, 'jon', 'aiko');
  expect(await approve('aiko', run)).toContain('1 of 2 approved: Aiko Tanaka');
  expect(await approve('jon', run)).toContain('Aiko Tanaka has already approved this with the same right');
  expect(await run.toldSoFar()).toEqual([]);
  expect(await approve('maria', run)).toContain('Aiko Tanaka (for Jon Bell) and Maria Alvarez approved');
});

it('Two people to whom one person has handed a request over make a quorum of two', async () => {
  const run = await world.run('pair');
  await handOver(run, 'jon', 'aiko');
  await handOver(run, 'jon', 'priya');
  await approve('priya', run);
  expect(await approve('aiko', run)).toContain('Priya Nair has already approved this with the same right');
  expect(await run.toldSoFar()).toEqual([]);
});

it('A vote of a receiver counts after its giver has left, as another one completes the decision', async () => {
  const run = await world.run('trio');
  await handOver(run, 'jon', 'aiko');
  await approve('aiko', run);
  world.slack.admin.setGroupMembers('duo', ['maria']);
  await world.restart();
  expect(await approve('maria', run)).toContain('1 of 2 approved: Maria Alvarez');
  expect(await run.toldSoFar()).toEqual([]);
});

it('A stand-in hands a request on to a third', async () => {
  await isAway();
  const run = await world.run('jons');
  await run.shows('Aiko Tanaka can decide, too');
  expect(await handingOn('aiko', run)).toContain(
    'You can decide this only because Jon Bell can, so you can’t add anyone yourself. Who can add an approver: Jon Bell.',
  );
  expect(await approve('aiko', run)).toContain('Aiko Tanaka (for Jon Bell) approved');
});

it('The receiver hands a request on to a third', async () => {
  const run = await world.run('duo');
  await handOver(run, 'jon', 'aiko');
  await run.shows('Aiko Tanaka (added by Jon Bell)');
  expect(await handingOn('aiko', run)).toContain(
    'You can decide this only because Jon Bell can, so you can’t add anyone yourself. Who can add an approver: @duo.',
  );
  expect(await approve('priya', run)).toContain('You aren’t allowed to decide this.');
  expect(await run.toldSoFar()).toEqual([]);
});

it('A stand-in approves after the absence has ended', async () => {
  await isAway();
  const run = await world.run('jons');
  await run.shows('Aiko Tanaka can decide, too');
  await world.restart();
  await isBack();
  expect(await approve('aiko', run)).toContain('You aren’t allowed to decide this.');
  expect(await run.toldSoFar()).toEqual([]);
});
