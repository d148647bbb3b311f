import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson, sha256 } from '../../../src/core/ledger/entry.ts';
import { deriveSigners, parseCheckpoint } from '../../../src/ledger/checkpoint.ts';
import { sealNew } from '../../../src/ledger/seal.ts';
import { ledgerKey } from '../../../src/redis/keys.ts';
import type { Manifest } from '../../../src/tools/audit/lines.ts';
import {
  AUDIT_DAYS,
  append,
  asked,
  DAY_MS,
  decided,
  exported,
  NOW,
  recordPolicy,
  refOf,
  SECRET,
  STORY,
  seed,
  signers,
  verified,
  voted,
} from '../../ledger/ledger-under-test.ts';
import { redisForTests } from '../../redis/store-under-test.ts';
import { runs } from '../../support/sample.ts';

const { redis } = redisForTests();
const [signer] = signers;
/** When a policy is entered, by Redis' clock. */
const TODAY = Date.now();
const EXPIRED = TODAY + (AUDIT_DAYS + 1) * DAY_MS;
const seal = (now = TODAY) => sealNew(redis(), { signers, auditDays: AUDIT_DAYS, now });
const headOf = (note = '') => parseCheckpoint(note, signers)?.head ?? { size: -1, root: '' };

it('an empty ledger has an export that verifies', async () => {
  expect(await verified(await exported(redis()))).toMatch(/^OK: 0 entries of 0 runs/);
});

it('a whole export proves every entry, run and decision', async () => {
  await seed(redis(), 80);
  const told = await verified(await exported(redis()), { key: signer ?? null });
  expect(told).toContain('OK: 401 entries of 80 runs, 80 decisions allowed by the policy that each names.');
  expect(told).toContain('Complete: every sealed entry is here.');
  expect(told).toContain(`Signed by the key ${signer?.id}.`);
});

it('a selection has whole runs, and stays provable', async () => {
  await seed(redis(), 60);
  await append(redis(), 'late', [asked({}, NOW + 60_000), voted(undefined, NOW + 120_000)]);
  const counts = async (filters: Parameters<typeof exported>[1] extends infer T ? T : never) =>
    /OK: (\d+ entr\w+ of \d+ runs?)/.exec(await verified(await exported(redis(), filters)))?.[1];
  expect(await counts({ filters: { ref: refOf(7) } })).toBe('5 entries of 1 run');
  expect(await counts({ filters: { since: NOW + 100_000 } })).toBe('2 entries of 1 run');
  expect(await counts({ filters: { until: NOW } })).toBe('0 entries of 0 runs');
  expect(await counts({ filters: { until: NOW + 1 } })).toBe('301 entries of 60 runs');
  expect(await counts({ filters: { crew: 'research' } })).toBe('303 entries of 61 runs');
  expect(await counts({ filters: { crew: 'other' } })).toBe('0 entries of 0 runs');
});

it('nothing that was sealed by an older checkpoint can be gone', async () => {
  await seed(redis(), 3);
  const older = (await seal())?.note;
  await append(redis(), refOf(100));
  const after = headOf(older);
  expect(await verified(await exported(redis()), { after })).toContain(
    `by the checkpoint of ${after.size} was removed`,
  );
  const selection = { filters: { ref: refOf(100) } };
  expect(await verified(await exported(redis(), selection), { after })).toContain(
    'lacks a proof about the checkpoint of 16',
  );
  expect(await verified(await exported(redis(), { ...selection, after: older ?? '' }), { after })).toContain('OK');
  expect(await verified(await exported(redis()), { after: { ...after, root: 'ab'.repeat(32) } })).toContain(
    'were changed',
  );
  await redis().flushall();
  await seed(redis(), 1);
  expect(await verified(await exported(redis()), { after })).toBe(
    'line 1: has a checkpoint of 6 entries, but 16 were sealed before',
  );
});

