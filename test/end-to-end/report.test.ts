import { afterAll, beforeAll, expect, it } from 'vitest';
import { report } from '../support/audit-program.ts';
import { type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';
import { readCsv } from '../support/read-csv.ts';
import { TEST_SECRET } from '../support/world.ts';

let world: PolicyWorld;

beforeAll(async () => {
  world = await startPolicyWorld({
    crews: {
      pair: { approvers: ['S0GROUP0X'], quorum: 2, undo: '2s' },
      late: { approvers: ['UJON00002'], expire_after: '1s' },
      closing: { approvers: ['UJON00002'] },
      idle: {},
    },
    groups: { editors: ['jon', 'aiko'] },
  });
});
afterAll(() => world.stop());

const as = (handle: string) => world.slack.as(handle);
const since = new Date(Date.now() - 60_000).toISOString();

function reported(args: string[], { named = false } = {}) {
  const slack = { SLACK_BOT_TOKEN: world.slack.botToken, SLACK_API_URL: world.slack.apiUrl };
  const env = { REDIS_URL: world.redis.url, APP_SECRET: TEST_SECRET, ...(named && slack) };
  return report(['--since', since, ...args], env);
}

it('The report counts what people decide by crew, task and group, as it stands', async () => {
  const [pair, late, closing] = await Promise.all([world.run('pair'), world.run('late'), world.run('closing')]);
  await world.run('pair', { by: 'priya' });
  await as('jon').click('Reject…', { in: pair.card });
  await as('jon').fill('What should change?', 'Too long.');
  await as('jon').submit();
  await as('jon').click('Undo', { in: pair.card });
  await pair.shows('[Approve]');
  await as('jon').click('Approve', { in: pair.card });
  await pair.shows('1 of 2 approved: Jon Bell');
  await as('aiko').click('Approve', { in: pair.card });
  await pair.shows('Sent to the crew.');
  await as('jon').click('Reject…', { in: closing.card });
  await as('jon').fill('What should change?', 'Wrong product.');
  await as('jon').click('Decline…', { in: 'modal' });
  await as('jon').seesModal('Declining is final');
  await as('jon').submit();
  await closing.shows('declined');
  await late.shows('Nobody decided in time');

  const { code, out, errors } = await reported(['--sla', '1h', '--csv'], { named: true });
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  const [heading = [], ...rows] = readCsv(out);
  const times = ['median_seconds', 'p95_seconds'].map((name) => heading.indexOf(name));
  expect(rows.map((row) => row.filter((_, i) => !times.includes(i)).join())).toEqual([
    'crew,closing,,,1,1,1,0,1,1.0',
    'task,closing,(unnamed),,1,1,1,0,1,1.0',
    'approvers,closing,(unnamed),named people,1,1,1,0,1,1.0',
    'crew,late,,,1,0,0,1,0,',
    'task,late,(unnamed),,1,0,0,1,0,',
    'approvers,late,(unnamed),(undecided),1,0,0,1,0,',
    'crew,pair,,,2,1,1,0,0,1.0',
    'task,pair,draft,,2,1,1,0,0,1.0',
    "approvers,pair,draft,'@editors,1,1,1,0,0,1.0",
    'approvers,pair,draft,(undecided),1,0,0,0,0,',
    'total,,,,4,2,2,1,1,1.0',
    "approvers,,,'@editors,1,1,1,0,0,1.0",
    'approvers,,,named people,1,1,1,0,1,1.0',
    'approvers,,,(undecided),2,0,0,1,0,',
  ]);
  for (const row of rows)
    for (const time of times) expect(row[time]).toMatch(row[heading.indexOf('decided')] === '0' ? /^$/ : /^\d\d?$/);
});

it('a crew that has asked nothing gets a sentence, and one that there isn’t another', async () => {
  const idle = await reported(['--crew', 'idle']);
  expect(idle).toMatchObject({ code: 0, errors: '' });
  expect(idle.out).toMatch(/^No requests were asked since 20[\d: -]{14} UTC\.\n$/);
  expect(await reported(['--crew', 'nobody'])).toEqual({
    code: 2,
    out: '',
    errors: 'The ledger has no crew nobody. Those that have asked in this time are: closing, late, pair\n',
  });
});
