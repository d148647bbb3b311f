import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { audit } from '../support/audit-program.ts';
import { type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';
import { TEST_SECRET } from '../support/world.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

let world: PolicyWorld;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signoff-settings-'));
  world = await startPolicyWorld({
    crews: {
      jons: { approvers: ['UJON00002'], delegation: 'anyone' },
      priyas: { approvers: ['UPRIYA004'] },
      quiet: {},
    },
    more: { quiet: { notify: 'none', notify_starter: false } },
    bot: { lookEveryMs: 200, sealEveryMs: 200 },
  });
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true });
});

const as = (handle: string) => world.slack.as(handle);

async function settings(handle: string): Promise<void> {
  await as(handle).openHome();
  await as(handle).click('Settings…', { in: 'home' });
  await as(handle).seesModal('Direct messages about what’s waiting for you');
}

it('a stand-in decides while somebody is away, and no longer once they are back', async () => {
  const before = await world.run('jons');
  await settings('jon');
  await as('jon').seesModal('Days end at midnight in America/New_York');
  await as('jon').fill('Away until', inDays(-2));
  await as('jon').choose('Stand-in', 'jon');
  await expect(as('jon').submit()).rejects.toThrow('This day is over');
  await as('jon').fill('Away until', inDays(3));
  await expect(as('jon').submit()).rejects.toThrow('Choose someone other than yourself.');
  await as('jon').choose('Stand-in', 'aiko');
  await as('jon').submit();
  await as('jon').seesModal(/Aiko Tanaka can decide these now, too.*jons/s);
  await as('jon').closeModal();
  await as('jon').seesHome(/You’re away until .*Aiko Tanaka stands in for you/);
  await before.shows(/Jon Bell is away until .*Aiko Tanaka can decide, too/);
  await as('aiko').openHome();
  await as('aiko').seesHome(/1 request is waiting for you.*\*jons\*/s);
  await as('aiko').click('Approve', { in: before.card });
  expect(await before.shows('Sent to the crew.')).toContain('Aiko Tanaka (for Jon Bell) approved');
  expect(await before.told()).toEqual(['approved: Approved.']);

  const meanwhile = await world.run('jons');
  await meanwhile.shows('Jon Bell is away until');
  await settings('jon');
  await as('jon').seesModal('You’re away until');
  await as('jon').click('I’m back', { in: 'modal' });
  await as('jon').seesModal('Welcome back');
  await as('jon').closeModal();
  await as('jon').seesChanged(meanwhile.card, /^(?!.*is away until).*Reject…/s);
  await as('aiko').click('Approve', { in: meanwhile.card });
  await as('aiko').seesModal('You aren’t allowed to decide this');
  await as('aiko').closeModal();
  await as('jon').click('Approve', { in: meanwhile.card });
  expect(await meanwhile.told()).toEqual(['approved: Approved.']);

  const env = { REDIS_URL: world.redis.url, APP_SECRET: TEST_SECRET };
  const { out } = await audit(['export'], env);
  expect(out).toContain('"taken-back"');
  await writeFile(join(folder, 'audit.jsonl'), out);
  expect(await audit(['verify', join(folder, 'audit.jsonl')], env)).toMatchObject({
    code: 0,
    out: expect.stringContaining('OK: '),
  });
});

it('A person who turns direct messages on gets the first at once', async () => {
  await settings('maria');
  await as('maria').choose('Direct messages about what’s waiting for you', 'Immediately');
  await as('maria').submit();
  await as('maria').seesModal('You get a direct message immediately');
  await as('maria').sees('Signoff', 'You’ll get a message here');
});

it('the end of a run mentions its starter, and those who helped decide it if they asked for that', async () => {
  const before = await world.run('priyas');
  await as('priya').click('Approve', { in: before.card });
  await before.told();
  await as('maria').seesInThread(before.root, 'Finished.');
  await settings('priya');
  await as('priya').tick('Mention me when they finish');
  await as('priya').submit();
  await as('priya').seesModal('Saved');
  // The other bot remembers earlier settings for some seconds.
  await world.restart();
  const after = await world.run('priyas');
  await as('priya').click('Approve', { in: after.card });
  await after.told();
  for (const [run, notified] of [
    [before, ['UMARIA001']],
    [after, ['UMARIA001', 'UPRIYA004']],
  ] as const) {
    await as('maria').seesInThread(run.root, 'Finished.');
    expect(run.repliesWith('Finished.')).toEqual([expect.objectContaining({ notified })]);
  }
});

it('the end of a run mentions no starter where its crew says so', async () => {
  const run = await world.run('quiet');
  await as('maria').click('Approve', { in: run.card });
  await as('maria').seesInThread(run.root, 'Finished.');
  expect(run.repliesWith('Finished.')).toEqual([expect.objectContaining({ notified: [] })]);
});
