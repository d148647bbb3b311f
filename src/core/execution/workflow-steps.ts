// Steps of Slack's workflows that wait for a run's start, end or decision. The worker claims and makes the call that completes a step;
// an unknown outcome is never repeated.

import { type ClaimCheck, type Claimed, checkClaim, claimedBy } from '../state/claim.ts';
import { declineOf, type Execution, noteHeard, type StepKey, type WorkflowStep } from '../state/execution.ts';
import { postOf, ROOT } from '../state/message.ts';
import { isOver } from '../state/post.ts';
import { ok, type Result, refuse } from '../values/result.ts';
import { backoffMs, type Millis } from '../values/time.ts';

/** The end of a run as a workflow sees it. `untracked`: a person has stopped tracking it. */
export type RunEnd = 'completed' | 'failed' | 'not-started' | 'declined' | 'untracked' | 'lost' | 'not-confirmed';

/** Slack's answer to a call that completes a step. */
export type CompletionAnswer =
  | { kind: 'taken' }
  /** The workflow no longer waits. */
  | { kind: 'over' }
  /** Slack refuses the call, now and later. */
  | { kind: 'refused' }
  /** The call certainly had no effect. */
  | { kind: 'later'; waitMs: Millis | null }
  | { kind: 'unknown' };

/** Steps that can wait for one run. */
const MOST_STEPS = 100;

/** A webhook may still show after this time that an unanswered kickoff has started the crew. */
const DOUBT_MS = 60_000;

const RETRY = { firstMs: 1_000, mostMs: 5 * 60_000 };

export function dueStep({ id, workflow, awaits }: Omit<WorkflowStep, 'completion'>, now: Millis): WorkflowStep {
  return { id, workflow, awaits, completion: { status: 'due', tries: 0, notBefore: now } };
}

/** Makes a step wait for the end of the run. */
export function waitForEnd(execution: Execution, step: StepKey, now: Millis): Result<Execution, 'too-many'> {
  const { workflowSteps } = execution;
  if (findStep(execution, step.id)) return ok(execution);
  if (workflowSteps.length >= MOST_STEPS) return refuse('too-many');
  return ok({ ...execution, workflowSteps: [...workflowSteps, dueStep({ ...step, awaits: 'end' }, now)] });
}

/** Returns true if a step of this workflow has started the run, or asked its question. */
export function isOfWorkflow({ workflowSteps }: Execution, workflow: string | null): boolean {
  return workflow !== null && workflowSteps.some((step) => step.awaits !== 'end' && step.workflow === workflow);
}

/** Returns the outcome of the start; null until it is known and the thread is there. */
export function startOf(execution: Execution): 'started' | 'not-started' | 'not-confirmed' | null {
  const { status } = execution.run;
  switch (status) {
    case 'starting':
      return null;
    case 'not-started':
    case 'not-confirmed':
      return status;
    case 'running':
    case 'waiting':
    case 'completed':
    case 'failed':
    case 'lost':
      return isOver(postOf(execution, ROOT)) ? 'started' : null;
  }
}

/** Returns the end of the run; null while it goes on. */
export function endOf(execution: Execution): RunEnd | null {
  const { run, unfollowed } = execution;
  switch (run.status) {
    case 'completed':
    case 'failed':
    case 'not-started':
    case 'not-confirmed':
      return run.status;
    case 'starting':
    case 'running':
    case 'waiting':
    case 'lost':
      if (declineOf(execution)) return 'declined';
      if (unfollowed) return 'untracked';
      return run.status === 'lost' ? 'lost' : null;
  }
}

/** Returns when to complete a step; null until its event has come, and once it is settled. */
export function completedAt(execution: Execution, { awaits, completion }: WorkflowStep): Millis | null {
  if (completion.status !== 'due') return null;
  const outcome = awaits === 'start' ? startOf(execution) : endOf(execution);
  if (outcome === null) return null;
  const { run } = execution;
  return run.status === 'not-confirmed' ? Math.max(run.since + DOUBT_MS, completion.notBefore) : completion.notBefore;
}

/** Claims a step. Only the worker whose claim is stored may complete it. */
export function claimStep(execution: Execution, stepId: string, process: string, now: Millis): Execution {
  return withStep(execution, stepId, (step) => {
    const at = completedAt(execution, step);
    if (step.completion.status !== 'due' || at === null || now < at) return step;
    return { ...step, completion: { status: 'sending', tries: step.completion.tries + 1, ...claimedBy(process, now) } };
  });
}

/** Records the answer to a completion, also a late one. */
export function settleStep(
  execution: Execution,
  { stepId, attempt, answer }: { stepId: string; attempt: number; answer: CompletionAnswer },
  now: Millis,
): Execution {
  const settled = withStep(execution, stepId, (step) => {
    const { completion } = step;
    if (!('tries' in completion) || completion.tries !== attempt || completion.status === 'due') return step;
    return { ...step, completion: completionAfter(answer, attempt, now) };
  });
  const isHeard = answer.kind === 'taken' && findStep(settled, stepId)?.awaits === 'decision';
  return isHeard ? noteHeard(settled, now) : settled;
}

function completionAfter(answer: CompletionAnswer, tries: number, now: Millis): WorkflowStep['completion'] {
  switch (answer.kind) {
    case 'taken':
    case 'over':
    case 'refused':
      return { status: 'settled', as: answer.kind };
    case 'later':
      return { status: 'due', tries, notBefore: now + (answer.waitMs ?? backoffMs(tries - 1, RETRY)) };
    case 'unknown':
      return { status: 'not-confirmed', tries };
  }
}

/** Ends the claim of a step whose worker died or whose call never returned: nobody knows whether the workflow goes on. */
export function checkStep(execution: Execution, stepId: string, check: ClaimCheck): Execution {
  return withStep(execution, stepId, (step) => {
    const { completion } = step;
    if (completion.status !== 'sending') return step;
    const checked = checkClaim(completion, check, 0);
    if (checked === completion) return step;
    const { tries } = completion;
    return { ...step, completion: checked === 'over' ? { status: 'not-confirmed', tries } : checked };
  });
}

/** Returns true if Slack has refused to complete the step, so that its workflow waits in vain. */
export function wasRefused({ completion }: Pick<WorkflowStep, 'completion'>): boolean {
  return completion.status === 'settled' && completion.as === 'refused';
}

export function findStep({ workflowSteps }: Execution, stepId: string): WorkflowStep | null {
  return workflowSteps.find(({ id }) => id === stepId) ?? null;
}

/** Changes one step. Returns the same execution if nothing changed. */
export function withStep(
  execution: Execution,
  stepId: string,
  change: (step: WorkflowStep) => WorkflowStep,
): Execution {
  const step = findStep(execution, stepId);
  const changed = step && change(step);
  if (!changed || changed === step) return execution;
  return {
    ...execution,
    workflowSteps: execution.workflowSteps.map((each) => (each === step ? changed : each)),
  };
}

/** Gives a claim its full time again. */
export function renewStep(execution: Execution, stepId: string, renewed: Claimed): Execution {
  return withStep(execution, stepId, (step) =>
    step.completion.status === 'sending' ? { ...step, completion: { ...step.completion, ...renewed } } : step,
  );
}
