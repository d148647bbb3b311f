import { describe, expect, it } from 'vitest';
import { checkClaims } from '../../../src/core/claimed-calls.ts';
import { dueActionsAt, dueAt } from '../../../src/core/due-actions.ts';
import type { KickoffAnswer } from '../../../src/core/execution/events.ts';
import { recordCompletion, recordStep } from '../../../src/core/execution/run.ts';
import { adoptExecution, checkAdoptionHold, claimKickoff, settleKickoff } from '../../../src/core/execution/start.ts';
import { stopFollowing } from '../../../src/core/execution/tracking.ts';
import { ask } from '../../../src/core/request/ask.ts';
import { CLAIM_MS } from '../../../src/core/state/claim.ts';
import { type Execution, isHeld } from '../../../src/core/state/execution.ts';
import { checkAt, PROCESS } from '../../support/claims.ts';
import { request, starting } from '../../support/executions.ts';
import { JON, permittedTo, RULES, START } from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';

describe('a kickoff', () => {
  const claimed = claimKickoff(starting(), PROCESS, START);
  const settle = (each: Execution, given: KickoffAnswer) => settleKickoff(each, given, START);
  const LATE = START + CLAIM_MS;
  const unknown: KickoffAnswer = { kind: 'unknown', doubt: 'no-answer' };
  const busy = { kind: 'unavailable', reason: 'busy', waitMs: null } as const;
  const refusal: KickoffAnswer = { kind: 'refused', refusal: { code: 'bad-request', detail: 'no', missing: [] } };

  it.each(['unreachable', 'busy'] as const)(
    'is tried four times where nothing came of it, then called %s',
    (reason) => {
      const unavailable = { ...busy, reason };
      const tries = [1, 2, 3].reduce(
        (each) => claimKickoff(settle(each, unavailable), PROCESS, START + 60_000),
        claimed,
      );
      expect(tries.kickoff).toMatchObject({ status: 'sending', tries: 4, delayedBy: reason });
      expect(settle(tries, unavailable).run).toMatchObject({ status: 'not-started', refusal: { code: reason } });
    },
  );

  it('waits 1, 2 and 4 s between its tries, or as long as the service said', () => {
    const wait = (tries: number, waitMs: number | null) => {
      const { kickoff } = settle(
        starting({ kickoff: { status: 'sending', tries, delayedBy: null, claim: null, until: LATE } }),
        {
          kind: 'unavailable',
          reason: 'busy',
          waitMs,
        },
      );
      return kickoff.status === 'due' ? kickoff.notBefore - START : null;
    };
    expect([wait(1, null), wait(2, null), wait(3, null), wait(1, 30_000)]).toEqual([1_000, 2_000, 4_000, 30_000]);
  });

  it('that was overtaken by a notification is not sent again, and the starter hears of it', () => {
    const overtaken = recordStep(settle(claimed, busy), { hop: 0, kickoffId: 'k1' }, START);
    expect(overtaken).toMatchObject({
      kickoff: { status: 'settled' },
      run: { status: 'running' },
      starterNotice: { status: 'due' },
    });
    expect(claimKickoff(overtaken, PROCESS, LATE)).toBe(overtaken);
  });

  it.each([
    ['accepted', { kind: 'accepted', kickoffId: 'k1' } as const],
    ['refused', refusal],
    ['unavailable', busy],
    ['unknown', unknown],
  ])('overtaken by a notification and then %s leaves no form that says "Starting…"', (_, given) => {
    const running = recordStep(claimed, { hop: 0, kickoffId: 'k1' }, START);
    const ended = recordCompletion(claimed, { hop: 0, kickoffId: 'k1', result: null }, START);
    expect(settle(running, given)).toMatchObject({ run: { status: 'running' }, starterNotice: { status: 'due' } });
    expect(settle(ended, given)).toMatchObject({ run: { status: 'completed' }, starterNotice: { status: 'due' } });
  });

  it('whose worker never came back is unconfirmed, until a late answer says more', () => {
    const expired = { ...checkClaims(claimed, checkAt(LATE)), starterNotice: { status: 'told' } as const };
    expect(expired.run).toMatchObject({ status: 'not-confirmed', doubt: 'interrupted' });
    expect(settle(expired, { kind: 'accepted', kickoffId: 'k1' })).toMatchObject({
      run: { status: 'running' },
      starterNotice: { status: 'due' },
    });
    expect(settle(expired, refusal)).toMatchObject({
      run: { status: 'not-started' },
      starterNotice: { status: 'due' },
    });
    expect(settle(expired, busy)).toMatchObject({ run: { status: 'not-started' }, kickoff: { status: 'settled' } });
    expect(settle(expired, unknown).run).toEqual(expired.run);
  });

  it('of a run that is no longer followed is still answered, and nothing is polled', () => {
    const unfollowed = valueFrom(stopFollowing(claimed, permittedTo(JON), START));
    const accepted = settle(unfollowed, { kind: 'accepted', kickoffId: 'k1' });
    expect(accepted).toMatchObject({ run: { status: 'running' }, kickoffIds: ['k1'], poll: { nextAt: null } });
  });

  it('puts its id first in the kickoffIds when events of later resumes came before its answer', () => {
    const overtaken = recordStep(claimed, { hop: 0, kickoffId: 'k2' }, START);
    expect(settle(overtaken, { kind: 'accepted', kickoffId: 'k1' }).kickoffIds).toEqual(['k1', 'k2']);
  });
});

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
