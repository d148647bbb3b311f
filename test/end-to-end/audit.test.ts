import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sha256 } from '../../src/core/ledger/entry.ts';
import { createLog } from '../../src/logging.ts';
import { recordKeys } from '../../src/redis/keys.ts';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { eventually } from '../redis/store-under-test.ts';
import { audit, run as runScript } from '../support/audit-program.ts';
import { CHANNEL, type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';
import { privateAnswerTo } from '../support/private-answer.ts';
import { CREW_TOKEN, TEST_SECRET } from '../support/world.ts';

const OUTSIDER = fileURLToPath(new URL('../ledger/outsider.mjs', import.meta.url));
const NOTE = 'Mention oolong, “please”.';
const FEEDBACK = 'Too bitter by far.';

let world: PolicyWorld;
let redis: Redis;
let folder: string;
let logged = '';

beforeAll(async () => {
  const to = new Writable({
    write(chunk, _, done) {
      logged += chunk;
      done();
    },
  });
  world = await startPolicyWorld({
    crews: {
      pair: { approvers: ['UJON00002', 'UAIKO0003'], quorum: 2, undo: '3s', min_review: '1s' },
      late: {
        approvers: ['UJON00002'],
        remind_after: '1s',
        escalate_after: '1s',
        escalate_to: ['@legal'],
        expire_after: '3s',
      },
    },
    env: { AUDIT_LOG: 'stdout', AUDIT_CHANNEL: 'general' },
    bot: { log: createLog({ level: 'error', readable: false, to }), sealEveryMs: 200 },
  });
  redis = new Redis({ path: world.redis.socketPath });
  folder = await mkdtemp(join(tmpdir(), 'signoff-audit-'));
});
afterAll(async () => {
  await redis.quit();
  await world.stop();
  await rm(folder, { recursive: true });
});

const as = (handle: string) => world.slack.as(handle);
const auditEnv = () => ({ REDIS_URL: world.redis.url, APP_SECRET: TEST_SECRET });

it('what people decide can be exported, proven, and told', async () => {
  const [pair, late] = await Promise.all([world.run('pair'), world.run('late')]);
  await as('gina').click('Approve', { in: pair.card });
  await privateAnswerTo(as('gina'), CHANNEL, 'guests can’t decide this');
  await as('gina').closeModal();
  await as('aiko').click('Approve with note…', { in: pair.card });
  await as('aiko').fill('Note for the crew', NOTE);
  await as('aiko').submit();
  await as('aiko').seesModal('with your approval');
  await as('aiko').submit();
  await pair.shows('1 so far: Aiko Tanaka');
  await as('aiko').click('Withdraw my vote', { in: pair.card });
  await pair.shows('none so far');
  await as('jon').click('Reject…', { in: pair.card });
  await as('jon').fill('What should be better?', FEEDBACK);
  await as('jon').submit();
  await as('jon').click('Undo', { in: pair.card });
  await pair.shows('[Approve]');
  await late.shows('Nobody decided in time');
  await as('jon').click('Approve', { in: pair.card });
  await pair.shows('1 so far: Jon Bell');
  await as('aiko').click('Approve', { in: pair.card });
  expect(await pair.told()).toEqual(['approved: Approved.']);
  await pair.shows('Sent to the crew.');

  const story = (await audit(['who', await refOf('pair')], auditEnv())).out.replaceAll(/^.{23} {2}/gm, '');
  expect(story.trim().split('\n')).toEqual([
    `The crew pair (started by UMARIA001) asked in C0RELEASE2 for a decision on "${await taskOf('pair')}". This is request 1.`,
    'UGUEST005 tried to approve request 1 and was refused (guest).',
    'UAIKO0003 (allowed as UAIKO0003) approved request 1; more approvals were needed.',
    'UAIKO0003 withdrew the approval of request 1.',
    `UJON00002 (allowed as UJON00002) rejected request 1, with a text of ${FEEDBACK.length} characters. It could be undone for 3 seconds.`,
    'UJON00002 undid the decision on request 1 before it was sent.',
    'UJON00002 (allowed as UJON00002) approved request 1; more approvals were needed.',
    'UAIKO0003 (allowed as UAIKO0003) after UJON00002 (allowed as UJON00002) approved request 1, with a text of 9 characters. It could be undone for 3 seconds.',
    'The decision on request 1 was sent to the crew (attempt 1).',
    'The crew accepted the decision on request 1.',
  ]);
  const lateStory = (await audit(['who', await refOf('late')], auditEnv())).out;
  for (const told of ['Reminder 1', 'UJON00002', '@legal could decide it, too', 'it was closed, and nothing was sent'])
    expect(lateStory).toContain(told);
});

it('an export proves it to anybody, and holds nothing that people typed', async () => {
  const { out, code } = await audit(['export'], auditEnv());
  expect(code).toBe(0);
  const [file, changed] = [join(folder, 'audit.jsonl'), join(folder, 'changed.jsonl')];
  await writeFile(file, out);
  const vkey = (await audit(['key'], auditEnv())).out.trim();
  expect(await audit(['verify', file, '--key', vkey])).toMatchObject({ code: 0, out: expect.stringContaining('OK: ') });
  expect(await runScript([OUTSIDER, file, vkey])).toMatchObject({ code: 0, errors: '' });
  const at = out.indexOf('"guest"') + 1;
  await writeFile(changed, `${out.slice(0, at)}h${out.slice(at + 1)}`);
  expect((await audit(['verify', changed])).out).toMatch(/^line \d+: /);
  expect((await runScript([OUTSIDER, changed, vkey])).code).toBe(1);
  for (const text of [NOTE, FEEDBACK, 'Approved.'])
    expect(out).toContain(`"text":{"length":${text.length},"sha256":"${sha256(text)}"}`);
  for (const secret of [NOTE, FEEDBACK, 'leaf no.', 'About tea', CREW_TOKEN, world.slack.botToken, TEST_SECRET])
    expect(out).not.toContain(secret);
});

it('entries and checkpoints are printed for a collector, and a checkpoint is posted once', async () => {
  const { out } = await audit(['export'], auditEnv());
  const sealed = out.split('\n').flatMap((line) => (line.includes('"kind":') ? JSON.parse(line) : []));
  const printed = () => logged.split('\n').flatMap((line) => (line.startsWith('{') ? JSON.parse(line) : []));
  const isOf = (size: number) => printed().some(({ checkpoint }) => checkpoint?.note.startsWith(`signoff\n${size}\n`));
  await eventually(async () => isOf(sealed.length));
  // At this pace one bot may begin to print before the other has told that it did.
  const byHash = new Map(printed().flatMap(({ entry }) => (entry ? [[entry.hash, entry]] : [])));
  expect([...byHash.values()]).toEqual(sealed);
  expect(printed().filter(({ checkpoint }) => checkpoint).length).toBeGreaterThan(1);
  await as('maria').sees('#general', 'Audit checkpoint');
  const texts = world.slack.messages().map((message) => visibleText({ ...message, files: [] }));
  const posts = texts.filter((text) => text.includes('Audit checkpoint'));
  expect(posts).toHaveLength(1);
  const [file, checkpoint] = [join(folder, 'whole.jsonl'), join(folder, 'checkpoint')];
  await writeFile(file, out);
  await writeFile(checkpoint, /(?<=```)[^`]+/.exec(posts.join())?.[0] ?? '');
  expect((await audit(['verify', file, '--after', checkpoint])).out).toContain('Nothing that was sealed by');
});

async function refOf(crew: string): Promise<string> {
  const keys = await redis.keys('signoff:{*}:execution:*');
  for (const key of keys) {
    if (JSON.parse((await redis.hget(key, 'record')) ?? '{}').crew === crew) return key.split(':').at(-1) ?? '';
  }
  throw new Error(`there is no run of ${crew}`);
}

async function taskOf(crew: string): Promise<string> {
  const { approvals } = JSON.parse((await redis.hget(recordKeys(await refOf(crew)).record, 'record')) ?? '{}');
  return approvals[0].taskName ?? approvals[0].taskId;
}
