import { describe, expect, it } from 'vitest';
import { checkClaims, claimingProcesses } from '../../src/core/claimed-calls.ts';
import { dueAt } from '../../src/core/due-actions.ts';
import { recordStep } from '../../src/core/execution/run.ts';
import { claimKickoff } from '../../src/core/execution/start.ts';
import { claimMessage } from '../../src/core/messages/delivery.ts';
import { claimResume, settleResume } from '../../src/core/request/resume.ts';
import { CLAIM_MS, nextCheckAt } from '../../src/core/state/claim.ts';
import type { Execution } from '../../src/core/state/execution.ts';
import { postOf, ROOT } from '../../src/core/state/message.ts';
import { duePost } from '../../src/core/state/post.ts';
import { checkAt, PROCESS } from '../support/claims.ts';
import { execution, starting } from '../support/executions.ts';
import { decided, START } from '../support/requests.ts';

const quiet = { root: { status: 'gone', ts: null }, poll: { ...execution().poll, nextAt: null } } as const;
const resuming = () => claimResume(execution({ ...quiet, requests: [decided()] }), '1', PROCESS, START);
const kickingOff = () => claimKickoff(starting(quiet), PROCESS, START);
const posting = () => claimMessage(execution({ ...quiet, root: duePost(START) }), { kind: 'root' }, PROCESS, START);

const approvalOf = ({ requests: [request] }: Execution) => request;

/** Checks the claim whenever that is due, by which time its process is known to be gone or alive. */
function checkedUntil(end: number, claimed: Execution, ...gone: string[]): Execution {
  let each = claimed;
  for (let at = START; at < end; at += 500) each = checkClaims(each, checkAt(at, ...gone));
  return checkClaims(each, checkAt(end, ...gone));
}

/** When something is to be done about the claim, whatever else is due. */
function nextCheck(execution: Execution): number | null {
  const instants = [execution.kickoff, approvalOf(execution)?.state, postOf(execution, ROOT)].flatMap((each) =>
    each && 'claim' in each ? [nextCheckAt(each)] : [],
  );
  return instants[0] ?? null;
}

describe.each([
  ['resume', resuming],
  ['kickoff', kickingOff],
  ['posting', posting],
])('the claim of a %s', (_, claimed) => {
  it('makes others look after its process long before it ends', () => {
    expect(claimingProcesses(claimed(), START)).toEqual([]);
    expect(claimingProcesses(claimed(), START + 15_000)).toEqual([PROCESS]);
    expect(nextCheck(claimed())).toBeLessThan(START + 15_000);
  });

  it('lasts as long as a call may while its process lives', () => {
    const last = checkedUntil(START + CLAIM_MS - 1, claimed());
    expect(nextCheck(last)).toBe(START + CLAIM_MS);
    expect({ ...last, kickoff: {}, requests: [], messages: {} }).toEqual({
      ...claimed(),
      ...{ kickoff: {}, requests: [], messages: {} },
    });
    expect(claimingProcesses(checkedUntil(START + CLAIM_MS, claimed()), START + 1e9)).toEqual([]);
  });

  it('isn’t ended by another process’ end', () => {
    expect(checkedUntil(START + 30_000, claimed(), 'process-2')).toEqual(checkedUntil(START + 30_000, claimed()));
  });
});

describe('once the process of a call is gone', () => {
  it('a decision is unconfirmed 20 s after the call began, not 40', () => {
    const left = checkedUntil(START + 19_999, resuming(), PROCESS);
    expect(approvalOf(left)).toMatchObject({ state: { status: 'sending', claim: null } });
    expect(nextCheck(left)).toBe(START + 20_000);
    expect(approvalOf(checkedUntil(START + 20_000, left, PROCESS))).toMatchObject({
      state: { status: 'failed', failure: { kind: 'not-confirmed' }, failedAt: START + 20_000 },
    });
  });

  it('a start is unconfirmed 20 s after the call began, not 40', () => {
    expect(checkedUntil(START + 19_999, kickingOff(), PROCESS).run).toEqual({ status: 'starting' });
    const run = { status: 'not-confirmed', doubt: 'interrupted', since: START + 20_000 };
    expect(checkedUntil(START + 20_000, kickingOff(), PROCESS).run).toEqual(run);
  });

  it('evidence settles a decision as ever, and so does a late answer', () => {
    const left = checkedUntil(START + 19_999, resuming(), PROCESS);
    const hop = left.hop;
    expect(approvalOf(recordStep(left, { hop, kickoffId: null }, START))).toMatchObject({
      state: { status: 'delivered' },
    });
    const failed = checkedUntil(START + 20_000, left, PROCESS);
    const answer = { kind: 'accepted', kickoffId: null } as const;
    expect(approvalOf(settleResume(failed, { approvalId: '1', attempt: 1, answer }, START))).toMatchObject({
      state: { status: 'delivered' },
    });
  });

  it('a message is posted again by another process soon, unless Slack tells of it', () => {
    const left = checkedUntil(START + 15_000, posting(), PROCESS);
    expect(postOf(left, ROOT)).toMatchObject({ status: 'unsure' });
    expect(dueAt(left)).toBeLessThanOrEqual(START + 20_000);
  });
});
