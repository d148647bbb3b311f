import { describe, expect, it } from 'vitest';
import { dueActionsAt, dueAt } from '../../../src/core/due-actions.ts';
import { recordCompletion } from '../../../src/core/execution/run.ts';
import { recordStatus, stopFollowing } from '../../../src/core/execution/tracking.ts';
import type { CrewRules } from '../../../src/core/policy/crew-rules.ts';
import { policyHash } from '../../../src/core/policy/document.ts';
import type { OnText, Permission } from '../../../src/core/policy/permission.ts';
import { DEFAULT_POLICY } from '../../../src/core/policy/policy.ts';
import { findRules } from '../../../src/core/policy/rules.ts';
import { askApprovers } from '../../../src/core/request/alerts.ts';
import { ask, followRules } from '../../../src/core/request/ask.ts';
import { decide } from '../../../src/core/request/decide.ts';
import { handOver, letStandIn } from '../../../src/core/request/hand-over.ts';
import { underRules } from '../../../src/core/request/planned-times.ts';
import { sendAgain } from '../../../src/core/request/resume.ts';
import { undo, withdraw } from '../../../src/core/request/retract.ts';
import { escalate, expire, remind } from '../../../src/core/request/timers.ts';
import { type Execution, missCrew, missesCrew } from '../../../src/core/state/execution.ts';
import { NO_TIMES } from '../../../src/core/state/request.ts';
import { changed, execution, request, starting } from '../../support/executions.ts';
import {
  decided,
  JON,
  MARIA,
  output,
  PERMITTED,
  pending,
  permittedTo,
  posted,
  RULES,
  refused,
  START,
  STRANGER,
  vote,
} from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

const UNKNOWN: CrewRules = { policy: null, hours: null };
const NO_POLICY: Permission & OnText = { ...PERMITTED, policy: null };
const APPROVE = { verdict: 'approve', feedback: null, text: 'Approved.' } as const;
const MISSING = { ok: false, refusal: { kind: 'crew-missing', crew: 'editorial' } };

const TIMED: CrewRules = {
  ...RULES,
  policy: { ...DEFAULT_POLICY, remindAfterMs: HOUR, escalateAfterMs: 2 * HOUR, expireAfterMs: DAY },
};
const times = underRules(findRules(TIMED, { execution: execution(), request: pending(), now: START })).discussion.times;

const missing = (each: Execution, at = START) => followRules(each, UNKNOWN, at);
const kinds = (each: Execution, at: number) => dueActionsAt(each, at).map(({ kind }) => kind);

describe('while nobody knows who may decide', () => {
  const asked = missing(execution({ requests: [pending({ votes: [vote(JON)] })] }));
  const by = MARIA;

  it.each([
    ['decides', decide(asked, '1', { choice: APPROVE, by, ...NO_POLICY }, START)],
    ['hands over', handOver(asked, '1', { by, to: JON, ...NO_POLICY }, START)],
    ['lets others stand in', letStandIn(asked, '1', { by, to: JON, until: START + 1, ...NO_POLICY }, START)],
    ['has others asked', askApprovers(asked, '1', { by, ...NO_POLICY }, START)],
    ['stops tracking what others started', stopFollowing(asked, { by: JON, ...NO_POLICY }, START)],
    ['undoes what others decided', undo(execution({ requests: [undoable()] }), '1', { by: JON, ...NO_POLICY }, START)],
    ['sends again', sendAgain(execution({ requests: [refused()] }), '1', { by, ...NO_POLICY }, START)],
    ['learns whether there is such a request', decide(asked, '9', { choice: APPROVE, by, ...NO_POLICY }, START)],
  ])('nobody %s', (_, result) => {
    expect(result).toEqual(MISSING);
  });

  it('people of other organisations don’t learn even that', () => {
    const result = decide(asked, '1', { choice: APPROVE, by, ...STRANGER, policy: null }, START);
    expect(result).toEqual({ ok: false, refusal: { kind: 'denied', denial: { kind: 'stranger' } } });
  });

  it('people take back what is their own', () => {
    expect(valueFrom(withdraw(asked, '1', permittedTo(JON), START)).requests[0]?.discussion.votes).toEqual([]);
    const undone = valueFrom(undo(execution({ requests: [undoable()] }), '1', { by, ...NO_POLICY }, START));
    expect(undone.requests[0]?.state.status).toBe('pending');
  });

  function undoable() {
    return decided({ sendAt: START + 10, undoUntil: START + 10 });
  }
});

