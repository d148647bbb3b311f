import { expect, it } from 'vitest';
import { cardModel } from '../../../src/core/messages/view-models.ts';
import { DEFAULT_POLICY } from '../../../src/core/policy/policy.ts';
import { decide } from '../../../src/core/request/decide.ts';
import { undo, withdraw } from '../../../src/core/request/retract.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import { type HumanRequest, type Person, typedBefore } from '../../../src/core/state/request.ts';
import { execution } from '../../support/executions.ts';
import { JON, MARIA, PERMITTED, pending, START } from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';

const asked = execution({ requests: [pending()] });
const permission = { ...PERMITTED, policy: { ...DEFAULT_POLICY, quorum: 2, undoMs: 60_000 } };

function decided(each: Execution, verdict: 'approve' | 'reject', by: Person, feedback: string | null): Execution {
  const choice = verdict === 'approve' ? { verdict, feedback, text: feedback ?? 'Approved.' } : { verdict, feedback };
  return valueFrom(decide(each, '1', { choice, by, ...permission }, START));
}

const undone = (each: Execution, by: Person, at = START + 1) => valueFrom(undo(each, '1', { by, ...permission }, at));
const withdrawn = (each: Execution, by: Person, at = START + 1) =>
  valueFrom(withdraw(each, '1', { by, ...permission }, at));
const only = ({ requests: [request] }: Execution): HumanRequest => request ?? pending();
const typed = (each: Execution) => [MARIA, JON].map(({ id }) => typedBefore(only(each).discussion, id));

it('keeps what was typed for a decision for the person who typed it, whoever undid it', () => {
  const after = undone(decided(asked, 'reject', MARIA, 'shorter'), JON);
  expect(typed(after)).toEqual(['shorter', '']);
  expect(cardModel(after, only(after)).retracted).toEqual({ kind: 'decision', by: JON, at: START + 1 });
});

it('keeps the note of a vote that was withdrawn', () => {
  const after = withdrawn(decided(asked, 'approve', MARIA, 'fine'), MARIA);
  expect(typed(after)).toEqual(['fine', '']);
  expect(cardModel(after, only(after)).retracted).toEqual({ kind: 'vote', by: MARIA, at: START + 1 });
});

it('keeps the last that each person had typed, also where they typed nothing since', () => {
  const first = withdrawn(decided(asked, 'approve', MARIA, 'fine'), MARIA);
  const second = undone(decided(first, 'reject', MARIA, 'too long'), MARIA, START + 2);
  const third = withdrawn(decided(second, 'approve', MARIA, null), MARIA, START + 3);
  const both = undone(decided(third, 'reject', JON, 'no'), JON, START + 4);
  expect([first, second, third, both].map(typed)).toEqual([
    ['fine', ''],
    ['too long', ''],
    ['too long', ''],
    ['too long', 'no'],
  ]);
  expect(cardModel(both, only(both)).retracted).toMatchObject({ by: JON, at: START + 4 });
});

it('changes nothing where the same click comes again, and shows nothing of it on a card that is decided', () => {
  const once = withdrawn(decided(asked, 'approve', MARIA, 'fine'), MARIA);
  expect(withdrawn(once, MARIA, START + 9)).toBe(once);
  const again = decided(once, 'reject', JON, 'no');
  expect(cardModel(again, only(again)).retracted).toBeUndefined();
  expect(undone(undone(again, JON), JON, START + 9)).toEqual(undone(again, JON));
});

it('takes a withdrawal that comes again for what it was, also once others have decided, and not for one of a vote that counts', () => {
  const once = withdrawn(decided(asked, 'approve', MARIA, 'fine'), MARIA);
  const rejected = decided(once, 'reject', JON, 'no');
  expect(withdraw(rejected, '1', { by: MARIA, ...permission }, START + 9)).toEqual({ ok: true, value: rejected });
  const approved = decided(decided(once, 'approve', MARIA, null), 'approve', JON, null);
  const refusal = { ok: false, refusal: { kind: 'already-decided' } };
  expect(withdraw(approved, '1', { by: MARIA, ...permission }, START + 9)).toMatchObject(refusal);
  const own = decided(once, 'reject', MARIA, 'no');
  expect(withdraw(own, '1', { by: MARIA, ...permission }, START + 9)).toMatchObject(refusal);
  expect(withdraw(rejected, '1', { by: JON, ...permission }, START + 9)).toMatchObject(refusal);
});
