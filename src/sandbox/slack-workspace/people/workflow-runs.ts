// Workflows as a person sees them: those that can be started, and what became of those that were.

import type { WorkflowOffer, WorkflowOutput, WorkflowRun, WorkflowRunStep } from '../people-api.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { formBlocks } from '../state/workflow-form.ts';
import type { FunctionExecution, StoredWorkflowRun } from '../state/workspace-state.ts';
import type { Workflow } from '../workflow.ts';

export function workflowOffer(workspace: Workspace, workflow: Workflow): WorkflowOffer {
  const { name, description = '', steps } = workflow;
  return {
    name,
    description,
    steps: steps.map((step) => titleOf(workspace, step.function)),
    form: formBlocks(workflow),
  };
}

export function runsOf(workspace: Workspace, memberId: string): WorkflowRun[] {
  const theirs = workspace.state.workflowRuns.filter(({ startedBy }) => startedBy === memberId);
  return theirs.map((run) => workflowRun(workspace, run)).toReversed();
}

function workflowRun(workspace: Workspace, run: StoredWorkflowRun): WorkflowRun {
  const { id, workflow, startedAt, executionIds, end } = run;
  const steps = workflow.steps.map((step, index): WorkflowRunStep => {
    const execution = workspace.executions.find(executionIds[index] ?? '');
    if (!execution) return { title: titleOf(workspace, step.function), status: 'waiting', outputs: [] };
    const { declared, end: ended } = execution;
    return { title: declared.title, status: ended?.status ?? 'running', outputs: outputsOf(execution) };
  });
  return {
    id,
    name: workflow.name,
    startedAt,
    status: end?.status ?? 'running',
    steps,
    ...(end?.status === 'failed' && { error: end.error }),
  };
}

function outputsOf({ declared, end }: FunctionExecution): WorkflowOutput[] {
  if (end?.status !== 'completed') return [];
  return declared.outputs.flatMap(({ name, title, type }) => {
    const value = end.outputs[name] ?? undefined;
    return value === undefined ? [] : [{ name, title, type, value }];
  });
}

function titleOf({ app }: Workspace, callbackId: string): string {
  return app.functions.find((declared) => declared.callbackId === callbackId)?.title ?? callbackId;
}
