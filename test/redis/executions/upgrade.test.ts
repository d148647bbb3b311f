import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/core/approval/decide.ts';
import { sendAgain } from '../../../src/core/approval/resume.ts';
import { dueAt } from '../../../src/core/due-actions.ts';
import { RECORD_VERSION } from '../../../src/core/execution/execution.ts';
import { recordCompletion } from '../../../src/core/execution/run.ts';
import { cardModel, rootModel } from '../../../src/core/messages/view-models.ts';
import { ok } from '../../../src/core/result.ts';
import { createDueQueue } from '../../../src/redis/due-queue.ts';
import { readRecord, UnreadableRecord, writeRecord } from '../../../src/redis/executions/record.ts';
import { createExecutionStore } from '../../../src/redis/executions/store.ts';
import { UPGRADES, type Upgrade, upgradeRecord } from '../../../src/redis/executions/upgrade.ts';
import { recordKeys } from '../../../src/redis/keys.ts';
import { decided, MARIA, pending, permittedTo, START, textOf } from '../../support/approvals.ts';
import { execution } from '../../support/executions.ts';
import { redisForTests } from '../store-under-test.ts';

const { redis } = redisForTests();

const RECORDS = new URL('../records/', import.meta.url);

/** A record as a bot of that version left it in Redis. These files never change; each version adds its own. */
const stored = (file: string): string => readFileSync(new URL(file, RECORDS), 'utf8');

/** Stores it as a bot of that version did: with its due time, and in no index that was added later. */
async function inRedis(file: string): Promise<string> {
  const text = stored(file);
  const { ref = 'ref1' }: { ref?: string } = JSON.parse(text);
  const { record, due } = recordKeys(ref);
  await redis().hset(record, { record: text, writes: 'AAAAAAAAAAAAAAAA' });
  await redis().zadd(due, 1, ref);
  return ref;
}

const store = () => createExecutionStore(redis(), { retentionDays: 30, auditDays: 400, minReplicas: 0 });

describe.each(readdirSync(RECORDS))('the stored record %s', (file) => {
  it('is read as a whole execution of this version', async () => {
    const ref = await inRedis(file);
    const found = await store().load(ref);
    expect(found?.execution.version).toBe(RECORD_VERSION);
    if (!found) return;
    expect(rootModel(found.execution)).toBeDefined();
    for (const approval of found.execution.approvals) expect(cardModel(found.execution, approval)).toBeDefined();
  });

  it('is claimed and released as before', async () => {
    const ref = await inRedis(file);
    const queue = createDueQueue(redis());
    expect((await queue.claim(10, { leaseMs: 1_000, aheadMs: 0 })).refs).toEqual([ref]);
    await queue.release(ref);
    const found = await store().load(ref);
    const due = found && dueAt(found.execution);
    expect(await redis().zscore(recordKeys(ref).due, ref)).toBe(due === null ? null : String(due));
  });

  it('is stored again in this version with its next change', async () => {
    const ref = await inRedis(file);
    await store().change(ref, (each) => ok({ ...each, hop: each.hop + 1 }));
    const text = (await redis().hget(recordKeys(ref).record, 'record')) ?? '';
    expect(JSON.parse(text)).toMatchObject({ version: RECORD_VERSION });
  });
});

describe('version 1', () => {
  it('had other names for what is due, for kickoff ids, holds and starter directMessages', async () => {
    const found = await store().load(await inRedis('version-1-adopted.json'));
    expect(found?.execution).toMatchObject({
      origin: { kind: 'elsewhere', adoptionHold: { until: 1795230903253 } },
      kickoffIds: ['k-elsewhere-1'],
      starterNotice: { status: 'none' },
      root: { status: 'due' },
      approvals: [{ card: { status: 'due' } }],
      // What people typed stays as it is.
      inputs: { status: 'owed', hold: 'me' },
    });
    expect(found?.execution).not.toHaveProperty('chain');
  });
});

describe('version 2', () => {
  it('had claims without a process, which last as long as they were made for', () => {
    const sending = { status: 'sending', tries: 1, until: START + 40_000 };
    const { renderings: _, privateAnswers: __, ...known } = execution();
    const record = {
      ...known,
      version: 2,
      kickoff: sending,
      root: { status: 'posting', tries: 1, attempt: 1, mayExist: false, until: START + 40_000 },
      inputs: { status: 'sending' },
    };
    const upgraded = readRecord('ref1', JSON.stringify(record));
    expect(upgraded.kickoff).toEqual({ ...sending, claim: null });
    expect(upgraded.root).toMatchObject({ status: 'posting', claim: null });
    expect(upgraded.inputs).toEqual({ status: 'sending' });
    expect(dueAt(upgraded)).toBe(START + 40_000);
  });
});

describe('version 3', () => {
  const record = { ...execution({ approvals: [pending()] }), version: 3 };

  it('had long names for everything', () => {
    const upgraded = readRecord('ref1', JSON.stringify(record));
    const approvals = record.approvals.map((each) => ({ ...each, isInLedger: false }));
    expect(upgraded).toEqual({ ...record, approvals, version: RECORD_VERSION });
    expect(writeRecord(upgraded).length).toBeLessThan(JSON.stringify(record).length / 2);
  });

  it('repeated the ref, which must be that of the key', () => {
    expect(() => readRecord('ref2', JSON.stringify(record))).toThrow('it is not the record of this execution');
  });

  it.each([
    [{ approvals: 5 }, 'it is not a whole execution'],
    [{ approvals: [{ ...pending(), card: {} }] }, 'unknown kind'],
    [{ approvals: [{ ...pending(), output: null }] }, "version 3 can't be upgraded"],
    [{ crew: 5 }, 'crew is not a text'],
  ])('may be broken, which is a fault of that one execution (%#)', (broken, reason) => {
    const reading = () => readRecord('ref1', JSON.stringify({ ...record, ...broken }));
    expect(reading).toThrow(UnreadableRecord);
    expect(reading).toThrow(reason);
  });
});

