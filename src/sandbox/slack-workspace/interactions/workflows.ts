// Workflows of the app's steps: they are built, started by people, and go on as the app completes each step.

import { heldElements } from '../block-kit/interactive.ts';
import { checkInputs } from '../inputs/check-input.ts';
import type { Json, JsonObject } from '../json.ts';
import { areOffered } from '../people/offered.ts';
import type { ActionOutcome, ViewInputs } from '../person-actions.ts';
import { checkParameters } from '../runtime/function-executions.ts';
import type { AppFunction } from '../runtime/installed-app.ts';
import { newId, type Workspace } from '../runtime/workspace.ts';
import { answersIn, formBlocks } from '../state/workflow-form.ts';
import type { FunctionEnd, FunctionExecution, StoredWorkflowRun } from '../state/workspace-state.ts';
import type { Workflow, WorkflowStep } from '../workflow.ts';
import { deliverEvent } from './events.ts';
import { executedEvent } from './function-executed.ts';
import { problem } from './problem.ts';

/** Adds a workflow, in place of the one with its name. Throws for one that Workflow Builder wouldn't publish. */
export function buildWorkflow(workspace: Workspace, workflow: Workflow): void {
  const problems = problemsOf(workspace, workflow);
  if (problems.length > 0) throw new Error(`${workflow.name}: ${problems.join('; ')}`);
  const { state } = workspace;
  state.workflows = [...state.workflows.filter(({ name }) => name !== workflow.name), workflow];
  workspace.touch();
}

function problemsOf({ app }: Workspace, { form = [], steps }: Workflow): string[] {
  const names = new Set(['starter', ...form.map(({ name }) => `form.${name}`)]);
  return steps.flatMap((step, index) => {
    const at = `step ${index + 1}`;
    const declared = app.functions.find(({ callbackId }) => callbackId === step.function);
    if (!declared) return [`${at}: the app has no function ${step.function}`];
    const inputs = Object.entries(step.inputs ?? {});
    const unknown = inputs.flatMap(([, value]) => namesIn(value)).filter((name) => !names.has(name));
    // A value from elsewhere can be checked only when the workflow comes here.
    const fixed = inputs.filter(([, value]) => namesIn(value).length === 0);
    const filled = inputs.filter(([, value]) => namesIn(value).length > 0).map(([name]) => name);
    const open = declared.inputs.filter(({ name }) => !filled.includes(name));
    for (const { name } of declared.outputs) names.add(`steps.${index + 1}.${name}`);
    return [
      ...filled.filter((name) => !declared.inputs.some((one) => one.name === name)).map(notAnInput),
      ...unknown.map((name) => `nothing is called {{${name}}}`),
      ...checkParameters(open, Object.fromEntries(fixed)),
    ].map((what) => `${at}: ${what}`);
  });
}

function notAnInput(name: string): string {
  return `${name} is not a parameter of the function`;
}

export function startWorkflow(
  workspace: Workspace,
  userId: string,
  { name, inputs }: { name: string; inputs: ViewInputs },
): ActionOutcome {
  const workflow = workflowsFor(workspace, userId).find((one) => one.name === name);
  if (!workflow) return problem('not_visible', 'There is no such workflow any more.', 'toast');
  const form = formBlocks(workflow);
  const errors = checkInputs(form, inputs);
  for (const { block, element } of heldElements(form)) {
    const input = inputs[String(block.block_id)]?.[String(element.action_id)];
    if (input && !areOffered(workspace, { userId, element, input }))
      errors[String(block.block_id)] = 'That can’t be chosen here.';
  }
  if (Object.keys(errors).length > 0)
    return {
      ok: false,
      problem: { code: 'invalid_input', text: Object.values(errors).join(' '), at: 'inputs', errors },
    };
  const run: StoredWorkflowRun = {
    id: newId(workspace, 'Wx'),
    workflow,
    startedBy: userId,
    startedAt: workspace.now(),
    answers: answersIn(form, inputs),
    executionIds: [],
    end: undefined,
  };
  workspace.state.workflowRuns.push(run);
  goOn(workspace, run);
  return { ok: true, runId: run.id };
}

/** Apps with custom steps exclude people of other organisations: https://docs.slack.dev/workflows/workflow-steps */
export function workflowsFor({ state }: Workspace, userId: string): Workflow[] {
  return state.members.some(({ id, kind }) => id === userId && kind === 'stranger') ? [] : state.workflows;
}

/** Comes to the next step, or to the end. */
function goOn(workspace: Workspace, run: StoredWorkflowRun): void {
  const step = run.workflow.steps[run.executionIds.length];
  if (step) beginStep(workspace, run, step);
  else run.end = { status: 'completed' };
  workspace.touch();
}

function beginStep(workspace: Workspace, run: StoredWorkflowRun, step: WorkflowStep): void {
  const declared = workspace.app.functions.find(({ callbackId }) => callbackId === step.function);
  const inputs = filledIn(step.inputs ?? {}, valuesOf(workspace, run));
  const problems = declared ? checkParameters(declared.inputs, inputs) : ['the app doesn’t have it any more'];
  if (!declared || problems.length > 0) {
    const title = declared?.title ?? step.function;
    run.end = { status: 'failed', error: `${title} can’t begin: ${problems.join('; ')}.` };
    return;
  }
  const { executionId } = executeFunction(workspace, { workflowRunId: run.id, declared, inputs });
  run.executionIds.push(executionId);
}

