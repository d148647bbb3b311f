import { describe, expect, it } from 'vitest';
import { checkClaims } from '../../../src/core/claimed-calls.ts';
import type { ResumeAnswer } from '../../../src/core/execution/events.ts';
import { EVIDENCE_MS, recordStep, recordTask } from '../../../src/core/execution/run.ts';
import { stopFollowing } from '../../../src/core/execution/tracking.ts';
import { ask } from '../../../src/core/request/ask.ts';
import { claimResume, sendAgain, settleResume } from '../../../src/core/request/resume.ts';
import { CLAIM_MS } from '../../../src/core/state/claim.ts';
import { type Execution, findRequest } from '../../../src/core/state/execution.ts';
import { DAY_MS, HOUR_MS } from '../../../src/core/values/time.ts';
import { checkAt, PROCESS } from '../../support/claims.ts';
import { execution, request } from '../../support/executions.ts';
import {
  attempt,
  decided,
  JON,
  MARIA,
  output,
  pending,
  permittedTo,
  RULES,
  refused,
  START,
  sending,
  UNKNOWN_RUN,
  unconfirmed,
} from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';

const ACCEPTED: ResumeAnswer = { kind: 'accepted', kickoffId: 'k2' };
const BUSY = { kind: 'unavailable', reason: 'busy', waitMs: null } as const;
const REFUSED: ResumeAnswer = {
  kind: 'refused',
  failure: { kind: 'refused', code: 'quota', status: 400, detail: 'no' },
};

const answer = (each: Execution, number: number, given: ResumeAnswer, now = START) =>
  settleResume(each, { approvalId: '1', attempt: number, answer: given }, now);

const again = (each: Execution) => {
  const result = sendAgain(each, '1', permittedTo(MARIA), START);
  return result.ok ? result.value : each;
};

const newer = (each: Execution) => {
  const result = ask(each, request({ hop: 9, output: output('second draft') }), START, RULES);
  return result.ok ? result.value : each;
};

const stopped = (each: Execution) => valueFrom(stopFollowing(each, permittedTo(JON), START));

const status = (each: Execution) => findRequest(each, '1')?.state.status;

const TASK = { kickoffId: 'k1', name: 'Collect', agent: null, summary: 'done', output: null };