describe('version 4', () => {
  it('had no votes, times and ledger', async () => {
    const found = await store().load(await inRedis('version-4-waiting.json'));
    const never = { remindAt: null, escalateAt: null, escalatedAt: null, expireAt: null, askedAgainAt: null };
    const asked = { isInLedger: false, votes: [], handedOver: [], alerts: [], times: { ...never, reminders: 0 } };
    expect(found?.execution).toMatchObject({
      approvals: [
        { status: 'delivered', ...asked },
        { status: 'pending', ...asked },
      ],
      ledger: { seq: 0, hash: '' },
      ledgerEvents: [],
    });
  });

  it('had decisions that could not be undone', () => {
    const { ap, ...kept } = JSON.parse(writeRecord(execution({ approvals: [decided()] })));
    const upgraded = readRecord('ref1', JSON.stringify({ ...kept, ap, version: 4 }));
    expect(upgraded.approvals).toMatchObject([{ status: 'decided', sendAt: START, undoUntil: null }]);
  });
});

describe('version 5', () => {
  it('mentioned nobody on cards, sent no direct messages, attached no approved texts, and never told of its end', async () => {
    const found = await store().load(await inRedis('version-5-waiting.json'));
    const asked = { mentioned: null, directMessages: { status: 'listed', list: [] }, keepsText: false };
    expect(found?.execution).toMatchObject({ expiry: null, approvals: Array(4).fill(asked) });
  });
});

describe('version 6', () => {
  it('handed over for good, and did not know where its direct messages were', async () => {
    const found = await store().load(await inRedis('version-6-waiting.json'));
    expect(found?.execution.approvals[1]).toMatchObject({
      handedOver: [{ to: { id: 'UANNA6X' }, until: null }],
      directMessages: { list: [{ to: 'UANNA6X', channel: null }] },
    });
  });
});

describe('work that an earlier version left behind', () => {
  it('goes on: a request is decided', async () => {
    const ref = await inRedis('version-1-waiting.json');
    const choice = { verdict: 'approve', feedback: null, text: 'Approved.' } as const;
    const changed = await store().change(ref, (each, now) =>
      decide(each, '2', { choice, ...permittedTo(MARIA), ...textOf(each, '2') }, now),
    );
    expect(changed.kind).toBe('changed');
  });

  it('goes on: a decision that was refused is sent again', async () => {
    const ref = await inRedis('version-1-undelivered.json');
    expect(
      (
        await store().change(ref, (each, now) =>
          sendAgain(each, '1', { ...permittedTo(MARIA), ...textOf(each, '1') }, now),
        )
      ).kind,
    ).toBe('changed');
  });

  it('stays as it is where it had ended', async () => {
    const ref = await inRedis('version-1-completed.json');
    const completion = { hop: 1, kickoffId: null, result: null };
    const changed = await store().change(ref, (each, now) => ok(recordCompletion(each, completion, now)));
    expect(changed.kind).toBe('unchanged');
  });
});

describe('an upgrade', () => {
  const { ch, ...kept } = JSON.parse(writeRecord(execution()));
  const text = JSON.stringify({ ...kept, version: RECORD_VERSION - 1, room: ch });

  /** From a made-up version in which the channel had another name. */
  const renamesRoom: Upgrade = ({ room, ...rest }) => ({ ...rest, ch: room });

  it('turns an older record into one of this version', () => {
    const upgraded = readRecord('ref1', text, new Map([[RECORD_VERSION - 1, renamesRoom]]));
    expect(upgraded).toEqual(execution());
  });

  it('goes step by step', () => {
    const adds = (name: string): Upgrade => {
      return (record) => ({ ...record, [name]: record.version });
    };
    const steps = new Map([1, 2, 3].map((version) => [version, adds(`step${version}`)]));
    expect(upgradeRecord({ version: 1 }, { to: 4, upgrades: steps })).toEqual({
      version: 4,
      step1: 1,
      step2: 2,
      step3: 3,
    });
  });

  it('that is missing is a fault of that one execution', () => {
    expect(() => readRecord('ref1', text, new Map())).toThrow(
      `The record of execution ref1 can't be read: nothing upgrades version ${RECORD_VERSION - 1}`,
    );
  });

  it('that throws on a broken record is a fault of that one execution', () => {
    const throws: Upgrade = () => {
      throw new TypeError('no approvals');
    };
    expect(() => readRecord('ref1', text, new Map([[RECORD_VERSION - 1, throws]]))).toThrow(UnreadableRecord);
  });

  it('exists for each version that was ever stored', () => {
    const versions = Array.from({ length: RECORD_VERSION - 1 }, (_, i) => i + 1);
    expect([...UPGRADES.keys()].sort()).toEqual(versions);
    const files = readdirSync(RECORDS).map((file) => Number(/^version-(\d+)-/.exec(file)?.[1]));
    expect([...new Set(files)].sort()).toEqual([...versions, RECORD_VERSION]);
  });
});
