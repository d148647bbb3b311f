import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { USUAL_SETTINGS } from '../../src/core/inbox/person-settings.ts';
import { audit } from '../support/audit-program.ts';
import { storeSettings } from '../support/person-settings.ts';
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
      muted: { approvers: ['UMARIA001', 'UAIKO0003'] },
      quiet: {},
    },
    more: { quiet: { notify: 'none', notify_starter: false } },
    bot: { lookEveryMs: 200, sealEveryMs: 200 },
  });
  world.slack.admin.changeTimeZone('aiko', zoneAt(0));
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true });
});

const as = (handle: string) => world.slack.as(handle);

/** A time zone in which it is this hour of the day now. */
function zoneAt(hour: number): string {
  const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
  // The signs of these names are the other way round.
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

async function settings(handle: string): Promise<void> {
  await as(handle).openHome();
  await as(handle).click('Settings…', { in: 'home' });
  await as(handle).seesModal('Direct messages about what’s waiting for you');
}

it('a stand-in decides while somebody is away, and no longer once they are back', async () => {
  const before = await world.run('jons');
  await settings('jon');
  await as('jon').seesModal('Times are in America/New_York');
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
  await as('aiko').seesModal('You aren’t one of those who can decide this');
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

it('a digest names what waits, once, with a way to decide it and a link that opens Home anywhere', async () => {
  const run = await world.run('priyas');
  // The digest of this hour is made once, of what is known to wait by then.
  await as('priya').openHome();
  await as('priya').seesHome('1 request is waiting for you');
  await storeSettings(world.env(0).REDIS_URL ?? '', {
    UPRIYA004: { ...USUAL_SETTINGS, tell: { kind: 'hourly', since: 0 } },
  });
  const digest = await as('priya').sees('Signoff', /1 request is waiting for you.*priyas.*About tea/s);
  await as('priya').click('Review', { in: digest });
  await as('priya').seesModal(/About tea/);
  await as('priya').closeModal();
  await as('priya').click('Approve', { in: run.card });
  expect(await run.told()).toEqual(['approved: Approved.']);
  const all = world.slack.messages().filter(({ text }) => text.includes('request is waiting for you'));
  expect(all).toHaveLength(1);
  expect(JSON.stringify(all[0]?.blocks)).toContain('/app_redirect?app=');
});

it('what was snoozed is told once when it is back, to who is told at once', async () => {
  await storeSettings(world.env(0).REDIS_URL ?? '', { UJON00002: { ...USUAL_SETTINGS, tell: { kind: 'at-once' } } });
  const run = await world.run('jons');
  await as('jon').openHome();
  await as('jon').seesHome(/leaf no\. \d+\./.exec(run.root.text)?.[0] ?? '');
  await as('jon').click('Snooze until…', { in: 'home' });
  await as('jon').fill('Until', new Date(Date.now() + 5_000).toISOString());
  await as('jon').submit();
  const told = await as('jon').sees('Signoff', /1 request that you snoozed is back.*jons.*About tea/s);
  await as('jon').seesHome('1 request is waiting for you');
  await as('jon').click('Review', { in: told });
  await as('jon').closeModal();
  await as('jon').click('Approve', { in: run.card });
  expect(await run.told()).toEqual(['approved: Approved.']);
  expect(world.slack.messages().filter(({ text }) => text.includes('is back'))).toHaveLength(1);
});

it('who turns direct messages on gets the first at once', async () => {
  await settings('maria');
  await as('maria').choose('Direct messages about what’s waiting for you', 'Immediately');
  await as('maria').submit();
  await as('maria').seesModal('You get a direct message immediately');
  await as('maria').sees('Signoff', 'You’ll be told here');
});

it('quiet hours over midnight are those of a person’s clock, and move with their time zone', async () => {
  await storeSettings(world.env(0).REDIS_URL ?? '', { UMARIA001: { ...USUAL_SETTINGS, tell: { kind: 'at-once' } } });
  await settings('aiko');
  await as('aiko').seesModal(`Times are in ${zoneAt(0)}`);
  await as('aiko').choose('Direct messages about what’s waiting for you', 'Immediately');
  await as('aiko').fill('Quiet hours from', '22:00');
  await as('aiko').fill('Quiet hours to', '07:00');
  await as('aiko').submit();
  await as('aiko').seesModal('quiet from 22:00 to 07:00');
  await as('aiko').closeModal();
  // The other bot remembers earlier settings for some seconds.
  await world.restart();
  const quiet = await world.run('muted', { by: 'jon' });
  await as('maria').sees('Signoff', 'muted');
  await as('maria').click('Approve', { in: quiet.card });
  expect(await quiet.told()).toEqual(['approved: Approved.']);
  world.slack.admin.changeTimeZone('aiko', zoneAt(12));
  // What Slack says of people is kept for a minute at most, and no process keeps it over a restart.
  await world.restart();
  const loud = await world.run('muted', { by: 'jon' });
  await as('aiko').click('Approve', { in: await as('aiko').sees('Signoff', 'muted') });
  expect(await loud.told()).toEqual(['approved: Approved.']);
  expect((await as('aiko').channel('Signoff')).filter(({ text }) => text.includes('muted'))).toHaveLength(1);
});

it('the end of a run mentions its starter, and those who helped decide it if they asked for that', async () => {
  const before = await world.run('priyas');
  await as('priya').click('Approve', { in: before.card });
  await before.told();
  await as('maria').seesInThread(before.root, 'finished in');
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
    await as('maria').seesInThread(run.root, 'finished in');
    expect(run.repliesWith('finished in')).toEqual([expect.objectContaining({ notified })]);
  }
});

it('the end of a run mentions no starter where its crew says so', async () => {
  const run = await world.run('quiet');
  await as('maria').click('Approve', { in: run.card });
  await as('maria').seesInThread(run.root, 'finished in');
  expect(run.repliesWith('finished in')).toEqual([expect.objectContaining({ notified: [] })]);
});