describe('a resume', () => {
  it('gives addresses of its own: each attempt has the next hop of the execution', () => {
    const first = claimResume(execution({ requests: [decided()], hop: 4 }), '1', PROCESS, START);
    expect(findRequest(first, '1')).toMatchObject({
      state: { attempts: [{ number: 1, hop: 5, mayHaveArrived: true }] },
    });
    const second = claimResume(again(answer(first, 1, REFUSED)), '1', PROCESS, START);
    expect(findRequest(second, '1')).toMatchObject({
      state: { attempts: [{ mayHaveArrived: false }, { number: 2, hop: 6 }] },
    });
    expect(second.hop).toBe(6);
  });

  it('is not made before its time, and not after the end', () => {
    const later = execution({ requests: [decided({ sendAt: START + 1 })] });
    expect(claimResume(later, '1', PROCESS, START)).toBe(later);
    const ended = execution({ requests: [decided()], run: { status: 'completed', result: null, endedAt: START } });
    expect(claimResume(ended, '1', PROCESS, START)).toBe(ended);
  });

  it('that a person asks for again is due at once, and counts its tries anew', () => {
    const asked = again(execution({ requests: [refused()] }));
    expect(findRequest(asked, '1')).toMatchObject({ state: { status: 'decided', tries: 0, sendAt: START } });
  });

  it.each(['user-token-refused', 'no-user-token'] as const)(
    'that was refused with %s is never sent with the crew’s token, however often it is asked for again',
    (code) => {
      const failure = { kind: 'refused', code, status: 401, detail: '' } as const;
      const asked = again(execution({ requests: [refused({ failure })] }));
      expect(findRequest(asked, '1')).toMatchObject({ state: { decision: { ownTokenOnly: true } } });
      const later = again(answer(claimResume(asked, '1', PROCESS, START), 2, REFUSED));
      expect(findRequest(later, '1')).toMatchObject({
        state: { status: 'decided', decision: { ownTokenOnly: true } },
      });
    },
  );

  it('that was refused for another reason may be sent with the crew’s token again', () => {
    expect(findRequest(again(execution({ requests: [refused()] })), '1')).toMatchObject({
      state: { decision: { ownTokenOnly: false } },
    });
  });

  it('joins the kickoff id of its answer to the kickoffIds, and is polled soon', () => {
    const told = answer(execution({ requests: [sending()] }), 1, ACCEPTED);
    expect(told).toMatchObject({
      kickoffIds: ['k1', 'k2'],
      run: { status: 'running' },
      poll: { nextAt: START + 2_000, count: 0 },
    });
    expect(findRequest(told, '1')).toMatchObject({ state: { resumedAs: 'k2' } });
  });

  it('on a run that the service doesn’t know is followed by polls, and says no longer that the service can’t be reached', () => {
    const { poll } = execution();
    const troubled = execution({ requests: [sending()], poll: { ...poll, trouble: 'unreachable' } });
    const told = answer(troubled, 1, { kind: 'refused', failure: UNKNOWN_RUN });
    expect(told.poll).toMatchObject({ nextAt: START + 2_000, count: 0, trouble: null });
    expect(status(told)).toBe('failed');
  });

  it('is sent again to a lost run, which lives again once the service takes it', () => {
    const run = { status: 'lost', lostAt: START } as const;
    const { poll } = execution();
    for (const nextAt of [START + 600_000, null]) {
      const requests = [refused({ failure: UNKNOWN_RUN })];
      const sent = claimResume(again(execution({ run, poll: { ...poll, nextAt }, requests })), '1', PROCESS, START);
      expect(sent.run).toEqual(run);
      expect(answer(sent, 2, { kind: 'refused', failure: UNKNOWN_RUN }).run).toEqual(run);
      const taken = answer(sent, 2, ACCEPTED);
      expect(taken).toMatchObject({ run: { status: 'running' }, poll: { nextAt: START + 2_000 } });
      expect(status(taken)).toBe('delivered');
    }
  });

  it.each(['unreachable', 'busy'] as const)('that is tried again says what the last try met: %s', (delayedBy) => {
    const tried = answer(execution({ requests: [sending()] }), 1, { ...BUSY, reason: delayedBy });
    expect(findRequest(tried, '1')).toMatchObject({ state: { status: 'decided', delayedBy } });
    const resent = claimResume(tried, '1', PROCESS, START + 60_000);
    expect(findRequest(resent, '1')).toMatchObject({ state: { status: 'sending', delayedBy } });
    expect(findRequest(again(answer(resent, 2, REFUSED)), '1')).toMatchObject({ state: { delayedBy: null } });
  });

  it('is tried again by machine when nothing was sent, later each time, or when the service said', () => {
    const wait = (tries: number, waitMs: number | null) => {
      const before = execution({ requests: [sending({ tries })] });
      const request = findRequest(answer(before, 1, { kind: 'unavailable', reason: 'busy', waitMs }), '1');
      return request?.state.status === 'decided' ? request.state.sendAt - START : null;
    };
    expect([0, 1, 2, 20].map((tries) => wait(tries, null))).toEqual([1_000, 2_000, 4_000, 60_000]);
    expect(wait(0, 30_000)).toBe(30_000);
  });

  it('waits 20 s for evidence when its answer is unknown, then asks a person', () => {
    const unknown = answer(execution({ requests: [sending()] }), 1, { kind: 'unknown' });
    expect(status(checkClaims(unknown, checkAt(START + EVIDENCE_MS - 1)))).toBe('sending');
    expect(findRequest(checkClaims(unknown, checkAt(START + EVIDENCE_MS)), '1')).toMatchObject({
      state: { status: 'failed', failure: { kind: 'not-confirmed' } },
    });
  });

  it('asks a person when its worker never came back', () => {
    const claimed = claimResume(execution({ requests: [decided()] }), '1', PROCESS, START);
    expect(status(checkClaims(claimed, checkAt(START + CLAIM_MS)))).toBe('failed');
  });

  it('of a decision that was never sent is made for no newer round', () => {
    const closed = newer(execution({ requests: [decided({ attempts: [attempt({ mayHaveArrived: false })] })] }));
    expect(claimResume(closed, '1', PROCESS, START)).toBe(closed);
    expect(findRequest(closed, '1')).toMatchObject({
      state: { status: 'superseded', decision: { verdict: 'approve' } },
    });
  });

  it('of a decision that is no longer followed is made, and proven by events', () => {
    const unfollowed = stopped(execution({ requests: [decided(), pending({ id: '2', taskId: 'title' })] }));
    const claimed = claimResume(unfollowed, '1', PROCESS, START);
    expect(status(claimed)).toBe('sending');
    const proven = recordTask(claimed, { ...TASK, hop: 1 }, START);
    expect(status(proven)).toBe('delivered');
    expect(proven.tasks).toEqual([]);
  });

  it('is not made for a newer round after following stopped', () => {
    const retried = decided({ attempts: [attempt({ mayHaveArrived: false })], tries: 1 });
    const closed = newer(stopped(execution({ requests: [retried] })));
    expect(status(closed)).toBe('superseded');
    expect(closed.requests[1]).toMatchObject({ state: { status: 'superseded', by: 'unfollowed' } });
    expect(status(newer(stopped(execution({ requests: [unconfirmed()] }))))).toBe('delivered');
  });
});

