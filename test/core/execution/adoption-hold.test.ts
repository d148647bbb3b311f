import { describe, expect, it } from 'vitest';
import { ask } from '../../../src/core/approval/request.ts';
import { dueActionsAt, dueAt } from '../../../src/core/due-actions.ts';
import { isHeld } from '../../../src/core/execution/execution.ts';
import { adoptExecution, checkAdoptionHold } from '../../../src/core/execution/start.ts';
import { RULES, START } from '../../support/approvals.ts';
import { request } from '../../support/executions.ts';

const adopt = (held: 'held' | 'free') => {
  const found = adoptExecution({ ref: 'ref1', crew: 'editorial', channel: 'C1', held }, START);
  const asked = ask(found, request(), START, RULES);
  return asked.ok ? asked.value : found;
};

describe('an execution that was started elsewhere', () => {
  const held = adopt('held');

  it('is shown at once where no answer is awaited that could show it to be ours', () => {
    expect(isHeld(adopt('free'))).toBe(false);
    expect(dueActionsAt(adopt('free'), START)).toEqual([{ kind: 'post', message: { kind: 'root' } }]);
  });

  it('has nothing due but another check while it is held', () => {
    expect(dueAt(held)).toBe(START + 2_000);
    expect(dueActionsAt(held, START + 60_000)).toEqual([{ kind: 'check-adoption' }]);
  });

  it('is looked at again while an answer is awaited, for 30 s at most', () => {
    const looked = checkAdoptionHold(held, 'awaited', START + 2_000);
    expect([isHeld(looked), dueAt(looked)]).toEqual([true, START + 4_000]);
    expect(dueAt(checkAdoptionHold(held, 'awaited', START + 29_000))).toBe(START + 30_000);
    expect(isHeld(checkAdoptionHold(held, 'awaited', START + 30_000))).toBe(false);
  });

  it('is released, with everything due, once no answer is awaited any more', () => {
    const free = checkAdoptionHold(held, 'settled', START + 2_000);
    expect(isHeld(free)).toBe(false);
    expect(dueActionsAt(free, START + 2_000)).toEqual([{ kind: 'post', message: { kind: 'root' } }, { kind: 'poll' }]);
  });
});
