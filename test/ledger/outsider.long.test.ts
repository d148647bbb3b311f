import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { canonicalJson, type LedgerEvent, sha256 } from '../../src/core/ledger/entry.ts';
import { policyDocument, policyHash } from '../../src/core/policy/document.ts';
import { sealNew } from '../../src/ledger/seal.ts';
import { ledgerKey, policiesKey } from '../../src/redis/keys.ts';
import type { Manifest } from '../../src/tools/audit/lines.ts';
import { begin, play, plays } from '../core/policy/possible/play.ts';
import { redisForTests } from '../redis/store-under-test.ts';
import {
  AUDIT_DAYS,
  append,
  asked,
  confirmed,
  DAY_MS,
  decided,
  exported,
  jon,
  maria,
  NOW,
  POLICY,
  recordPolicy,
  refOf,
  seed,
  sent,
  signers,
  voted,
} from './ledger-under-test.ts';
import { ROUTED, ROUTED_POLICIES, TRIALS, tried } from './routed-runs.ts';

const { redis } = redisForTests();
const SCRIPT = fileURLToPath(new URL('./outsider.mjs', import.meta.url));
const vkey = signers[0]?.vkey ?? '';

it('somebody who has nothing but the documented format verifies an export', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signoff-export-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'audit.jsonl');
  await seed(redis(), 60);
  const older = await sealNew(redis(), { signers, auditDays: AUDIT_DAYS });
  await append(redis(), refOf(100));
  for (const wanted of [{}, { filters: { ref: refOf(7) }, after: older?.note ?? '' }]) {
    const text = await exported(redis(), wanted);
    await writeFile(file, text);
    const entries = Object.hasOwn(wanted, 'filters') ? 5 : 306;
    expect(String(execFileSync(process.execPath, [SCRIPT, file, vkey]))).toBe(
      `${entries} entries are what was sealed.\n`,
    );
    await writeFile(file, text.replace('"verdict":"approve"', '"verdict":"reject"'));
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, file, vkey], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('the bytes were changed');
  }
});

/** What the script says of it: how many entries it proves, or the first wrong line. */
async function judged(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signoff-export-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'audit.jsonl');
  await writeFile(file, text);
  const { stdout, stderr } = spawnSync(process.execPath, [SCRIPT, file, vkey], { encoding: 'utf8' });
  return `${stdout}${stderr}`;
}

const linesOf = (text: string) => text.split(/(?<=\n)/);
/** The number of the last line that has this. */
const lineOf = (text: string, part: string) => linesOf(text).findLastIndex((line) => line.includes(part)) + 1;

/** With another last line, which has all signatures. */
function signedAgain(text: string, changes: Partial<Manifest['export']> = {}): string {
  const lines = linesOf(text);
  const before = lines.slice(0, -1).join('');
  const content = { ...JSON.parse(lines.at(-1) ?? '').export, sha256: sha256(before), ...changes };
  const signatures = signers.map(({ sign }) => sign(canonicalJson(content)).toString('base64'));
  return `${before}${canonicalJson({ export: content, signatures })}\n`;
}

const policy = policyHash(POLICY);
const stages = { ...POLICY, undoMs: 1_000, expireAfterMs: 9_000, onExpiry: 'reject' as const };
const stagesHash = policyHash(stages);
const eve = { by: 'U0EVE', rule: 'handed over', account: 'member' as const };
const handedOver: LedgerEvent = {
  kind: 'handed-over',
  at: NOW + 1_500,
  facts: { approval: '1', by: jon.by, to: eve.by, rule: jon.rule, policy },
};
const byEve = decided({ by: { ...eve, for: jon }, handed_to: [eve.by] });
const paul = { ...eve, by: 'U0PAUL' };
/** Eve hands on what Jon has handed over to her, by this rule. */
const handedOn = (rule: string): LedgerEvent => ({
  ...handedOver,
  facts: { ...handedOver.facts, by: eve.by, to: paul.by, rule },
});
/** Only people whom it names may be handed a request; Eve is one of the chiefs. */
const chiefs = [{ kind: 'handle' as const, name: '@chiefs' }];
const namers = { ...POLICY, delegation: 'approvers' as const, escalateAfterMs: 9_000, escalateTo: chiefs };
const closed = { ...POLICY, delegation: 'none' as const };
const [namersHash, closedHash] = [policyHash(namers), policyHash(closed)];
const handedUnder = (policy: string, to_named?: string): LedgerEvent => ({
  ...handedOver,
  facts: { ...handedOver.facts, policy, ...(to_named !== undefined && { to_named }) },
});
const byEveUnder = (policy: string, named?: string) =>
  decided({ by: { ...eve, for: jon, ...(named !== undefined && { named }) }, handed_to: [eve.by], policy });
