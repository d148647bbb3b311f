import type { Logger } from 'pino';
import { claimStep, findStep, settleStep } from '../core/execution/workflow-steps.ts';
import type { ExecutionStore, WorkflowPort } from '../core/ports.ts';
import { type ClaimCall, change, storeOutcome } from './change.ts';

export interface StepPorts {
  store: ExecutionStore;
  workflows: WorkflowPort;
  claimCall: ClaimCall;
  log: Logger;
}

/** Tells Slack that a step of one of its workflows is done. */
export async function completeStep(
  { store, workflows, claimCall, log }: StepPorts,
  ref: string,
  stepId: string,
): Promise<void> {
  const claimed = await claimCall(ref, { kind: 'complete-step', stepId }, (execution, process, now) =>
    claimStep(execution, stepId, process, now),
  );
  const step = claimed && findStep(claimed.execution, stepId);
  if (!claimed || step?.completion.status !== 'sending') return;
  const answer = await workflows.complete(claimed.execution, step);
  const attempt = step.completion.tries;
  await storeOutcome(() => change(store, ref, (each, now) => settleStep(each, { stepId, attempt, answer }, now)));
  log.info({ ref, stepId, attempt, answer: answer.kind }, 'completed a step of a workflow');
}
