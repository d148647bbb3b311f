import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { append, asked, decided, jon, NOW, recordPolicy, SECRET, seed, voted } from '../../ledger/ledger-under-test.ts';
import { redisForTests } from '../../redis/store-under-test.ts';
import { report } from '../../support/audit-program.ts';

const { redis, server } = redisForTests();
const env = () => ({ REDIS_URL: server().url, APP_SECRET: SECRET });
const since = ['--since', new Date(NOW).toISOString()];
const HOUR = 60 * 60_000;

it('reports what was asked from one time to another, with what has become of it since', async () => {
  await seed(redis(), 3);
  await append(redis(), 'before', [asked({}, NOW - 1), decided()]);
  await append(redis(), 'waiting', [asked({}, NOW + HOUR), voted(undefined, NOW + 2 * HOUR)]);
  await append(redis(), 'after', [asked({}, NOW + 3 * HOUR)]);
  const until = ['--until', new Date(NOW + 3 * HOUR).toISOString()];
  const { code, out, errors } = await report([...since, ...until, '--sla', '1s'], env());
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(out.replace(/of 20[\d: -]{14}/, 'of TODAY').split('\n')).toEqual([
    'Requests asked since 2026-11-18 11:06 UTC and before 2026-11-18 14:06 UTC',
    'As of TODAY UTC',
    '',
    '                     asked  decided  within 1s  median  95 %  expired  declined  rounds',
    '',
    'research                 4        3    0 (0 %)      2s    2s        0         0     1.0',
    '  publish the draft      4        3    0 (0 %)      2s    2s        0         0     1.0',
    '    @leads               3        3    0 (0 %)      2s    2s        0         0     1.0',
    '    (undecided)          1        0          –       –     –        0         0       –',
    '',
    'Total                    4        3    0 (0 %)      2s    2s        0         0     1.0',
    '  @leads                 3        3    0 (0 %)      2s    2s        0         0     1.0',
    '  (undecided)            1        0          –       –     –        0         0       –',
    '',
  ]);
});

it('says what it can’t count', async () => {
  await seed(redis(), 1);
  const others = { ...env(), APP_SECRET: 'another secret of at least thirty-two' };
  expect((await report(since, env())).code).toBe(0);
  await redis().rpush('signoff:{00}:ledger-unsealed', 'nonsense');
  expect((await report(since, env())).errors).toBe('Not counted: 1 entry set aside (docs/operations.md).\n');
  expect(await report(since, others)).toMatchObject({ code: 2, out: '' });
});

it('has nothing but headings as comma-separated values of a time in which nothing was asked', async () => {
  await recordPolicy(redis());
  expect(await report([...since, '--csv'], env())).toEqual({
    code: 0,
    out: 'level,crew,task,approvers,asked,decided,median_seconds,p95_seconds,expired,declined,rounds\r\n',
    errors: 'No requests were asked since 2026-11-18 11:06 UTC.\n',
  });
});

it('writes the page into a file, and says where it is', async () => {
  await seed(redis(), 2);
  const folder = await mkdtemp(join(tmpdir(), 'signoff-report-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'report.html');
  expect(await report([...since, '--html', file], env())).toEqual({
    code: 0,
    out: '',
    errors: `The report is in ${file}.\n`,
  });
  const page = await readFile(file, 'utf8');
  expect(page).toContain('The target is a decision within 1 day');
  expect(page).toContain('<th scope="row">research</th>');
});

it('reports user groups by their ids where Slack can’t be asked for names, and says so', async () => {
  await append(redis(), 'run', [asked(), decided({ by: { ...jon, rule: 'S0LEADS' }, votes: [] })]);
  const slack = { SLACK_BOT_TOKEN: 'xoxb-nobody', SLACK_API_URL: 'http://127.0.0.1:1/api/' };
  const { code, out, errors } = await report(since, { ...env(), ...slack });
  expect(code).toBe(0);
  expect(out).toContain('  S0LEADS  ');
  expect(errors).toBe('Slack could not be asked for names, so user groups are shown by their ids.\n');
});

const REDIS = { REDIS_URL: 'redis://127.0.0.1:1', APP_SECRET: SECRET };

it.each([
  [['--sla', '4h'], REDIS, '--since is missing: a date or time such as 2026-11-22, or how long ago'],
  [['--since', 'last week'], REDIS, '--since must be a date or time such as 2026-11-22 or 2026-11-22T09:30Z, or how'],
  [[...since, '--until', '2026-13-41'], REDIS, '--until must be a date or time such as 2026-11-22 or'],
  [[...since, '--until', '2026-11-18'], REDIS, '--until must be later than --since.\n'],
  [[...since, '--sla', '4 hours'], REDIS, '--sla must be a time from 1s to 365d, such as 30m, 4h or 3d.\n'],
  [[...since, '--sla', '0h'], REDIS, '--sla must be a time from 1s to 365d, such as 30m, 4h or 3d.\n'],
  [[...since, '--sla', '400d'], REDIS, '--sla must be a time from 1s to 365d, such as 30m, 4h or 3d.\n'],
  [[...since, '--csv', '--html', 'x.html'], REDIS, 'Give --csv or --html, not both.\n'],
  [[...since, '--html', ''], REDIS, '--html must name the file that the page goes to, such as report.html.\n'],
  [[...since, 'extra'], REDIS, "Unexpected argument 'extra'"],
  [since, REDIS, 'There is no connection to Redis.\n'],
  [since, { APP_SECRET: SECRET }, 'REDIS_URL is missing'],
  [since, { REDIS_URL: REDIS.REDIS_URL }, 'APP_SECRET is missing'],
])('%j with %j fails with what to do', async (args, given, told) => {
  const { code, out, errors } = await report(args, given);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(errors).toContain(told);
  expect(errors).not.toContain('    at ');
});