describe('a callback', () => {
  const CALLBACK = { kind: 'callback', sealedUrl: 'sealed' } as const;
  const first = (ref = 'r1') => execution({ ref, requests: [sending({ destination: CALLBACK })] });
  const UNKNOWN: ResumeAnswer = { kind: 'unknown' };
  const asked = (each: Execution) => findRequest(each, '1');
  const sendAt = (each: Execution) => {
    const request = asked(each);
    return request?.state.status === 'decided' ? request.state.sendAt : null;
  };

  /** Each try lies in the record, and is an entry of the ledger. */
  const MOST = 50;

  /** The states after each try until none is due any more, with the time of that try. */
  function tries(given: ResumeAnswer): { at: number; after: Execution }[] {
    const all = [{ at: START, after: answer(first(), 1, given) }];
    for (
      let { at, after } = { at: START, after: answer(first(), 1, given) };
      sendAt(after) !== null && all.length < MOST;
    ) {
      at = sendAt(after) ?? at;
      after = answer(claimResume(after, '1', PROCESS, at), all.length + 1, given, at);
      all.push({ at, after });
    }
    return all;
  }

  it.each([
    ['that nothing confirms', UNKNOWN],
    ['whose receiver is away or busy', BUSY],
    ['whose receiver asks to come again at once', { ...BUSY, waitMs: 1_000 }],
  ] as const)('%s is sent again, ever more seldom, for a day, and is not confirmed then', (_, given) => {
    const all = tries(given);
    const pauses = all.slice(1).map(({ at }, i) => at - (all[i]?.at ?? 0));
    expect(pauses[0]).toBeGreaterThanOrEqual(4_000);
    expect(pauses[0]).toBeLessThanOrEqual(6_000);
    expect(pauses.slice(0, 3)).toEqual(pauses.slice(0, 3).toSorted((one, other) => one - other));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1.2 * HOUR_MS);
    expect(all.at(-1)?.at).toBe(START + DAY_MS);
    for (const { after } of all.slice(0, -1))
      expect(asked(after)).toMatchObject({ state: { status: 'decided', giveUpAt: START + DAY_MS } });
    const last = all.at(-1)?.after ?? first();
    expect(asked(last)).toMatchObject({ state: { status: 'failed', failure: { kind: 'not-confirmed' } } });
    expect(last.notices).toMatchObject([{ about: { kind: 'unsent' } }]);
    expect(all.length).toBeLessThan(MOST);
  });

  it('is not sent again at the same time as others that failed with it', () => {
    const times = ['r1', 'r2', 'r3', 'r4'].map((ref) => sendAt(answer(first(ref), 1, UNKNOWN)));
    expect(new Set(times).size).toBe(4);
  });

  it('waits for as long as its receiver asks to, but not beyond the day', () => {
    const wait = (waitMs: number) => sendAt(answer(first(), 1, { ...BUSY, waitMs }));
    expect(wait(600_000)).toBe(START + 600_000);
    expect(wait(2 * DAY_MS)).toBe(START + DAY_MS);
  });

  it('whose process is gone is sent again by another one, which knows for how long', () => {
    const [once] = tries(UNKNOWN);
    const claimed = claimResume(once?.after ?? first(), '1', PROCESS, START + 60_000);
    const left = checkClaims(claimed, checkAt(START + 60_000 + EVIDENCE_MS, PROCESS));
    expect(asked(left)).toMatchObject({ state: { status: 'decided', tries: 2, giveUpAt: START + DAY_MS } });
  });

  it('that is under way is sent by no other process, and one that waits for its next try by no person', () => {
    const due = answer(first(), 1, UNKNOWN);
    const claimed = claimResume(due, '1', PROCESS, START + 60_000);
    expect(claimResume(claimed, '1', 'process-2', START + 60_000)).toBe(claimed);
    expect(claimResume(due, '1', 'process-2', START)).toBe(due);
    expect(sendAgain(due, '1', permittedTo(MARIA), START)).toMatchObject({ refusal: { kind: 'already-decided' } });
  });

  it('that was taken by an earlier try is not sent again', () => {
    const taken = answer(answer(first(), 1, UNKNOWN), 1, ACCEPTED, START + 1_000);
    expect(asked(taken)).toMatchObject({ state: { status: 'delivered' } });
    expect(claimResume(taken, '1', PROCESS, START + 60_000)).toBe(taken);
  });

  it('that its receiver wants no more is not sent again', () => {
    const ended = answer(claimResume(answer(first(), 1, UNKNOWN), '1', PROCESS, START + 60_000), 2, REFUSED);
    expect(asked(ended)).toMatchObject({ state: { status: 'failed', failure: { kind: 'refused' } } });
  });

  it('that a person sends again after a day is sent for another one', () => {
    const all = tries(UNKNOWN);
    const resent = again(all.at(-1)?.after ?? first());
    expect(asked(resent)).toMatchObject({ state: { status: 'decided', tries: 0, giveUpAt: null, sendAt: START } });
    const sent = claimResume(resent, '1', PROCESS, START + 2 * DAY_MS);
    expect(asked(answer(sent, all.length + 1, UNKNOWN, START + 2 * DAY_MS))).toMatchObject({
      state: { giveUpAt: START + 3 * DAY_MS },
    });
  });

  it('that is not confirmed stays so, whatever a late answer says but that it was taken', () => {
    const all = tries(UNKNOWN);
    const failed = all.at(-1)?.after ?? first();
    for (const late of [UNKNOWN, BUSY]) expect(asked(answer(failed, all.length, late))).toEqual(asked(failed));
    expect(status(answer(failed, all.length, ACCEPTED))).toBe('delivered');
  });

  it.each([null, { kind: 'flow', sealedUrl: 'sealed' }] as const)(
    'alone is sent again: no answer to a crew or a flow is (%j)',
    (destination) => {
      const unanswered = answer(execution({ requests: [sending({ destination })] }), 1, UNKNOWN);
      expect(asked(checkClaims(unanswered, checkAt(START + EVIDENCE_MS)))).toMatchObject({
        state: { status: 'failed', failure: { kind: 'not-confirmed' } },
      });
    },
  );
});

