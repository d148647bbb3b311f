import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  canonicalJson,
  chainEntries,
  type LedgerEvent,
  NO_ENTRIES,
  type VoteFacts,
} from '../../../src/core/ledger/entry.ts';
import { sealNew } from '../../../src/ledger/seal.ts';
import type { RedisClient } from '../../../src/redis/call.ts';
import { ledgerKey } from '../../../src/redis/keys.ts';
import { readEntries, storedEntry, UnreadableEntry } from '../../../src/redis/ledger/entries.ts';
import {
  AUDIT_DAYS,
  append,
  asked,
  decided,
  NOW,
  recordPolicy,
  STORY,
  signers,
  voted,
} from '../../ledger/ledger-under-test.ts';
import { redisForTests } from '../store-under-test.ts';
import { anyEvent } from './any-event.ts';

const { redis } = redisForTests();
/** Of one entry, and of all entries on average with what seals them. */
const MOST_BYTES = 800;
const MOST_MEAN_BYTES = 400;
const policy = 'ab'.repeat(32);

it('reads any entries as they were', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 6 }), (events) => {
      const entries = chainEntries('r1', NO_ENTRIES, events);
      expect(readEntries('r1', entries.map(storedEntry))).toEqual(entries);
    }),
  );
});

it('reads a hand-over as it was where an older build let somebody hand on a right that was lent to them', () => {
  const handedOn = { rule: 'handed over', for: lead(1), named: '@platform-leads' };
  const facts = { approval: '1', by: person(2), to: person(3), policy, ...handedOn };
  const entries = chainEntries('r1', NO_ENTRIES, [{ kind: 'handed-over', at: NOW, facts }]);
  expect(readEntries('r1', entries.map(storedEntry))).toEqual(entries);
});

it('stores an entry as JSON with the names under which it is exported', async () => {
  const [entry] = await append(redis(), 'run1', [asked()]);
  const [stored = ''] = await redis().lrange(ledgerKey('run1'), 0, -1);
  const { kind, at, facts } = entry ?? {};
  expect(JSON.parse(stored)).toEqual({ kind, at, facts });
});

it.each([
  'no JSON',
  '{}',
  JSON.stringify({ kind: 'unheard-of', at: NOW, facts: {} }),
  JSON.stringify({ kind: 'sent', at: NOW, facts: { approval: '1', attempt: '1' } }),
  JSON.stringify({ kind: 'sent', at: NOW, facts: { approval: '1', attempt: 1, more: true } }),
])('refuses to read %j', (stored) => {
  expect(() => readEntries('r1', [stored])).toThrow(UnreadableEntry);
});

const person = (number: number) => `U0${number}23456789`;
/** A person who has the right of another, who counts as a member of a group. */
const standIn = (number: number): VoteFacts => ({
  by: person(number),
  rule: 'handed over',
  account: 'member',
  for: { by: person(number + 1), rule: '@platform-leads', account: 'member' },
});
const lead = (number: number): VoteFacts => ({ by: person(number), rule: '@platform-leads', account: 'member' });
const task = { id: randomUUID(), name: 'Write the release announcement for customers, and check every claim in it' };

/** The largest that people ordinarily cause: three approvals, one of them by a stand-in, after an escalation. */
const LARGEST: LedgerEvent[] = [
  asked({ crew: 'customer-communications', task }),
  { kind: 'named', at: NOW, facts: { approval: '12', task, policy } },
  voted(standIn(1)),
  decided({
    by: standIn(1),
    votes: [lead(3), lead(4)],
    escalated: [''],
    handed_to: [person(1), person(5)],
    undo_ms: 10_000,
  }),
  {
    kind: 'refused',
    at: NOW,
    facts: { approval: '12', action: 'ask-approvers', by: person(1), reason: 'cannot-take-over', policy, times: 12 },
  },
  {
    kind: 'handed-over',
    at: NOW,
    facts: { approval: '12', to: person(3), policy, until: NOW, by: person(1), rule: '@customer-communications' },
  },
  {
    kind: 'escalated',
    at: NOW,
    facts: {
      approval: '12',
      places: [''],
      to: ['@platform-leads', '@customer-communications'],
      mentioned: ['S0123456789', 'S0123456788', ...Array.from({ length: 10 }, (_, i) => person(i))],
      policy,
    },
  },
];

it.each(LARGEST)(
  `takes at most ${MOST_BYTES} bytes for the largest entry of the kind $kind, stored and exported`,
  (event) => {
    const [entry] = chainEntries('abcdefghijklmnopqrstuvwxyz', NO_ENTRIES, [event]);
    expect(Buffer.byteLength(storedEntry(event))).toBeLessThanOrEqual(MOST_BYTES);
    expect(Buffer.byteLength(canonicalJson(entry))).toBeLessThanOrEqual(MOST_BYTES);
  },
);

async function memory(redis: RedisClient): Promise<number> {
  const sizes = (await redis.keys('*')).map((key) => redis.memory('USAGE', key, 'SAMPLES', 0));
  return (await Promise.all(sizes)).reduce<number>((sum, size) => sum + Number(size ?? 0), 0);
}

/** As different from each other as runs are. */
function storyOf(run: number): LedgerEvent[] {
  const text = { sha256: randomBytes(32).toString('hex'), length: 1_000 + run * 7 };
  const task = { id: randomUUID(), name: `write part ${run} of the report` };
  const at = NOW + run * 61_234;
  const [, , , sent, confirmed] = STORY;
  return [
    asked({ output: text, task, starter: `U0${run}ANNA` }, at),
    voted(undefined, at + 4_321),
    decided({ text }, at + 9_876),
  ].concat([sent, confirmed].flatMap((event) => event ?? []));
}

/** As a ref of a run: 26 letters and digits. */
const newRef = () =>
  randomBytes(32)
    .toString('base64url')
    .toLowerCase()
    .replace(/[^a-z2-7]/g, 'a')
    .slice(0, 26);

it(`takes at most ${MOST_BYTES} bytes of Redis an entry while it waits to be sealed`, async () => {
  const before = await memory(redis());
  let entries = 0;
  for (let run = 0; run < 40; run++) entries += (await append(redis(), newRef(), storyOf(run))).length;
  expect(((await memory(redis())) - before) / entries).toBeLessThanOrEqual(MOST_BYTES);
});

it(`takes at most ${MOST_MEAN_BYTES} bytes of Redis an entry, with what seals it`, async () => {
  await recordPolicy(redis());
  const before = await memory(redis());
  let entries = 0;
  for (let run = 0; run < 400; run++) {
    entries += (await append(redis(), newRef(), storyOf(run))).length;
    // As it is when they come in one minute after the other.
    if (run % 10 === 0) await sealNew(redis(), { signers, auditDays: AUDIT_DAYS });
  }
  await sealNew(redis(), { signers, auditDays: AUDIT_DAYS });
  const each = ((await memory(redis())) - before) / entries;
  expect(each).toBeLessThanOrEqual(MOST_MEAN_BYTES);
});