describe('a run whose crew is missing', () => {
  const kept = missing(
    execution({
      requests: [decided(), pending({ id: '2', taskId: 'title', times, card: posted() })],
    }),
  );

  it('sends nothing, asks for nothing, and lets no time run out, however long', () => {
    const later = START + 100 * DAY;
    expect(new Set(kinds(kept, later))).toEqual(new Set(['check-crew', 'update']));
    for (const run of [remind, escalate, expire]) {
      expect(run(kept, '2', TIMED, later)).toBe(kept);
      expect(run({ ...kept, missingCrew: null }, '2', UNKNOWN, later)).toEqual({ ...kept, missingCrew: null });
    }
    expect(kept.requests.map(({ state: { status } }) => status)).toEqual(['decided', 'pending']);
    expect(kinds(missing(starting()), later)).toEqual(['check-crew']);
  });

  it('looks for its crew at most once a minute, and less and less often', () => {
    let each = kept;
    const pauses = Array.from({ length: 10 }, () => {
      const before = each.missingCrew?.checkAt ?? 0;
      expect(missing(each, before - 1)).toBe(each);
      each = missing(each, before);
      return ((each.missingCrew?.checkAt ?? 0) - before) / 60_000;
    });
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
  });

  it('goes on when the crew is back: what was kept is sent, and the clocks begin anew', () => {
    const back = START + 30 * DAY;
    const known = followRules(kept, TIMED, back);
    expect(missesCrew(known)).toBe(false);
    expect(kinds(known, back)).toEqual(['resume', 'update', 'update', 'update', 'poll']);
    expect(known.requests[1]?.discussion.times).toMatchObject({
      remindAt: back + HOUR,
      escalateAt: back + 2 * HOUR,
      expireAt: back + DAY,
    });
    expect(followRules(known, TIMED, back + 1)).toBe(known);
  });

  it('has its new times counted from then by whatever rules it gets later', () => {
    const back = START + 30 * DAY;
    const rules = { ...TIMED, policy: { ...DEFAULT_POLICY, expireAfterMs: 2 * DAY } };
    const known = followRules(followRules(kept, TIMED, back), rules, back + HOUR);
    expect(known.requests[1]?.discussion.times.expireAt).toBe(back + 2 * DAY);
  });

  it('isn’t lost for the polls that it had no answer to', () => {
    const polled = execution();
    const once = recordStatus(polled, { kind: 'not-found' }, START);
    const back = followRules(missing(once), RULES, START + DAY);
    expect(recordStatus(back, { kind: 'not-found' }, START + DAY).run.status).toBe('running');
    expect(recordStatus(once, { kind: 'not-found' }, START + DAY).run.status).toBe('lost');
  });

  it('takes what the crew still reports: its end, and new requests', () => {
    const ended = recordCompletion(kept, { hop: 0, kickoffId: 'k1', result: output('done') }, START + 1);
    expect(ended.run.status).toBe('completed');
    expect(missesCrew(ended)).toBe(false);
    const more = valueFrom(ask(kept, request({ taskId: 'cover' }), START + 1, { ...UNKNOWN, keepTexts: 'attach' }));
    expect(more.requests[2]).toMatchObject({
      question: { keepsText: true },
      state: { status: 'pending' },
      discussion: { times: NO_TIMES },
    });
    expect(more.missingCrew).toEqual(kept.missingCrew);
  });

  it('is one as soon as its crew asks while it is missing, and none any more as soon as it is known', () => {
    const asked = valueFrom(ask(execution(), request(), START, UNKNOWN));
    expect(missesCrew(asked)).toBe(true);
    expect(asked.requests[0]?.discussion.directMessages.status).toBe('due');
    expect(asked.ledgerEvents).toMatchObject([{ kind: 'asked', facts: { policy: policyHash(null) } }]);
    const again = valueFrom(ask(asked, request({ taskId: 'title' }), START + 1, TIMED));
    expect(missesCrew(again)).toBe(false);
    expect(again.requests.map((each) => each.discussion.times.expireAt)).toEqual([START + 1 + DAY, START + 1 + DAY]);
  });

  it('is none that is over, or of which nothing is expected', () => {
    const status = { status: 'completed', result: null, endedAt: START } as const;
    for (const run of [status, { status: 'lost', lostAt: START } as const]) {
      const each = execution({ run });
      expect(missCrew(each, START)).toBe(each);
    }
    const untracked = valueFrom(stopFollowing(missing(execution()), { by: MARIA, ...NO_POLICY }, START));
    expect(kinds(untracked, START + DAY)).not.toContain('check-crew');
    expect(dueAt(changed(untracked, { root: posted() }))).not.toBe(untracked.missingCrew?.checkAt);
  });
});