describe('evidence', () => {
  it('proves the resume whose address an event came in by, and no other', () => {
    const two = execution({
      requests: [sending(), sending({ id: '2', taskId: 'title', attempts: [attempt({ hop: 2 })] })],
    });
    const after = recordTask(two, { ...TASK, hop: 2 }, START);
    expect(after.requests.map((each) => each.state.status)).toEqual(['sending', 'delivered']);
  });

  it('proves the first attempt after a person asked to send again: nothing more is sent', () => {
    const asked = again(execution({ requests: [unconfirmed()] }));
    const proven = recordStep(asked, { hop: 1, kickoffId: 'k1' }, START);
    expect(findRequest(proven, '1')).toMatchObject({ state: { status: 'delivered', proof: 'evidence' } });
    expect(claimResume(proven, '1', PROCESS, START)).toBe(proven);
  });

  it('proves a resume that the service said it did not take', () => {
    const refusedByMistake = answer(execution({ requests: [sending()] }), 1, BUSY);
    expect(status(recordTask(refusedByMistake, { ...TASK, hop: 1 }, START))).toBe('delivered');
  });

  it('stands against a refusal of the next attempt', () => {
    const second = claimResume(again(execution({ requests: [unconfirmed()] })), '1', PROCESS, START);
    const proven = recordTask(second, { ...TASK, hop: 1 }, START);
    expect(answer(proven, 2, REFUSED)).toEqual(proven);
  });

  it('may come as a late acceptance of the first attempt after the second was refused', () => {
    const second = claimResume(again(execution({ requests: [unconfirmed()] })), '1', PROCESS, START);
    const late = answer(answer(second, 2, REFUSED), 1, ACCEPTED);
    expect(findRequest(late, '1')).toMatchObject({
      state: { status: 'delivered', proof: 'accepted', resumedAs: 'k2' },
    });
  });

  it('keeps the run and the time of the first acceptance when a second one comes', () => {
    const once = answer(execution({ requests: [sending()] }), 1, ACCEPTED);
    const twice = answer(once, 1, { kind: 'accepted', kickoffId: 'k3' }, START + 5_000);
    expect(findRequest(twice, '1')).toMatchObject({ state: { resumedAs: 'k2', deliveredAt: START } });
    expect(twice.kickoffIds).toEqual(['k1', 'k2', 'k3']);
  });

  it('in doubt since a first attempt, a newer round proves the decision although the second was refused', () => {
    const attempts = [attempt(), attempt({ number: 2, hop: 2, mayHaveArrived: false })];
    expect(status(newer(execution({ requests: [refused({ attempts })] })))).toBe('delivered');
  });

  it('no longer in doubt since a late refusal, a newer round proves nothing', () => {
    const asked = answer(again(execution({ requests: [unconfirmed()] })), 1, REFUSED);
    expect(status(newer(asked))).toBe('superseded');
  });

  it('touches the record at most once a window for agent steps, whatever is in doubt', () => {
    const first = recordStep(execution({ requests: [unconfirmed()] }), { hop: 0, kickoffId: 'k1' }, START);
    expect(recordStep(first, { hop: 0, kickoffId: 'k1' }, START + 1)).toBe(first);
    expect(recordStep(first, { hop: 1, kickoffId: 'k1' }, START + 1)).not.toBe(first);
  });
});
