import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../json.ts';
import { checkParameters } from '../runtime/function-executions.ts';
import type { AppFunction, FunctionParameter } from '../runtime/installed-app.ts';
import { newId, nowSeconds, type Workspace } from '../runtime/workspace.ts';
import type { FunctionEnd, FunctionExecution } from '../state/workspace-state.ts';
import { sendEvent } from './events.ts';
import { actionTs } from './payload-facts.ts';

/** A step as whoever runs it sees it: `ended` resolves once the app has completed it. */
export type FunctionRun = { executionId: string; ended: Promise<FunctionEnd> };

/** Runs a function of the app on its own, as in a workflow of one step. Throws if there is no such function or its inputs don't fit. */
export function runFunction(workspace: Workspace, callbackId: string, inputs: JsonObject): FunctionRun {
  const declared = workspace.app.functions.find((one) => one.callbackId === callbackId);
  if (!declared) throw new Error(`the app has no function ${callbackId}`);
  const problems = checkParameters(declared.inputs, inputs);
  if (problems.length > 0) throw new Error(`${callbackId}: ${problems.join('; ')}`);
  return executeFunction(workspace, { workflowRunId: newId(workspace, 'Wx'), declared, inputs });
}

/** Tells the app that a workflow has come to a step of it. https://docs.slack.dev/reference/events/function_executed */
export function executeFunction(
  workspace: Workspace,
  step: { workflowRunId: string; declared: AppFunction; inputs: JsonObject },
): FunctionRun {
  const id = newId(workspace, 'Fx');
  const { execution, ended } = workspace.executions.start({ id, ...step });
  sendEvent(workspace, 'function_executed', executedEvent(workspace, execution));
  workspace.touch();
  return { executionId: id, ended };
}

function executedEvent(workspace: Workspace, execution: FunctionExecution): JsonObject {
  const { declared, inputs, id, workflowRunId } = execution;
  const { appId, functions } = workspace.app;
  const at = nowSeconds(workspace);
  return {
    type: 'function_executed',
    function: {
      id: `Fn${appId.slice(1)}${functions.indexOf(declared)}`,
      callback_id: declared.callbackId,
      title: declared.title,
      description: declared.description,
      type: 'app',
      input_parameters: declared.inputs.map(parameterJson),
      output_parameters: declared.outputs.map(parameterJson),
      app_id: appId,
      date_created: at,
      date_updated: at,
      date_deleted: 0,
    },
    inputs,
    function_execution_id: id,
    workflow_execution_id: workflowRunId,
    event_ts: actionTs(workspace),
    bot_access_token: workspace.executions.issueToken(execution),
  };
}

function parameterJson({ name, type, title, description, isRequired }: FunctionParameter): JsonObject {
  return { type, name, description, title, is_required: isRequired };
}

/**
 * What interactions say of the step that their message or view was made for, while it runs: `function_data` of
 * `BlockAction` in `@slack/bolt`, and https://docs.slack.dev/reference/types/interactivity-type
 */
export function functionFacts(workspace: Workspace, executionId: string | undefined, userId: string): JsonObject {
  const execution = executionId === undefined ? undefined : workspace.executions.find(executionId);
  if (!execution || execution.end !== undefined) return {};
  const { id, declared, inputs } = execution;
  return {
    bot_access_token: workspace.executions.issueToken(execution),
    function_data: { execution_id: id, function: { callback_id: declared.callbackId }, inputs },
    interactivity: {
      interactor: { id: userId, secret: randomBytes(32).toString('base64url') },
      interactivity_pointer: workspace.triggers.issue({ userId }),
    },
  };
}