const signedFor = { ...POLICY, stepUp: true };
const signedHash = policyHash(signedFor);
const proof = { iss: 'https://login.example.com', sub: 'u1', at: NOW + 500, acr: null };
const votedSigned = (signIn: object = { proof }): LedgerEvent => ({
  kind: 'voted',
  at: NOW + 1_000,
  facts: { approval: '1', ...maria, ...signIn, text: null, policy: signedHash },
});
const decidedSigned = (signIn: object = { proof }) => decided({ by: { ...jon, ...signIn }, policy: signedHash });
const undoable = decided({ undo_ms: 1_000, policy: stagesHash });
const declined = decided({ verdict: 'decline', votes: [], undo_ms: 1_000, policy: stagesHash });
const undone = (at: number): LedgerEvent => ({
  kind: 'undone',
  at,
  facts: { approval: '1', by: jon.by, rule: 'own decision', policy: stagesHash },
});
const secondAttempt: LedgerEvent = { kind: 'sent', at: NOW + 3_000, facts: { approval: '1', attempt: 2 } };
const nobody = { by: null, verdict: 'reject' as const, votes: [], policy: stagesHash };
const text = { sha256: sha256(stages.expiryText), length: stages.expiryText.length };
const expired = (at: number): LedgerEvent[] => [
  { kind: 'expired', at, facts: { approval: '1', outcome: 'reject', policy: stagesHash } },
  decided({ ...nobody, text }, at),
];

it.each<[string, LedgerEvent[]]>([
  ['a hand-over whose right counts', [asked(), voted(), handedOver, byEve, sent, confirmed]],
  [
    'a hand-over to somebody whom the policy names',
    [asked(), voted(), handedUnder(namersHash, '@chiefs'), byEveUnder(namersHash, '@chiefs')],
  ],
  ['a decision undone in time', [asked(), voted(), undoable, undone(NOW + 2_900)]],
  ['a decline that is undone', [asked(), voted(), declined, undone(NOW + 2_900)]],
  ['a decline', [asked(), voted(), declined]],
  ['an expiry that rejects', [asked(), voted(), ...expired(NOW + 9_000)]],
  ['approvals that were signed in for', [asked(), votedSigned(), decidedSigned(), sent, confirmed]],
  ['a vote replaced, and a new round', [asked(), voted(), voted(), decided(), asked({ approval: '2', round: 2 })]],
])('finds nothing wrong with %s', async (_, events) => {
  await recordPolicy(redis());
  for (const each of [stages, namers, signedFor]) await recordPolicy(redis(), each);
  await append(redis(), 'run', events);
  expect(await judged(await exported(redis()))).toContain(`${events.length + 4} entries`);
  const chosen = await exported(redis(), { filters: { crew: 'research' } });
  expect(await judged(chosen)).toContain(`${events.length + 4} entries`);
});

/** The last entry of each is the wrong one. */
it.each<[string, LedgerEvent[], string]>([
  ['a decline that is sent', [asked(), voted(), declined, secondAttempt], 'comes while the request is declined'],
  ['decided twice', [asked(), voted(), decided(), decided()], 'comes while the request is decided'],
  [
    'a right counted twice',
    [asked(), voted(jon), handedOver, decided({ by: { ...eve, for: jon }, votes: [jon], handed_to: [eve.by] })],
    'counts a person or a right twice',
  ],
  [
    'a right of somebody who never gave it',
    [asked(), voted(), handedOver, decided({ by: { ...eve, for: maria }, handed_to: [eve.by] })],
    'who never gave it',
  ],
  [
    'a lent right that is handed on',
    [asked(), voted(), handedOver, handedOn('handed over')],
    'hands on a right that was lent',
  ],
  [
    'a decision that rests on two hops',
    [
      ...[asked(), voted(), handedOver, handedOn(jon.rule)],
      decided({ by: { ...paul, for: jon }, handed_to: [eve.by, paul.by] }),
    ],
    'who never gave it',
  ],
  [
    'a decision that leaves out to whom it was handed over',
    [asked(), voted(), handedOver, decided()],
    'says otherwise to whom it was handed over',
  ],
  [
    'a hand-over to somebody whom the policy does not name',
    [asked(), voted(), handedUnder(namersHash)],
    'to whom the policy lets nobody hand over',
  ],
  [
    'a decision of somebody whom it no longer names',
    [asked(), voted(), handedUnder(namersHash, '@chiefs'), byEveUnder(namersHash)],
    'to whom the policy lets nobody hand over',
  ],
  [
    'a decision with a right that the policy has made void',
    [asked(), voted(), handedOver, byEveUnder(closedHash)],
    'to whom the policy lets nobody hand over',
  ],
  ['a vote that nobody gave', [asked(), decided()], 'counts a vote of U0MARIA, who gave none'],
  ['too few approvals', [asked(), decided({ votes: [] })], 'has too few approvals'],
  ['the policy of another crew', [asked({ crew: 'other' })], 'names a policy that its crew had not'],
  ['an approval without a sign-in', [asked(), votedSigned(), decidedSigned({})], 'without a sign-in'],
  ['a vote without a sign-in', [asked(), votedSigned({})], 'without a sign-in'],
  ['a vote from before it took a sign-in', [asked(), voted(), decidedSigned()], 'counts a vote without a sign-in'],
  [
    'a sign-in that is too old',
    [asked(), votedSigned({ proof: { ...proof, at: NOW - 599_001 } })],
    'has a sign-in of another time',
  ],
  ['an undo too late', [asked(), voted(), undoable, undone(NOW + 3_000)], 'is too late'],
  ['something sent too soon', [asked(), voted(), undoable, { ...sent, at: NOW + 2_999 }], 'could still be undone'],
  ['an expiry too soon', [asked(), ...expired(NOW + 8_999).slice(0, 1)], 'expires too early'],
  ['a second attempt without a first', [asked(), voted(), decided(), secondAttempt], 'another attempt'],
])('refuses %s', async (_, events, told) => {
  await recordPolicy(redis());
  for (const each of [stages, namers, closed, signedFor]) await recordPolicy(redis(), each);
  await recordPolicy(redis(), { ...stages, quorum: 3 }, 'other');
  await append(redis(), 'run', events);
  const text = await exported(redis());
  const said = await judged(text);
  expect(said).toContain(`line ${lineOf(text, `"ref":"run","seq":${events.length}}\n`)}: `);
  expect(said).toContain(told);
});