it('tells which entries have expired, and which cannot have', async () => {
  await seed(redis(), 3);
  await seal();
  await append(redis(), refOf(100));
  await seal(TODAY + 10 * DAY_MS);
  await redis().del(ledgerKey(refOf(1)));
  const text = await exported(redis(), { now: EXPIRED });
  expect(await verified(text)).toContain('every sealed entry is here but 5, which have expired');
  expect(await verified(signedAgain(text, { at: TODAY + 20 * DAY_MS }))).toMatch(
    /^line \d+: lacks entries \d+ to \d+ of the tree, and no checkpoint here proves that they can have expired$/,
  );
  await expect(exported(redis(), { now: TODAY + 20 * DAY_MS })).rejects.toThrow('is gone from Redis');
  await redis().del(ledgerKey(refOf(100)));
  await expect(exported(redis(), { now: EXPIRED })).rejects.toThrow(
    `Entry 1 of ${refOf(100)} was sealed, and is gone from Redis or changed there.`,
  );
});

it('says what has become of the entries below an older checkpoint', async () => {
  await seed(redis(), 3);
  const after = headOf((await seal())?.note);
  await append(redis(), refOf(100));
  await redis().del(ledgerKey(refOf(1)));
  const told = await verified(await exported(redis(), { now: EXPIRED }), { after });
  expect(told).toContain(
    'Of the 16 entries that were sealed by the checkpoint of 16, 5 have expired and are not here.',
  );
  expect(told).not.toContain('Nothing that was sealed');
});

it('a chain that has expired begins anew', async () => {
  await seed(redis(), 1);
  await seal();
  await redis().del(ledgerKey(refOf(0)));
  await append(redis(), refOf(0), [asked({}, EXPIRED), voted(undefined, EXPIRED + 1_000)]);
  const text = await exported(redis(), { now: EXPIRED + 2_000 });
  expect(await verified(text)).toContain('every sealed entry is here but 5, which have expired');
  const selection = await exported(redis(), { now: EXPIRED + 2_000, filters: { ref: refOf(0) } });
  expect(await verified(selection)).toContain('OK: 2 entries of 1 run');
});

it('a selection that lacks the last entry of a run, or a run, is refused', async () => {
  await seed(redis(), 2);
  const lines = (await exported(redis(), { filters: { crew: 'research' } })).split(/(?<=\n)/);
  expect(await verified(signedAgain(lines.join(''), {}))).toContain('OK: 11 entries of 2 runs');
  // Which chain comes last depends on where sealing has begun.
  const { ref } = JSON.parse(lines.at(-3) ?? '');
  expect(await verified(signedAgain(lines.toSpliced(-3, 2).join(''), { entries: 10 }))).toContain(
    `says that the runs have other entries: ${ref}`,
  );
  expect(await verified(signedAgain([lines[0], lines.at(-1)].join(''), { entries: 0 }))).toContain(
    'says that the runs have other entries: ',
  );
});

/** As a careless exporter would have written it: with another last line, which has all signatures. */
function signedAgain(text: string, changes: Partial<Manifest['export']>): string {
  const lines = text.split(/(?<=\n)/);
  const before = lines.slice(0, -1).join('');
  const { export: content } = JSON.parse(lines.at(-1) ?? '');
  const changed = { ...content, sha256: sha256(before), ...changes };
  const signatures = signers.map(({ sign }) => sign(canonicalJson(changed)).toString('base64'));
  return `${before}${canonicalJson({ export: changed, signatures })}\n`;
}

const STORIES = [STORY, [asked(), voted()], [asked(), voted(), decided(), asked({ approval: '2', round: 2 })]];
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ run: fc.nat({ max: 5 }) }) },
  { weight: 1, arbitrary: fc.constant('seal' as const) },
);
const filters = fc.record({
  since: fc.option(fc.integer({ min: NOW - 1, max: NOW + 5_000 })),
  until: fc.option(fc.integer({ min: NOW - 1, max: NOW + 5_000 })),
  ref: fc.option(fc.nat({ max: 5 }).map(refOf)),
  crew: fc.option(fc.constantFrom('research', 'other')),
});

