// Steps of Slack's workflows that go on once a run has started or ended: telling Slack so is a call that isn't repeated by guess.

import { type ClaimCheck, type Claimed, checkClaim, claimedBy } from '../state/claim.ts';
import { declineOf, type Execution, noteHeard, type StepKey, type WorkflowStep } from '../state/execution.ts';
import { postOf, ROOT } from '../state/message.ts';
import { isOver } from '../state/post.ts';
import { ok, type Result, refuse } from '../values/result.ts';
import { backoffMs, type Millis } from '../values/time.ts';

/** What became of a run as far as a step that waits for it cares. `untracked`: a person has stopped tracking it. */
export type RunEnd = 'completed' | 'failed' | 'not-started' | 'declined' | 'untracked' | 'lost' | 'not-confirmed';

/** How a call that completes a step went. */
export type CompletionAnswer =
  | { kind: 'taken' }
  /** The workflow doesn't wait for it any more. */
  | { kind: 'over' }
  /** Slack doesn't take it, and wouldn't the next time. */
  | { kind: 'refused' }
  /** Nothing was taken for certain. */
  | { kind: 'later'; waitMs: Millis | null }
  | { kind: 'unknown' };

/** More workflows than this don't wait for one run. */
const MOST_STEPS = 100;

/** How long a webhook may still show that an unanswered kickoff has started the crew. */
const DOUBT_MS = 60_000;

const RETRY = { firstMs: 1_000, mostMs: 5 * 60_000 };

export function dueStep({ id, workflow, awaits }: Omit<WorkflowStep, 'completion'>, now: Millis): WorkflowStep {
  return { id, workflow, awaits, completion: { status: 'due', tries: 0, notBefore: now } };
}

/** Has a step wait for the end of the run. Returns the same execution if it does already. */
export function waitForEnd(execution: Execution, step: StepKey, now: Millis): Result<Execution, 'too-many'> {
  const { workflowSteps } = execution;
  if (findStep(execution, step.id)) return ok(execution);
  if (workflowSteps.length >= MOST_STEPS) return refuse('too-many');
  return ok({ ...execution, workflowSteps: [...workflowSteps, dueStep({ ...step, awaits: 'end' }, now)] });
}

/** Whether a step of this workflow has started the run, or asked what it asks. */
export function isOfWorkflow({ workflowSteps }: Execution, workflow: string | null): boolean {
  return workflow !== null && workflowSteps.some((step) => step.awaits !== 'end' && step.workflow === workflow);
}

/** How the start went, for a step that waits for it; null while that isn't known, or the thread isn't there. */
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

/** Whether there is nothing more to wait for; null while there is. */
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

/** When a step is to be completed; null while what it waits for hasn't come, or once it needs nothing more. */
export function completedAt(execution: Execution, { awaits, completion }: WorkflowStep): Millis | null {
  if (completion.status !== 'due') return null;
  const outcome = awaits === 'start' ? startOf(execution) : endOf(execution);
  if (outcome === null) return null;
  const { run } = execution;
  return run.status === 'not-confirmed' ? Math.max(run.since + DOUBT_MS, completion.notBefore) : completion.notBefore;
}

/** Only the worker whose claim is stored may complete the step. Returns the same execution if there is nothing to claim. */
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

/** The worker died during the call, or the call never returned: nobody knows whether the workflow goes on. */
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

/** Whether Slack has refused to take that the step is done: its workflow waits in vain. */
export function wasRefused({ completion }: Pick<WorkflowStep, 'completion'>): boolean {
  return completion.status === 'settled' && completion.as === 'refused';
}

export function findStep({ workflowSteps }: Execution, stepId: string): WorkflowStep | null {
  return workflowSteps.find(({ id }) => id === stepId) ?? null;
}

/** Returns the same execution if nothing changed. */
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

/** The same claim with its full time again. */
export function renewStep(execution: Execution, stepId: string, renewed: Claimed): Execution {
  return withStep(execution, stepId, (step) =>
    step.completion.status === 'sending' ? { ...step, completion: { ...step.completion, ...renewed } } : step,
  );
}
