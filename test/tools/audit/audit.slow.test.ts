import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { deriveSigners } from '../../../src/ledger/checkpoint.ts';
import { sealNew } from '../../../src/ledger/seal.ts';
import { webhookKeys } from '../../../src/ledger/sink/webhook.ts';
import { AUDIT_DAYS, append, exported, refOf, SECRET, seed, signers } from '../../ledger/ledger-under-test.ts';
import { redisForTests } from '../../redis/store-under-test.ts';
import { auditProgram as audit } from '../../support/audit-program.ts';

const { redis, server } = redisForTests();
const vkey = signers[0]?.vkey ?? '';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'signoff-audit-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

it('exports with what the bot has, and verifies with nothing', async () => {
  const secrets = ['the newest secret of at least thirty-two', 'a newer secret of at least thirty-two', SECRET];
  const env = { REDIS_URL: server().url, APP_SECRET: secrets.join(',') };
  const [file, checkpoint] = [join(await folder(), 'audit.jsonl'), join(await folder(), 'checkpoint')];
  await seed(redis(), 70);
  const older = await sealNew(redis(), { signers, auditDays: AUDIT_DAYS });
  await writeFile(checkpoint, `${older?.note.trim()}`);
  await append(redis(), refOf(200));
  const keys = await audit(['key'], { APP_SECRET: env.APP_SECRET });
  expect(keys).toEqual({
    code: 0,
    out: deriveSigners(secrets)
      .map(({ vkey }) => `${vkey}\n`)
      .join(''),
    errors: '',
  });
  const sinkKeys = await audit(['sink-key'], { APP_SECRET: env.APP_SECRET });
  expect(sinkKeys).toEqual({
    code: 0,
    out: webhookKeys(secrets)
      .map((key) => `${key}\n`)
      .join(''),
    errors: '',
  });
  expect(sinkKeys.out).toMatch(/^(whsec_[A-Za-z0-9+/]{43}=\n){3}$/);
  const whole = await audit(['export'], env);
  expect({ ...whole, out: '' }).toEqual({ code: 0, out: '', errors: '' });
  await writeFile(file, whole.out);
  const proven = await audit(['verify', file, '--key', vkey, '--after', checkpoint]);
  expect(proven).toMatchObject({ code: 0, errors: '' });
  expect(proven.out).toContain('OK: 356 entries of 71 runs');
  const some = await audit(
    ['export', '--since', '2026-11-18', '--crew', 'research', '--ref', refOf(3), '--after', checkpoint],
    env,
  );
  await writeFile(file, some.out);
  expect((await audit(['verify', file, '--after', checkpoint])).out).toContain('OK: 5 entries of 1 run,');
  await writeFile(file, some.out.replace('"attempt":1', '"attempt":2'));
  const wrong = await audit(['verify', file]);
  expect(wrong).toMatchObject({ code: 1, errors: '' });
  expect(wrong.out).toMatch(/^line \d+: has a hash that isn't its own\n$/);
});

const BANNER = '\n> signoff@0.1.0 audit\n> node src/setup/run.mjs dist/audit.js export\n\n';

it('leaves out what npm writes before an export, and nothing else', async () => {
  const file = join(await folder(), 'audit.jsonl');
  await seed(redis(), 1);
  const lines = await exported(redis());
  await writeFile(file, `${BANNER}${lines}`);
  expect((await audit(['verify', file])).out).toContain('OK: ');
  for (const added of ['\n', '\n> signoff@0.1.0 audit\n', `${BANNER}${BANNER}`, `${BANNER}\n`]) {
    await writeFile(file, `${added}${lines}`);
    expect((await audit(['verify', file])).out).toMatch(/^line \d: /);
  }
});

it('tells the story of a run', async () => {
  await seed(redis(), 1);
  const { out } = await audit(['who', refOf(0)], { REDIS_URL: server().url });
  expect(out.split('\n')).toEqual([
    `Run ${refOf(0)} of research, in C0123456789`,
    '',
    '2026-11-18 11:06:40 UTC  U0ANNA started research. It asked for approval of “publish the draft”.',
    '2026-11-18 11:06:41 UTC  U0MARIA approved “publish the draft”. More approvals were needed.',
    '2026-11-18 11:06:42 UTC  U0JON (as @leads) approved “publish the draft”, after U0MARIA.',
    '2026-11-18 11:06:43 UTC  The decision on “publish the draft” was sent to research.',
    '2026-11-18 11:06:44 UTC  research accepted the decision on “publish the draft”.',
    '',
  ]);
});

it('tells the story with ids where Slack can’t be asked for names, and says so', async () => {
  await seed(redis(), 1);
  const slack = { SLACK_BOT_TOKEN: 'xoxb-nobody', SLACK_API_URL: 'http://127.0.0.1:1/api/' };
  const { code, out, errors } = await audit(['who', refOf(0)], { REDIS_URL: server().url, ...slack });
  expect(code).toBe(0);
  expect(out).toContain('  U0MARIA approved “publish the draft”.');
  expect(errors).toBe('Slack could not be asked for names, so people are shown by their ids.\n');
});

it.each([
  ['nobody', 'The ledger has no run with this reference or kickoff id: it is unknown, or its entries have expired.\n'],
  [
    'https://example.enterprise.slack.com/archives/C0123456789/p1763690000000100',
    "The ledger has no run with this thread: it isn't the thread of a run, or its entries have expired.\n",
  ],
  ['https://example.slack.com/archives/C0123456789', 'This is no link to a message.'],
  ['https://', 'This is no link to a message.'],
])('tells nothing of %s, and says why in one line', async (run, why) => {
  await seed(redis(), 1);
  const { code, out, errors } = await audit(['who', run], { REDIS_URL: server().url });
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(errors).toContain(why);
  expect(errors.trim()).not.toContain('\n');
});

it.each([
  [[], {}, 'Usage: '],
  [['verify'], {}, 'Usage: '],
  [['export', 'x'], {}, 'Usage: '],
  [['who', 'x', '--crew', 'y'], {}, 'Usage: '],
  [['export', '--nonsense'], {}, 'Usage: '],
  [['export', '--since', 'last week'], {}, '--since must be a date or time'],
  [['export', '--until', '2026-13-41'], {}, '--until must be a date or time'],
  [['decisions', '--key', 'x'], {}, 'Usage: '],
  [['decisions', '--since', 'last week'], {}, '--since must be a date or time'],
  [['decisions', '--by', '@maria'], {}, '--by @maria takes Slack: set SLACK_BOT_TOKEN'],
  [['decisions'], { REDIS_URL: 'redis://127.0.0.1:1' }, 'APP_SECRET is missing'],
  [['decisions', '/nowhere'], {}, "/nowhere can't be read."],
  [['export'], { APP_SECRET: SECRET }, 'REDIS_URL is missing'],
  [['who', 'x'], {}, 'REDIS_URL is missing'],
  [['key'], {}, 'APP_SECRET is missing'],
  [['sink-key'], {}, 'APP_SECRET is missing'],
  [['sink-key', 'x'], {}, 'Usage: '],
  [['export'], { REDIS_URL: 'redis://127.0.0.1:1', APP_SECRET: SECRET }, 'There is no connection to Redis.'],
  [['export'], { REDIS_URL: 'redis://127.0.0.1:1', APP_SECRET: SECRET, AUDIT_DAYS: 'x' }, 'AUDIT_DAYS must be'],
  [
    ['export', '--after', '/nowhere'],
    { REDIS_URL: 'redis://127.0.0.1:1', APP_SECRET: SECRET },
    "/nowhere can't be read.",
  ],
  [['verify', '/nowhere'], {}, "/nowhere can't be read."],
  [['verify', '/dev/null', '--after', '/dev/null'], {}, '/dev/null is not a checkpoint.'],
  [['verify', '/dev/null', '--key', 'x'], {}, '--key must be one of the lines'],
])('%j with %j fails with what to do', async (args, env, told) => {
  const { code, out, errors } = await audit(args, env);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(errors).toContain(told);
  expect(errors).not.toContain('    at ');
});
