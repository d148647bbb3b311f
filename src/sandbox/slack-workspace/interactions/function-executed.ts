import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../json.ts';
import type { FunctionParameter } from '../runtime/installed-app.ts';
import { nowSeconds, type Workspace } from '../runtime/workspace.ts';
import type { FunctionExecution } from '../state/workspace-state.ts';
import { actionTs } from './payload-facts.ts';

/** Tells the app that a workflow has come to a step of it. https://docs.slack.dev/reference/events/function_executed */
export function executedEvent(workspace: Workspace, execution: FunctionExecution): JsonObject {
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
 * Returns the fields of interactions about the step that their message or view was made for, while it runs: `function_data` of
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