it.each(ROUTED)('judges %s', async (_, events, _told, told) => {
  for (const each of ROUTED_POLICIES) await recordPolicy(redis(), each);
  await append(redis(), 'run', events);
  expect(await judged(await exported(redis()))).toContain(told ?? 'entries are what was sealed');
});

it.each(TRIALS)('judges %s', async (_, ref, _told, told) => {
  await append(redis(), ref, [tried]);
  expect(await judged(await exported(redis()))).toContain(told ?? 'entries are what was sealed');
});

/** Texts of the histories have no real hashes. */
function withHash(event: LedgerEvent): LedgerEvent {
  if (event.kind !== 'asked') return event;
  const { output } = event.facts;
  return { ...event, facts: { ...event.facts, output: { ...output, sha256: sha256(output.sha256) } } };
}

it('finds nothing wrong with what anybody does, whatever turns out to apply and in whichever order it is learned', async () => {
  const histories = fc.sample(plays, 300).map(([beginning, moves]) => moves.reduce(play, begin(beginning)));
  for (const [i, { policy, entered }] of histories.entries()) {
    await redis().hset(policiesKey, policyHash(policy), canonicalJson(policyDocument(policy)));
    await append(redis(), refOf(i), entered.map(withHash));
  }
  expect(await judged(await exported(redis()))).toContain('entries are what was sealed.');
});

it('refuses what a careless exporter would sign', async () => {
  await seed(redis(), 2);
  const text = await exported(redis(), { filters: { crew: 'research' } });
  const [lines, last] = [linesOf(text), linesOf(text).length];
  expect(await judged(signedAgain(text))).toContain('11 entries are what was sealed.');
  const changed = text.replace('"attempt":1', '"attempt":2');
  const first = linesOf(text).findIndex((line) => line.includes('"attempt":1')) + 1;
  expect(await judged(signedAgain(changed))).toBe(`line ${first}: has a hash that is not its own\n`);
  const lacksLast = signedAgain(lines.toSpliced(-3, 2).join(''), { entries: 10 });
  expect(await judged(lacksLast)).toBe(`line ${last - 2}: says that the runs have other entries\n`);
  const runs = { ...JSON.parse(lines.at(-1) ?? '').export.runs, [refOf(1)]: [1, 6] };
  expect(await judged(signedAgain(text, { runs }))).toBe(`line ${last}: says that the runs have other entries\n`);
  expect(await judged(signedAgain(text, { entries: 12 }))).toBe(`line ${last}: another number of entries\n`);
});

it('takes entries for expired only below a checkpoint that proves their age', async () => {
  await seed(redis(), 3);
  const today = Date.now();
  const seal = (now: number) => sealNew(redis(), { signers, auditDays: AUDIT_DAYS, now });
  await seal(today);
  await append(redis(), refOf(100));
  await seal(today + 10 * DAY_MS);
  await redis().del(ledgerKey(refOf(1)));
  const text = await exported(redis(), { now: today + (AUDIT_DAYS + 1) * DAY_MS });
  expect(await judged(text)).toBe('16 entries are what was sealed.\n');
  const last = linesOf(text).length;
  expect(await judged(signedAgain(text, { at: today + 20 * DAY_MS }))).toBe(
    `line ${last}: lacks entries that cannot have expired\n`,
  );
  expect(await judged(signedAgain(text, { absent: [] }))).toBe(`line ${last}: says that other entries are absent\n`);
});

it('has about nine hundred lines, and nothing of the product', () => {
  const script = readFileSync(SCRIPT, 'utf8');
  expect(script.split('\n').length - 1).toBeLessThan(910);
  const imports = [...script.matchAll(/from '([^']+)'/g)].map(([, name]) => name);
  expect(imports).toEqual(['node:crypto', 'node:fs']);
});