/** A step for the code that runs it: `ended` resolves once the app has completed it, or it has failed. */
export type FunctionRun = { executionId: string; ended: Promise<FunctionEnd> };

/** Runs a function of the app on its own, as in a workflow of one step. Throws if there is no such function or its inputs don't fit. */
export function runFunction(workspace: Workspace, callbackId: string, inputs: JsonObject): FunctionRun {
  const declared = workspace.app.functions.find((one) => one.callbackId === callbackId);
  if (!declared) throw new Error(`the app has no function ${callbackId}`);
  const problems = checkParameters(declared.inputs, inputs);
  if (problems.length > 0) throw new Error(`${callbackId}: ${problems.join('; ')}`);
  return executeFunction(workspace, { workflowRunId: newId(workspace, 'Wx'), declared, inputs });
}

/**
 * Slack's own words for a step whose event the app didn't acknowledge (https://github.com/slackapi/deno-slack-runtime/issues/64).
 * The app can't complete it any more: https://github.com/slackapi/bolt-js/issues/2288.
 */
const NOT_ACKNOWLEDGED: FunctionEnd = { status: 'failed', error: 'Function failed to execute: event_dispatch_failed' };

/** Tells the app that a workflow has come to a step of it, which fails if the app doesn't acknowledge that. */
function executeFunction(
  workspace: Workspace,
  step: { workflowRunId: string; declared: AppFunction; inputs: JsonObject },
): FunctionRun {
  const id = newId(workspace, 'Fx');
  const { execution, ended } = workspace.executions.start({ id, ...step });
  const acknowledged = deliverEvent(workspace, 'function_executed', executedEvent(workspace, execution));
  void acknowledged.then((isAcknowledged) => {
    const isOver = execution.end !== undefined || workspace.ended.aborted;
    if (!isAcknowledged && !isOver) finishStep(workspace, execution, NOT_ACKNOWLEDGED);
  });
  workspace.touch();
  return { executionId: id, ended };
}

/** Ends a step, and its workflow goes on if the app has completed it. */
export function finishStep(workspace: Workspace, execution: FunctionExecution, end: FunctionEnd): void {
  workspace.executions.finish(execution, end);
  const run = workspace.state.workflowRuns.find(({ id }) => id === execution.workflowRunId);
  if (run && end.status === 'completed') goOn(workspace, run);
  else if (run) run.end = end;
  workspace.touch();
}

/**
 * Cancels a run that somebody has started. The app isn't told: no event of https://docs.slack.dev/reference/events is about it, and
 * completing the step is refused from now on.
 */
export function cancelWorkflow(workspace: Workspace, userId: string, runId: string): ActionOutcome {
  const run = workspace.state.workflowRuns.find(({ id, startedBy }) => id === runId && startedBy === userId);
  if (!run || run.end !== undefined) return problem('not_visible', 'This workflow has ended already.', 'toast');
  const execution = workspace.executions.find(run.executionIds.at(-1) ?? '');
  if (execution) finishStep(workspace, execution, { status: 'cancelled' });
  return { ok: true };
}

/** Returns the values that the inputs of later steps may name, by their names. */
function valuesOf({ executions }: Workspace, { startedBy, answers, executionIds }: StoredWorkflowRun): JsonObject {
  const outputs = executionIds.flatMap((id, index) => {
    const end = executions.find(id)?.end;
    const ofStep = end?.status === 'completed' ? Object.entries(end.outputs) : [];
    return ofStep.map(([name, value]) => [`steps.${index + 1}.${name}`, value]);
  });
  const answered = Object.entries(answers).map(([name, value]) => [`form.${name}`, value]);
  return { starter: startedBy, ...Object.fromEntries([...answered, ...outputs]) };
}

const NAME = /\{\{\s*([\w.-]+)\s*\}\}/g;
const ONLY_A_NAME = /^\{\{\s*([\w.-]+)\s*\}\}$/;

function namesIn(value: Json): string[] {
  return typeof value === 'string' ? Array.from(value.matchAll(NAME), ([, name = '']) => name) : [];
}

/** The inputs with values for names. Those that are a name without a value are left out. */
function filledIn(inputs: JsonObject, values: JsonObject): JsonObject {
  const filled: JsonObject = {};
  for (const [name, value] of Object.entries(inputs)) {
    const only = typeof value === 'string' ? ONLY_A_NAME.exec(value)?.[1] : undefined;
    const input = only === undefined ? withValues(value, values) : values[only];
    if (input !== undefined) filled[name] = input;
  }
  return filled;
}

function withValues(text: Json, values: JsonObject): Json {
  if (typeof text !== 'string') return text;
  return text.replaceAll(NAME, (_, name: string) => String(values[name] ?? ''));
}
