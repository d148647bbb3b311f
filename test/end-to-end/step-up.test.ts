import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/logging.ts';
import { modalText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message, OpenView } from '../../src/sandbox/slack-workspace/people-api.ts';
import { askingProgram, refOf } from '../support/asks.ts';
import { audit } from '../support/audit-program.ts';
import { collectLog } from '../support/collected-log.ts';
import { openHeadlessBrowser } from '../support/headless-browser.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../support/identity-provider.ts';
import { installedApp } from '../support/installed-app.ts';
import { CHANNEL, type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';
import { privateAnswerTo } from '../support/private-answer.ts';
import { rawExchange, statusesIn } from '../support/raw-http.ts';
import { TEST_SECRET } from '../support/world.ts';

const MARIA = 'maria@sandbox.example';
const JON = 'jon@sandbox.example';
const WINDOW = 'Sign in with your company account';

let provider: TestIdentityProvider;
let world: PolicyWorld;
let redis: Redis;
const logged = collectLog();

beforeAll(async () => {
  provider = await startIdentityProvider();
  world = await startPolicyWorld({
    crews: {
      safe: { approvers: ['UMARIA001', 'UJON00002'], step_up: true },
      pair: { approvers: ['UMARIA001', 'UJON00002'], quorum: 2, step_up: true },
      slow: { approvers: ['UMARIA001'], step_up: true, min_review: '1h' },
      noted: { approvers: ['UMARIA001'], step_up: true, comment: { approve: 'required' } },
      shrinking: { approvers: ['@shrinking'], step_up: true },
    },
    scopes: installedApp(['users:read.email']).scopes,
    groups: { shrinking: ['maria', 'jon'] },
    env: { ...provider.env, OIDC_ACR_VALUES: 'mfa phishing-resistant', OIDC_AMR: 'otp' },
    bot: { log: createLog({ level: 'trace', readable: false, to: logged.to }), sealEveryMs: 200 },
  });
  redis = new Redis({ path: world.redis.socketPath });
});
afterAll(async () => {
  await redis.quit();
  await world.stop();
  await provider.stop();
});
beforeEach(() => provider.says({}));

const maria = () => world.slack.as('maria');
const jon = () => world.slack.as('jon');

/** The address behind the button of a window. */
function linkIn(window: OpenView): string {
  const [, link = ''] = /"url":"([^"]*\/step-up\/[^"]*)"/.exec(JSON.stringify(window)) ?? [];
  return link;
}

/** Maria clicks *Approve*; resolves to the link that she gets. */
async function linkFor(card: Message, by = maria()): Promise<string> {
  await by.click('Approve', { in: card });
  const window = await by.seesModal(WINDOW);
  const link = linkIn(window);
  await by.closeModal();
  return link;
}

/** The keys of all links that can still be used. */
const linkKeys = () => redis.keys('signoff:{*}:sign-in:*');

const auditEnv = () => ({ REDIS_URL: world.redis.url, APP_SECRET: TEST_SECRET });

const start = (crew = 'safe') => world.run(crew, { by: 'aiko' });
const signIn = (link: string, address: string) => openHeadlessBrowser().signIn(link, address);
/** A page that says this. */
const says = (status: number, text: string) => ({ status, text: expect.stringContaining(text) });
const APPROVED = says(200, 'You can close this page.');

describe('An approval with a sign-in', () => {
  it('counts once the person has signed in, and the ledger says with which provider and how', async () => {
    const run = await start();
    await maria().click('Approve', { in: run.card });
    const window = await maria().seesModal(WINDOW);
    const text = modalText(window);
    expect(text).toContain('to approve *safe* · leaf no. 1..');
    expect(text).toContain('Sign in and approve');
    expect(text).toContain('works once, and expires in five minutes');
    expect(await run.toldSoFar()).toEqual([]);
    expect(await signIn(linkIn(window), MARIA)).toMatchObject(says(200, 'Approved You approved “safe · leaf no. 1.”.'));
    await run.shows('Sent to the crew.');
    expect(await run.told()).toEqual(['approved: Approved.']);
    expect(modalText(await maria().seesModal('You approved *safe* · leaf no. 1.'))).not.toContain('Sign in');
    await maria().closeModal();

    const issuer = provider.issuer.replace('http://', '');
    let exported = '';
    await expect
      .poll(async () => {
        exported = (await audit(['export', '--crew', 'safe'], auditEnv())).out;
        return exported;
      })
      .toContain('"kind":"confirmed"');
    const [, proof = '{}'] = /"proof":(\{"acr":[^}]*\})/.exec(exported) ?? [];
    const { at, ...named } = JSON.parse(proof);
    expect(named).toEqual({ acr: 'mfa', iss: provider.issuer, sub: MARIA });
    expect(Date.now() - at).toBeLessThan(60_000);
    const [, ref = ''] = /"ref":"([a-z2-7]{26})"/.exec(exported) ?? [];
    const { out: story } = await audit(['who', ref], auditEnv());
    expect(story).toContain(`(signed in with ${issuer}, mfa) approved request 1.`);
    const folder = await mkdtemp(join(tmpdir(), 'signoff-step-up-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'audit.jsonl'), exported);
    expect((await audit(['verify', join(folder, 'audit.jsonl')])).out).toContain('OK: ');
  });

  it('is asked of each of several people, once each', async () => {
    const run = await start('pair');
    const first = await linkFor(run.card);
    expect(await signIn(first, MARIA)).toMatchObject(says(200, 'Others still have to approve “pair · leaf no. 2.”.'));
    await run.shows('1 of 2 approved: Maria Alvarez');
    await maria().click('Approve', { in: run.card });
    await privateAnswerTo(maria(), CHANNEL, 'Your approval already counts.');
    await maria().closeModal();
    expect(await signIn(await linkFor(run.card, jon()), JON)).toMatchObject(
      says(200, 'You approved “pair · leaf no. 2.”.'),
    );
    await run.shows('Maria Alvarez and Jon Bell approved');
  });

  it('is asked after whether that comes too soon, and for a note', async () => {
    const soon = await start('slow');
    await maria().click('Approve', { in: soon.card });
    await maria().seesModal('The crew asked only');
    await maria().submit();
    const confirmed = linkIn(await maria().seesModal(WINDOW));
    expect(await signIn(confirmed, MARIA)).toMatchObject(APPROVED);
    await maria().closeModal();
    await soon.shows('Maria Alvarez approved');

    const noted = await start('noted');
    await maria().click('Approve…', { in: noted.card });
    await maria().fill('Note for the crew', 'Mention oolong.');
    await maria().submit();
    const withNote = linkIn(await maria().seesModal('with your note.'));
    expect(await signIn(withNote, MARIA)).toMatchObject(APPROVED);
    await maria().closeModal();
    expect(await noted.told()).toEqual(['approved: Mention oolong.']);
  });

  it('is left out where several are approved at once, and isn’t asked of people who reject', async () => {
    const run = await start();
    await maria().openHome();
    await maria().seesHome('safe');
    await maria().tick('1', { in: 'home' });
    await maria().seesHome('1 selected');
    await maria().click('Approve 1 selected…', { in: 'home' });
    expect(modalText(await maria().seesModal('None of these'))).toContain(
      'It takes a sign-in, so decide it by itself.',
    );
    await maria().closeModal();
    await maria().click('Reject…', { in: run.card });
    await maria().fill('What should change?', 'Shorter.');
    await maria().submit();
    await run.shows('Maria Alvarez rejected');
  });
});

describe('a link to sign in', () => {
  it('is of no use to another person, and works once for its own', async () => {
    const run = await start();
    const link = await linkFor(run.card);
    for (const address of [JON, 'mallory@evil.example'])
      expect(await signIn(link, address)).toMatchObject(says(403, 'This link is for somebody else'));
    expect(await run.toldSoFar()).toEqual([]);
    expect(await signIn(link, MARIA.toUpperCase())).toMatchObject(APPROVED);
    expect(await openHeadlessBrowser().open(link)).toMatchObject(says(404, 'This link no longer works'));
    await run.shows('Sent to the crew.');
  });

  it('counts once, in however many browsers the person is signing in', async () => {
    const run = await start('pair');
    const link = await linkFor(run.card);
    const [one, other] = [openHeadlessBrowser(), openHeadlessBrowser()];
    const pages = [await one.open(link), await other.open(link)] as const;
    const answers = await Promise.all([
      one.submit(pages[0], { address: MARIA }),
      other.submit(pages[1], { address: MARIA }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    await run.shows('1 of 2 approved: Maria Alvarez');
  });

  it('expires in five minutes, also for those who are just signing in', async () => {
    const run = await start();
    const before = await linkKeys();
    const link = await linkFor(run.card);
    const browser = openHeadlessBrowser();
    const page = await browser.open(link);
    const [key = ''] = (await linkKeys()).filter((each) => !before.includes(each));
    expect(key).not.toContain(link.split('/').at(-1));
    const leftMs = await redis.pttl(key);
    expect(leftMs).toBeGreaterThan(240_000);
    expect(leftMs).toBeLessThanOrEqual(300_000);
    await redis.pexpireat(key, 1);
    expect(await browser.submit(page, { address: MARIA })).toMatchObject(says(404, 'This link no longer works'));
    expect(await browser.open(link)).toMatchObject(says(404, 'This link no longer works'));
    expect(await run.toldSoFar()).toEqual([]);
  });

  it('is used up neither by those who look at it before, nor by a sign-in that is cancelled', async () => {
    const run = await start();
    const link = await linkFor(run.card);
    expect((await fetch(link, { method: 'HEAD', redirect: 'manual' })).status).toBe(303);
    for (let times = 0; times < 3; times++) await fetch(link, { redirect: 'manual' });
    const browser = openHeadlessBrowser();
    const page = await browser.open(link);
    expect(await browser.submit(page, { cancel: 'yes' })).toMatchObject(says(403, 'You weren’t signed in'));
    expect(await browser.signIn(link, MARIA)).toMatchObject(APPROVED);
    await run.shows('Maria Alvarez approved');
  });

  it('approves nothing that has changed since the click', async () => {
    const decided = await start();
    const late = await linkFor(decided.card);
    expect(await signIn(await linkFor(decided.card, jon()), JON)).toMatchObject(APPROVED);
    expect(await signIn(late, MARIA)).toMatchObject(says(409, 'Already approved Nothing was changed.'));

    const asked = await start();
    const older = await linkFor(asked.card);
    await jon().click('Reject…', { in: asked.card });
    await jon().fill('What should change?', 'Shorter.');
    await jon().submit();
    await maria().seesInThread(asked.root, 'Round 2');
    expect(await signIn(older, MARIA)).toMatchObject(says(409, 'Nothing was changed.'));
    expect(await asked.toldSoFar()).toEqual(['rejected: Shorter.']);
  });

  it('gives back the edited text of a person whose approval doesn’t count, on the page and in Slack', async () => {
    const run = await start('pair');
    const editing = async (by: ReturnType<typeof maria>, more: string): Promise<string> => {
      await by.click('Edit…', { in: run.card });
      await by.seesModal('Change the text');
      const [text = ''] = await by.chosen('Text');
      await by.fill('Text', `${text} ${more}`);
      await by.submit();
      await by.seesModal('Your edits');
      await by.choose('What happens next', 'Approve with these edits');
      await by.submit();
      return linkIn(await by.seesModal(WINDOW));
    };
    const late = await editing(jon(), 'Jon’s <b>words</b>.');
    expect(await signIn(await editing(maria(), 'Maria’s words.'), MARIA)).toMatchObject({ status: 200 });
    const { status, text } = await signIn(late, JON);
    expect(status).toBe(409);
    expect(text).toContain('Nothing was changed.');
    expect(text).toMatch(/Here is what you wrote, so that you can copy it:.*Jon’s &lt;b&gt;words&lt;\/b&gt;\./s);
    await jon().seesModal(/Not sent(.|\n)*Nothing was changed(.|\n)*Jon’s <b>words<\/b>\./);
    await jon().closeModal();
  });

  it('shows the answer that it stands for, and gives it back where it doesn’t count', async () => {
    const { ask } = askingProgram(() => world.ports[0] ?? 0, 'pair');
    refOf(await ask({ title: 'Budget', text: 'How much?', fields: [{ name: 'amount', type: 'number' }] }));
    const card = await jon().sees(CHANNEL, 'Answer needed: Budget');
    const answering = async (by: ReturnType<typeof maria>, amount: string): Promise<string> => {
      await by.click('Answer…', { in: card });
      await by.fill('amount', amount);
      await by.submit();
      return linkIn(await by.seesModal(/to give this answer to .*Budget.*:\n+.*mount: \d/));
    };
    const late = await answering(jon(), '6');
    expect(await signIn(await answering(maria(), '5'), MARIA)).toMatchObject({ status: 200 });
    const { text } = await signIn(late, JON);
    expect(text).toMatch(/Nothing was changed\. Try again in Slack to see why\..*amount: 6/s);
    await jon().seesModal(/Not sent(.|\n)*amount: 6/);
    await jon().closeModal();
    await jon().click('Confirm this answer', { in: await jon().seesChanged(card, 'Confirm this answer') });
    await jon().seesModal(/to give this answer to .*Budget.*:\n+.*mount: 5/);
    await jon().closeModal();
  });

  it('asks the rules again at that moment', async () => {
    const run = await start('shrinking');
    const link = await linkFor(run.card);
    await world.setGroup('shrinking', ['jon']);
    await world.restart();
    expect(await signIn(link, MARIA)).toMatchObject(says(409, 'Try again in Slack to see why.'));
    expect(await run.toldSoFar()).toEqual([]);
  });
});

describe('a sign-in', () => {
  it('approves nothing unless it is strong, recent, and of a verified address', async () => {
    const run = await start();
    const link = await linkFor(run.card);
    const insufficient: [Parameters<TestIdentityProvider['says']>[0], string][] = [
      [{ acr: 'pwd' }, 'A stronger sign-in is needed'],
      [{ acr: undefined }, 'A stronger sign-in is needed'],
      [{ amr: ['pwd'] }, 'A stronger sign-in is needed'],
      [{ emailVerified: false }, 'Your address isn’t verified'],
      [{ emailVerified: undefined }, 'Your address isn’t verified'],
      [{ agoMs: 120_000 }, 'Sign in anew'],
    ];
    for (const [saying, said] of insufficient) {
      provider.says(saying);
      expect(await signIn(link, MARIA), JSON.stringify(saying)).toMatchObject(says(403, said));
    }
    expect(await run.toldSoFar()).toEqual([]);
    provider.says({});
    expect(await signIn(link, MARIA)).toMatchObject(APPROVED);
  });

  it('comes back only in the browser that set out for it', async () => {
    const run = await start();
    const link = await linkFor(run.card);
    const browser = openHeadlessBrowser();
    await browser.signIn(link, JON);
    const back = browser.history.at(-1) ?? '';
    expect(back).toContain('/step-up/callback?code=');
    const other = openHeadlessBrowser();
    expect(await other.open(back)).toMatchObject(says(400, 'Open the link again'));
    // Also if that one has set out, too.
    await other.open(link);
    expect(await other.open(back)).toMatchObject(says(400, 'Open the link again'));
    for (const [from, to] of [
      ['code=', 'code=x'],
      ['iss=', 'iss=x'],
      [/state=[^&]*/, ''],
      [/state=([^&]*)/, 'state=$1&state=$1'],
    ] as const) {
      const forged = back.replace(from, to);
      expect(forged).not.toBe(back);
      expect([400, 403]).toContain((await browser.open(forged)).status);
    }
    expect(await browser.signIn(link, MARIA)).toMatchObject(APPROVED);
  });

  it('waits until the provider is there again', async () => {
    const run = await start();
    const link = await linkFor(run.card);
    const browser = openHeadlessBrowser();
    const page = await browser.open(link);
    const back = await browser.submit(page, { address: JON });
    expect(back.status).toBe(403);
    await provider.goAway();
    expect(await browser.open(browser.history.at(-1) ?? '')).toMatchObject(
      says(503, 'Signing in doesn’t work right now'),
    );
    await world.restart();
    expect(await openHeadlessBrowser().open(link)).toMatchObject(says(503, 'Signing in doesn’t work right now'));
    await provider.comeBack();
    expect(await browser.signIn(link, MARIA)).toMatchObject(APPROVED);
    await run.shows('Maria Alvarez approved');
  });
});

it('the pages run nothing, load nothing, and are kept nowhere', async () => {
  const run = await start();
  const link = await linkFor(run.card);
  const browser = openHeadlessBrowser();
  const pages = [await browser.open(`${link}x`), await browser.signIn(link, JON), await browser.signIn(link, MARIA)];
  for (const { headers } of pages) {
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
      ),
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  }
  const { headers } = await fetch(await linkFor((await start()).card), { redirect: 'manual' });
  expect(headers.get('set-cookie')).toMatch(
    /^signoff-sign-in=[\w-]{43}; Path=\/; Max-Age=300; HttpOnly; SameSite=Lax$/,
  );
  expect(headers.get('referrer-policy')).toBe('no-referrer');
});

it('the cookie is of this host alone, and never sent without TLS, where people come by https', async () => {
  const link = await linkFor((await start()).card);
  const bot = await world.startBot({ env: { PUBLIC_URL: 'https://bot.example.com' } });
  const address = `http://127.0.0.1:${bot.port}${new URL(link).pathname}`;
  const { headers } = await fetch(address, { redirect: 'manual' });
  await bot.stop();
  await world.restart();
  expect(headers.get('set-cookie')).toMatch(
    /^__Host-signoff-sign-in=[\w-]{43}; Path=\/; Max-Age=300; HttpOnly; SameSite=Lax; Secure$/,
  );
  const asked = new URL(headers.get('location') ?? '').searchParams;
  expect(asked.get('redirect_uri')).toBe('https://bot.example.com/step-up/callback');
});

it('the log tells who signed in for what, and no secret', async () => {
  const run = await start();
  const link = await linkFor(run.card);
  const browser = openHeadlessBrowser();
  expect(await browser.signIn(link, JON)).toMatchObject(says(403, 'for somebody else'));
  expect(await browser.signIn(link, MARIA)).toMatchObject(APPROVED);
  await expect.poll(logged.text).toContain('a person signed in to approve');
  expect(logged.text()).toMatch(/"trouble":"other-person","by":"UMARIA001"/);
  const codes = browser.history.flatMap((address) => new URL(address).searchParams.getAll('code'));
  expect(codes).toHaveLength(2);
  const secrets = [...codes, link.split('/').at(-1) ?? '', provider.secret, MARIA, JON];
  for (const secret of secrets) expect(logged.text()).not.toContain(secret);
});

const ANY = 'a'.repeat(43);

it.each<[string, string, number]>([
  ['an unknown link', `GET /step-up/${ANY}`, 404],
  ['no link', 'GET /step-up/', 404],
  ['half a path', 'GET /step-up', 404],
  ['more behind a link', `GET /step-up/${ANY}/callback`, 404],
  ['more behind the way back', 'GET /step-up/callback/', 404],
  ['dots', 'GET /step-up/%2e%2e', 404],
  ['a NUL', `GET /step-up/${ANY}%00`, 404],
  ['a prototype', 'GET /step-up/__proto__', 404],
  ['a link of ten thousand characters', `GET /step-up/${'a'.repeat(10_000)}`, 404],
  ['markup', 'GET /step-up/%3Cscript%3E', 404],
  ['a form', `POST /step-up/${ANY}`, 405],
  ['a form on the way back', 'POST /step-up/callback?code=x', 405],
  ['a way back without anything', 'GET /step-up/callback', 400],
  ['a way back to a link that nobody has', `GET /step-up/callback?code=x&state=${ANY}.${ANY}`, 400],
  ['a way back to a prototype', 'GET /step-up/callback?code=x&state=__proto__', 400],
  ['a way back with broken codes', 'GET /step-up/callback?code=%ff%fe&state=%', 400],
  ['a way back with two states', `GET /step-up/callback?state=${ANY}.${ANY}&state=${ANY}.${ANY}`, 400],
  ['a way back of ten thousand characters', `GET /step-up/callback?state=${'a'.repeat(10_000)}`, 400],
])('%s leads nowhere', async (_, request, status) => {
  for (const cookie of ['', `Cookie: signoff-sign-in=${ANY}\r\n`, 'Cookie: signoff-sign-in=../../__proto__;;=;\r\n']) {
    const head = `${request} HTTP/1.1\r\nHost: x\r\nAccept-Language: ,;q=x\r\n${cookie}Connection: close\r\n\r\n`;
    const received = await rawExchange(world.ports[0] ?? 0, head);
    expect(statusesIn(received)).toEqual([status]);
    expect(received).not.toMatch(/\.[tj]s:\d|node_modules|Error:|<script/);
  }
});
