import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Execution, RECORD_VERSION } from '../../src/core/state/execution.ts';
import { readRecord, UnreadableRecord, writeRecord } from '../../src/redis/record.ts';
import { execution } from '../support/executions.ts';
import { JON, MARIA, pending, START } from '../support/requests.ts';
import { runs } from '../support/sample.ts';
import { anyExecution } from './any-execution.ts';

describe('a record', () => {
  it('says all of any execution', () => {
    fc.assert(
      fc.property(anyExecution, (each) => isDeepStrictEqual(readRecord(each.ref, writeRecord(each)), each)),
      runs({ some: 500, all: 5_000 }),
    );
  });

  it('keeps inputs whatever their names are', () => {
    const inputs: Execution['inputs'] = JSON.parse('{"__proto__":{"s":"x"},"constructor":null,"":[],"version":9}');
    const read = readRecord('ref1', writeRecord(execution({ inputs })));
    expect(Object.entries(read.inputs)).toEqual(Object.entries(inputs));
    expect(Object.getPrototypeOf(read.inputs)).toBe(Object.prototype);
  });

  it('is plain JSON with the names of the types, without what is null or as usual', () => {
    const text = writeRecord(execution({ requests: [pending({ taskName: null })], executionId: 'k1' }));
    expect(JSON.parse(text)).toMatchObject({
      version: RECORD_VERSION,
      ref: 'ref1',
      crew: 'editorial',
      run: { status: 'waiting' },
      executionId: 'k1',
      requests: [{ id: '1', question: { round: 1, askedAt: START }, state: { status: 'pending' } }],
    });
    expect(text).not.toContain('null');
    expect(text).not.toContain('[]');
    expect(text).not.toContain('ledgerEvents');
  });

  it('is read where an older build let somebody hand on a right that was lent to them', () => {
    const handedOver = [{ to: MARIA, by: JON, at: START, until: null }];
    const each = execution({ requests: [pending({ handedOver })] });
    const text = writeRecord(each).replace('"handedOver":[{', '"handedOver":[{"for":{"id":"U0ANNA","name":"Anna"},');
    expect(text).toContain('Anna');
    expect(readRecord('ref1', text)).toEqual(readRecord('ref1', writeRecord(each)));
  });

  it('is not written unless it can be read', () => {
    expect(() => writeRecord(execution({ createdAt: Number.NaN }))).toThrow();
  });
});

describe('a record that is broken', () => {
  const text = writeRecord(execution({ requests: [pending()], executionId: 'k1' }));

  it.each([
    ['"ts":"100.1"', '"ts":5', 'messages.card:1.post.ts: Invalid input: expected string, received number'],
    ['"requests":[', '"requests":5,"x":[', 'requests: Invalid input: expected array, received number'],
    ['"root":', '"rot":', 'messages.rot: Invalid key in record'],
    ['"messages":', '"message":', 'messages: Invalid input: expected record, received undefined'],
    ['"status":"pending"', '"status":"forgotten"', 'requests.0.state.status: Invalid discriminator value'],
    ['"createdAt":1000000', '"createdAt":null', 'createdAt: Invalid input: expected number, received null'],
    ['"crew":"editorial",', '', 'crew: Invalid input: expected string, received undefined'],
  ])('says where (%s → %s)', (from, to, where) => {
    const broken = text.replace(from, to);
    expect(broken).not.toBe(text);
    const reading = () => readRecord('ref1', broken);
    expect(reading).toThrow(UnreadableRecord);
    expect(reading).toThrow(`it is not a whole execution: ${where}`);
  });

  it('never becomes an execution with a part of the wrong type', () => {
    const parts = [null, 5, 'x', true, [], {}];
    fc.assert(
      fc.property(anyExecution, fc.nat(), fc.constantFrom(...parts), (each, place, part) => {
        const stored: Record<string, unknown> = JSON.parse(writeRecord(each));
        const names = Object.keys(stored).filter((name) => name !== 'version');
        stored[names[place % names.length] ?? ''] = part;
        const read = readOrNull(each.ref, JSON.stringify(stored));
        expect(read === null || isDeepStrictEqual(readRecord(each.ref, writeRecord(read)), read)).toBe(true);
      }),
    );
  });
});

/** Null for an unreadable record; throws any other error. */
function readOrNull(ref: string, text: string): Execution | null {
  try {
    return readRecord(ref, text);
  } catch (error) {
    if (error instanceof UnreadableRecord) return null;
    throw error;
  }
}
