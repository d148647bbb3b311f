import { describe, expect, it } from 'vitest';
import { type Call, callsUnderWay, checkClaims, claimOf, renewClaim } from '../../src/core/claimed-calls.ts';
import { claimKickoff } from '../../src/core/execution/start.ts';
import { claimStep, dueStep } from '../../src/core/execution/workflow-steps.ts';
import { claimMessage } from '../../src/core/messages/delivery.ts';
import { claimResume } from '../../src/core/request/resume.ts';
import { CLAIM_MS } from '../../src/core/state/claim.ts';
import type { Execution } from '../../src/core/state/execution.ts';
import { duePost } from '../../src/core/state/post.ts';
import { execution, starting } from '../support/executions.ts';
import { decided, START } from '../support/requests.ts';

const PROCESS = 'process-1';
const ROOT: Call = { kind: 'post', message: { kind: 'root' } };

const CLAIMED: Record<string, { call: Call; claimed: Execution }> = {
  'a start': { call: { kind: 'kickoff' }, claimed: claimKickoff(starting(), PROCESS, START) },
  'a decision': {
    call: { kind: 'resume', approvalId: '1' },
    claimed: claimResume(execution({ requests: [decided()] }), '1', PROCESS, START),
  },
  'a message': {
    call: ROOT,
    claimed: claimMessage(execution({ root: duePost(START) }), { kind: 'root' }, PROCESS, START),
  },
  'the completion of a step': {
    call: { kind: 'complete-step', stepId: 'Fx1' },
    claimed: claimStep(
      execution({ workflowSteps: [dueStep({ id: 'Fx1', workflow: 'Wx1', awaits: 'start' }, START)] }),
      ...(['Fx1', PROCESS, START] as const),
    ),
  },
};

describe.each(Object.entries(CLAIMED))('%s that is claimed', (_, { call, claimed }) => {
  const claim = { call, attempt: 1, by: PROCESS };

  it('is found, with its attempt and the process that makes it', () => {
    expect(claimOf(claimed, call)).toEqual(claim);
    expect(callsUnderWay(claimed)).toEqual([claim]);
  });

  it('has its full time again once its process begins anew, and stays the same attempt', () => {
    const later = START + CLAIM_MS - 1;
    const renewed = renewClaim(claimed, claim, later);
    expect(claimOf(renewed, call)).toEqual(claim);
    const check = { now: START + CLAIM_MS, isGone: () => false };
    expect(claimOf(checkClaims(claimed, check), call)).toBeNull();
    expect(claimOf(checkClaims(renewed, check), call)).toEqual(claim);
  });
});

it('nothing is claimed that is only due', () => {
  expect(callsUnderWay(starting())).toEqual([]);
  expect(callsUnderWay(execution({ requests: [decided()], root: duePost(START) }))).toEqual([]);
});
