import { describe, expect, it } from 'vitest';
import { settleKickoff, startForStep } from '../../../src/core/execution/start.ts';
import {
  type CompletionAnswer,
  checkStep,
  claimStep,
  completedAt,
  dueStep,
  endOf,
  findStep,
  settleStep,
  waitForEnd,
} from '../../../src/core/execution/workflow-steps.ts';
import { CLAIM_MS } from '../../../src/core/state/claim.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import { duePost } from '../../../src/core/state/post.ts';
import { checkAt, PROCESS } from '../../support/claims.ts';
import { changed, type ExecutionChange, execution } from '../../support/executions.ts';
import { declined, JON, MARIA, posted, START } from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';

const STEP = { id: 'Fx1', workflow: 'Wx1' };
const started = (change: ExecutionChange = {}): Execution =>
  changed(
    startForStep({ ref: 'ref1', crew: 'editorial', channel: 'C1', inputs: {}, step: STEP, by: MARIA }, START),
    change,
  );
const due = (each: Execution, stepId = 'Fx1') => {
  const step = findStep(each, stepId);
  return step && completedAt(each, step);
};
const waiting = (change: ExecutionChange = {}) => valueFrom(waitForEnd(execution(change), STEP, START));
const told = (each: Execution, answer: CompletionAnswer, attempt = 1) =>
  settleStep(each, { stepId: 'Fx1', attempt, answer }, START);
const completionOf = (each: Execution) => findStep(each, 'Fx1')?.completion;

const DAY = 24 * 60 * 60_000;

describe('a step that starts a crew', () => {
  it('is done once the crew has accepted and the thread is there', () => {
    const accepted = settleKickoff(started({ root: duePost(START) }), { kind: 'accepted', kickoffId: 'k1' }, START);
    expect(due(started())).toBeNull();
    expect(due(accepted)).toBeNull();
    expect(due(changed(accepted, { root: posted() }))).toBe(START);
    expect(due(changed(accepted, { root: { status: 'gone', ts: null } }))).toBe(START);
  });

  it('fails at once if the crew refuses, and after a minute if nobody knows whether it has started', () => {
    const refusal = { code: 'quota', detail: '', missing: [] } as const;
    const refused = settleKickoff(started(), { kind: 'refused', refusal: { ...refusal, missing: [] } }, START);
    expect(due(refused)).toBe(START);
    expect(refused.starterNotice).toEqual({ status: 'none' });
    const unsure = settleKickoff(started(), { kind: 'unknown', doubt: 'no-answer' }, START);
    expect(due(unsure)).toBe(START + 60_000);
  });
});

describe('a step that waits for a run', () => {
  it.each<[string, Partial<Execution>, ReturnType<typeof endOf>]>([
    ['runs', {}, null],
    ['waits for a person', { run: { status: 'waiting' } }, null],
    ['is starting', { run: { status: 'starting' } }, null],
    ['has completed', { run: { status: 'completed', result: null, endedAt: START } }, 'completed'],
    ['has failed', { run: { status: 'failed', error: 'no', endedAt: START } }, 'failed'],
    ['is lost', { run: { status: 'lost', lostAt: START } }, 'lost'],
    ['may not have started', { run: { status: 'not-confirmed', doubt: 'no-id', since: START } }, 'not-confirmed'],
    ['is tracked by nobody', { unfollowed: { by: JON, at: START } }, 'untracked'],
    ['was declined', { requests: [declined()] }, 'declined'],
    [
      'has completed all the same',
      { run: { status: 'completed', result: null, endedAt: START }, unfollowed: { by: JON, at: START } },
      'completed',
    ],
  ])('of a run that %s', (_, change, end) => {
    const each = waiting(change);
    expect(endOf(each)).toBe(end);
    expect(due(each) === null).toBe(end === null);
  });

  it('waits however long the run takes', () => {
    const each = waiting();
    expect(claimStep(each, 'Fx1', PROCESS, START + 90 * DAY)).toBe(each);
  });

  it('is one step, however often Slack tells of it, and one of a hundred at most', () => {
    const each = waiting();
    expect(valueFrom(waitForEnd(each, STEP, START + 1))).toBe(each);
    const workflowSteps = Array.from({ length: 100 }, (_, i) =>
      dueStep({ ...STEP, id: `Fx-${i}`, awaits: 'end' }, START),
    );
    expect(waitForEnd(execution({ workflowSteps }), STEP, START)).toEqual({ ok: false, refusal: 'too-many' });
  });
});

describe('the call that completes a step', () => {
  const ended = waiting({ run: { status: 'completed', result: null, endedAt: START } });
  const claimed = claimStep(ended, 'Fx1', PROCESS, START);

  it('is made by one process', () => {
    expect(completionOf(claimed)).toMatchObject({ status: 'sending', tries: 1, claim: { by: PROCESS } });
    expect(claimStep(claimed, 'Fx1', 'process-2', START)).toBe(claimed);
    expect(claimStep(claimed, 'other', PROCESS, START)).toBe(claimed);
  });

  it.each<[CompletionAnswer['kind'], object]>([
    ['taken', { status: 'settled', as: 'taken' }],
    ['over', { status: 'settled', as: 'over' }],
    ['refused', { status: 'settled', as: 'refused' }],
    ['unknown', { status: 'not-confirmed', tries: 1 }],
  ])('isn’t made again once it is %s', (kind, completion) => {
    const settled = told(claimed, kind === 'unknown' ? { kind } : ({ kind } as CompletionAnswer));
    expect(completionOf(settled)).toEqual(completion);
    expect(due(settled)).toBeNull();
    expect(claimStep(settled, 'Fx1', PROCESS, START + DAY)).toBe(settled);
  });

  it('is made again when Slack says, and more and more seldom while it can’t be reached', () => {
    expect(due(told(claimed, { kind: 'later', waitMs: 30_000 }))).toBe(START + 30_000);
    let each = claimed;
    const pauses = [1, 2, 3].map((attempt) => {
      each = told(each, { kind: 'later', waitMs: null }, attempt);
      const at = due(each) ?? 0;
      each = claimStep(each, 'Fx1', PROCESS, at);
      return at - START;
    });
    expect(pauses).toEqual([1_000, 2_000, 4_000]);
  });

  it('may have been taken where its process died, until its answer comes after all', () => {
    const check = checkAt(START + CLAIM_MS);
    const left = checkStep(claimed, 'Fx1', check);
    expect(completionOf(left)).toEqual({ status: 'not-confirmed', tries: 1 });
    expect(completionOf(told(left, { kind: 'taken' }))).toEqual({ status: 'settled', as: 'taken' });
    expect(completionOf(told(left, { kind: 'later', waitMs: null }))).toMatchObject({ status: 'due' });
    expect(told(left, { kind: 'taken' }, 2)).toBe(left);
  });
});
