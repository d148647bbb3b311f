import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sha256 } from '../../src/core/ledger/entry.ts';
import { createLog } from '../../src/logging.ts';
import { recordKeys } from '../../src/redis/keys.ts';
import { modalText, visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { eventually } from '../redis/store-under-test.ts';
import { audit, run as runScript } from '../support/audit-program.ts';
import { collectLog } from '../support/collected-log.ts';
import { CHANNEL, type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';
import { privateAnswerTo } from '../support/private-answer.ts';
import { readCsv } from '../support/read-csv.ts';
import { CREW_TOKEN, TEST_SECRET } from '../support/world.ts';

const OUTSIDER = fileURLToPath(new URL('../ledger/outsider.mjs', import.meta.url));
const NOTE = 'Mention oolong, “please”.';
const FEEDBACK = 'Too bitter by far.';

let world: PolicyWorld;
let redis: Redis;
let folder: string;
const logged = collectLog();

beforeAll(async () => {
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
    bot: { log: createLog({ level: 'error', readable: false, to: logged.to }), sealEveryMs: 200 },
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

it('Decisions can be exported, proven, and told', async () => {
  const [pair, late] = await Promise.all([world.run('pair'), world.run('late')]);
  await as('gina').click('Approve', { in: pair.card });
  await privateAnswerTo(as('gina'), CHANNEL, 'guests can’t decide this');
  await as('gina').closeModal();
  await as('aiko').click('Approve with note…', { in: pair.card });
  await as('aiko').fill('Note for the crew', NOTE);
  await as('aiko').submit();
  await as('aiko').seesModal('with your approval');
  await as('aiko').submit();
  await pair.shows('1 of 2 approved: Aiko Tanaka');
  await as('aiko').click('Withdraw my vote', { in: pair.card });
  await pair.shows('withdrew their approval');
  await as('jon').click('Reject…', { in: pair.card });
  await as('jon').fill('What should change?', FEEDBACK);
  await as('jon').submit();
  await as('jon').click('Undo', { in: pair.card });
  await pair.shows('[Approve]');
  await late.shows('Nobody decided in time');
  await as('jon').click('Approve', { in: pair.card });
  await pair.shows('1 of 2 approved: Jon Bell');
  await as('aiko').click('Approve', { in: pair.card });
  expect(await pair.told()).toEqual(['approved: Approved.']);
  await pair.shows('Sent to the crew.');

  expect(await storyOf(await refOf('pair'), { named: false })).toEqual([
    `Run ${await refOf('pair')} of pair, in C0RELEASE2`,
    '',
    ...toldOf({ maria: 'UMARIA001', jon: 'UJON00002', aiko: 'UAIKO0003', gina: 'UGUEST005' }),
  ]);
  const lateStory = (await audit(['who', await refOf('late')], auditEnv())).out;
  for (const told of ['Reminder 1', 'UJON00002', '@legal could decide it, too', 'It was closed, and nothing was sent'])
    expect(lateStory).toContain(told);
});

it('The story of a run names people as Slack does, and is found by a link to any message of the thread, the reference or a kickoff id', async () => {
  const ref = await refOf('pair');
  const { thread, kickoffIds } = await recordOf(ref);
  const named = {
    maria: 'Maria Alvarez (UMARIA001)',
    jon: 'Jon Bell (UJON00002)',
    aiko: 'Aiko Tanaka (UAIKO0003)',
    gina: 'Gina Rossi (UGUEST005)',
  };
  const told = toldOf(named);
  expect((await storyOf(ref, { named: true })).slice(2)).toEqual(told);
  const root = `C0RELEASE2/p${thread.replace('.', '')}`;
  for (const name of [
    `https://signoff.slack.com/archives/${root}`,
    `https://signoff.enterprise.slack.com/archives/${root}/`,
    `https://signoff.slack.com/archives/C0RELEASE2/p1763690000000100?thread_ts=${thread}&cid=C0RELEASE2`,
    ...kickoffIds,
  ])
    expect((await storyOf(name, { named: false }))[0]).toBe(`Run ${ref} of pair, in C0RELEASE2`);
});

it('The story of a run is told in Slack to members of the channel, guests too, with what it can be found by', async () => {
  const ref = await refOf('pair');
  const { thread, kickoffIds } = await recordOf(ref);
  const root = (await as('maria').channel(CHANNEL)).find(({ ts }) => ts === thread);
  if (!root) throw new Error('the thread has a first message');
  await as('gina').click('History', { in: root });
  const told = modalText(await as('gina').seesModal('History'));
  const lines = toldOf({ maria: '<@UMARIA001>', jon: '<@UJON00002>', aiko: '<@UAIKO0003>', gina: '<@UGUEST005>' });
  for (const line of lines) expect(told).toContain(`• ${line}`);
  await as('gina').closeModal();
  expect(root.notifies).toEqual([]);

  await as('maria').click('Copy reference', { in: root });
  await as('maria').seesModal('Copy reference');
  const link = `${world.slack.apiUrl.replace('api/', '')}archives/C0RELEASE2/p${thread.replace('.', '')}`;
  for (const [field, value] of [
    ['Reference', ref],
    ['Kickoff ID', kickoffIds[0]],
    ['Link to the thread', link],
  ] as const) {
    expect(await as('maria').chosen(field)).toEqual([value]);
    expect((await storyOf(`${value}`, { named: false }))[0]).toContain(`Run ${ref} of pair`);
  }
  await as('maria').submit();
  expect((await as('maria').snapshot()).modals).toEqual([]);
});

it('Decisions are listed with names and a link to the thread, also of one person, crew or task', async () => {
  const [pair, late] = [await refOf('pair'), await refOf('late')];
  const { thread } = await recordOf(pair);
  const slack = { SLACK_BOT_TOKEN: world.slack.botToken, SLACK_API_URL: world.slack.apiUrl };
  const listed = async (args: string[], env = {}) => {
    const { out, errors } = await audit(['decisions', ...args], { ...auditEnv(), ...env });
    return `${out}${errors}`
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.replace(/^.{16} {2}/, '').split(/ {2,}/));
  };
  const link = `${world.slack.apiUrl.replace('api/', '')}archives/C0RELEASE2/p${thread.replace('.', '')}`;
  const [task = ''] = (await listed(['--crew', 'pair']))[0]?.slice(1) ?? [];
  const approved = ['pair', task, 'approved', 'Jon Bell, Aiko Tanaka', link];
  const expired = ['late', task, 'expired', 'nobody', expect.stringMatching(/^https?:.*\/archives\/C0RELEASE2\/p\d+$/)];
  expect((await listed(['--since', '1d'], slack)).sort()).toEqual([expired, approved]);
  for (const by of ['@aiko', 'Jon Bell', 'UAIKO0003']) expect(await listed(['--by', by], slack)).toEqual([approved]);
  expect(await listed(['--crew', 'PAIR', '--task', task], slack)).toEqual([approved]);
  expect(await listed(['--by', 'UJON00002'])).toEqual([['pair', task, 'approved', 'UJON00002, UAIKO0003', pair]]);
  expect(await listed(['--crew', 'late'])).toEqual([['late', task, 'expired', 'nobody', late]]);
  const file = join(folder, 'decisions.jsonl');
  await writeFile(file, (await audit(['export'], auditEnv())).out);
  const fromFile = await audit(['decisions', file, '--csv'], {});
  expect(fromFile).toMatchObject({ code: 0, errors: '' });
  expect(readCsv(fromFile.out).map((line) => line.slice(-3, -1))).toEqual(
    expect.arrayContaining([
      ['by_ids', 'ref'],
      ['UJON00002; UAIKO0003', pair],
      ['', late],
    ]),
  );
});

it('The story of a run is found by its thread and its kickoff id when its record has expired', async () => {
  const ref = await refOf('late');
  const { thread, kickoffIds } = await recordOf(ref);
  await redis.del(recordKeys(ref).record);
  for (const name of [`https://x.slack.com/archives/C0RELEASE2/p${thread.replace('.', '')}`, `${kickoffIds[0]}`])
    expect((await storyOf(name, { named: false }))[0]).toBe(`Run ${ref} of late, in C0RELEASE2`);
});

it('An export proves decisions to anybody, and holds nothing that people typed', async () => {
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
  const printed = () =>
    logged
      .text()
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? JSON.parse(line) : []));
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

/** The lines of a story, without their times. */
async function storyOf(run: string, { named }: { named: boolean }): Promise<string[]> {
  const slack = { SLACK_BOT_TOKEN: world.slack.botToken, SLACK_API_URL: world.slack.apiUrl };
  const { out } = await audit(['who', run], { ...auditEnv(), ...(named && slack) });
  return out
    .trim()
    .replaceAll(/^\d{4}.{19} {2}/gm, '')
    .split('\n');
}

function toldOf({ maria, jon, aiko, gina }: Record<'maria' | 'jon' | 'aiko' | 'gina', string>): string[] {
  const undo = 'It could be undone for 3 seconds.';
  return [
    `${maria} started pair. It asked for approval of request 1.`,
    `${gina} tried to approve request 1. Nothing changed: guests aren’t allowed to.`,
    `${aiko} approved request 1. More approvals were needed.`,
    `${aiko} withdrew their vote on request 1.`,
    `${jon} rejected request 1. ${undo}`,
    `${jon} undid the decision on request 1 before it was sent.`,
    `${jon} approved request 1. More approvals were needed.`,
    `${aiko} approved request 1, after ${jon}. ${undo}`,
    `The decision on request 1 was sent to pair.`,
    `pair accepted the decision on request 1.`,
  ];
}

async function recordOf(ref: string): Promise<{ thread: string; kickoffIds: string[] }> {
  const { messages, kickoffIds } = JSON.parse((await redis.hget(recordKeys(ref).record, 'record')) ?? '{}');
  return { thread: messages.root.post.ts, kickoffIds };
}