it('always verifies, whatever is appended and sealed in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), filters, async (steps, filters) => {
      await redis().flushall();
      await recordPolicy(redis());
      const stories = Array.from({ length: 6 }, (_, run) => [...(STORIES[run % STORIES.length] ?? [])]);
      const checkpoints: string[] = [];
      for (const each of steps) {
        if (each === 'seal') checkpoints.push((await seal())?.note ?? '');
        else await append(redis(), refOf(each.run), stories[each.run]?.splice(0, 1) ?? []);
      }
      const [first = ''] = checkpoints.filter((note) => note !== '');
      const after = first === '' ? null : headOf(first);
      expect(await verified(await exported(redis()), { after, key: signer ?? null })).toContain('Complete');
      const selection = await exported(redis(), first === '' ? { filters } : { filters, after: first });
      expect(await verified(selection, { after })).toContain('OK');
    }),
    runs({ some: 15, all: 100 }),
  );
});

it('is signed by all keys of a rotation, and goes on from what keys signed that are no longer in use', async () => {
  const [newest, newer] = ['the newest secret of at least thirty-two', 'a newer secret of at least thirty-two'];
  const sealWith = (secrets: string[]) => sealNew(redis(), { signers: deriveSigners(secrets), auditDays: AUDIT_DAYS });
  await seed(redis(), 1);
  const note = (await sealWith([SECRET]))?.note ?? '';
  const after = headOf(note);
  await append(redis(), refOf(2));
  await sealWith([newer, SECRET]);
  await append(redis(), refOf(3));
  const secrets = [newest, newer, SECRET];
  const text = await exported(redis(), { secrets });
  for (const key of deriveSigners(secrets)) expect(await verified(text, { key, after })).toContain('OK');
  const left = deriveSigners([newest, newer]);
  for (const wanted of [{}, { filters: { ref: refOf(2) }, after: note }]) {
    const later = await exported(redis(), { secrets: [newest, newer], ...wanted });
    for (const key of left) expect(await verified(later, { key, after })).toContain('OK');
    expect(await verified(later, { key: signer ?? null, after })).toContain(
      `was not signed by the key ${signer?.id}, but by ${left[0]?.id} and ${left[1]?.id}: give one of these`,
    );
  }
});

it('no byte of it can be changed, removed, added or moved', async () => {
  await seed(redis(), 2);
  const bytes = Buffer.from(await exported(redis()));
  const at = fc.nat({ max: bytes.length - 1 });
  const change = fc.oneof(
    fc.record({ at, bit: fc.nat({ max: 7 }) }).map((change) => {
      const changed = Buffer.from(bytes);
      changed[change.at] = (changed[change.at] ?? 0) ^ (1 << change.bit);
      return changed;
    }),
    at.map((from) => Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1)])),
    fc
      .tuple(at, fc.nat({ max: 255 }))
      .map(([to, byte]) => Buffer.concat([bytes.subarray(0, to), Buffer.of(byte), bytes.subarray(to)])),
    fc.constantFrom(Buffer.concat([bytes, Buffer.from('\n')]), bytes.subarray(0, -1), Buffer.alloc(0)),
  );
  await fc.assert(
    fc.asyncProperty(change, async (changed) => {
      expect(await verified(changed)).toMatch(/^line \d+: /);
    }),
    runs({ some: 100, all: 1_000 }),
  );
});

it('no line of it can be removed, repeated or moved', async () => {
  await seed(redis(), 2);
  const lines = (await exported(redis())).split(/(?<=\n)/);
  for (const [i, line] of lines.entries()) {
    const without = lines.toSpliced(i, 1);
    expect(await verified(without.join(''))).toMatch(/^line \d+: /);
    expect(await verified(lines.toSpliced(i, 0, line).join(''))).toMatch(/^line \d+: /);
    expect(await verified(without.toSpliced((i + 1) % lines.length, 0, line).join(''))).toMatch(/^line \d+: /);
  }
});
