import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Execution } from '../../../src/core/execution/execution.ts';
import { readRecord, UnreadableRecord, writeRecord } from '../../../src/redis/executions/record.ts';
import { output, pending, posted, START } from '../../support/approvals.ts';
import { execution } from '../../support/executions.ts';
import { anyExecution } from './any-execution.ts';

describe('a record', () => {
  it('says all of any execution', () => {
    fc.assert(
      fc.property(anyExecution, (each) => isDeepStrictEqual(readRecord(each.ref, writeRecord(each)), each)),
      { numRuns: 500 },
    );
  });

  it('keeps inputs whatever their names are', () => {
    const inputs: Execution['inputs'] = JSON.parse('{"__proto__":{"s":"x"},"constructor":null,"":[],"version":9}');
    const read = readRecord('ref1', writeRecord(execution({ inputs })));
    expect(Object.entries(read.inputs)).toEqual(Object.entries(inputs));
    expect(Object.getPrototypeOf(read.inputs)).toBe(Object.prototype);
  });

  it('has the hash of an output under which the output is stored', () => {
    const hash = '185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969';
    const text = writeRecord(execution({ approvals: [pending({ output: { hash, length: 5 } })] }));
    expect(text).toContain('GF-NsyJx_iX1Yab8k4suJkMG7DBO2lGAB9F2SCY4GWk');
    expect(text).not.toContain(hash);
  });

  it('of a pending approval is short', () => {
    const id = '3f8e2a0a-56d2-4a0f-9a5b-0c9f5a9c1f1e';
    const card = posted({ ts: '1795349314.101299', shown: '16qerm1y3gw', notBefore: START + 300 });
    const hash = output('x').hash.padEnd(43);
    const approval = pending({ taskId: id, taskName: null, kickoffId: id, output: { hash, length: 4_096 }, card });
    const waiting = execution({ kickoffIds: [id], executionId: id, approvals: [approval], root: card });
    expect(writeRecord(waiting).length).toBeLessThan(460);
  });
});

describe('a record that is broken', () => {
  const text = writeRecord(execution({ approvals: [pending()], executionId: 'k1' }));

  it.each([
    ['"ts":"100.1"', '"ts":5', 'ap c ts is not a text'],
    ['"ap":[', '"ap":5,"x":[', 'ap is not a list'],
    ['"ro":', '"rot":', 'ro is not an object'],
    ['"ap":[{', '"ap":[{"s":"forgotten",', 'ap is of an unknown kind, forgotten'],
    ['"ap":[{', '"ap":[{"k":7,', 'ap k is not the place of a kickoff id'],
    ['":hash of first draft"', '"hash"', 'ap o is not a hash'],
    ['"at":1000000', '"at":null', 'is not a number'],
    ['"crew":"editorial",', '', 'crew is not a text'],
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
