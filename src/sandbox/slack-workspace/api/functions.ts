// functions.*: the app says how a custom step of a workflow ended.

import { finishStep } from '../interactions/workflows.ts';
import { isObject, type JsonObject } from '../json.ts';
import { checkParameters } from '../runtime/function-executions.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { FunctionExecution } from '../state/workspace-state.ts';
import { ApiError, argumentError } from './api-error.ts';
import { jsonArg, requiredArg } from './arguments.ts';
import type { ApiMethods } from './method.ts';

const bot = { token: 'bot', scopes: [], takesJson: true, tier: 'tier3' } as const;

export const FUNCTION_METHODS: ApiMethods = {
  'functions.completeSuccess': { ...bot, run: completeSuccess },
  'functions.completeError': { ...bot, run: completeError },
};

/** https://docs.slack.dev/reference/methods/functions.completeSuccess */
function completeSuccess(workspace: Workspace, args: JsonObject): JsonObject {
  const execution = runningExecution(workspace, args);
  const outputs = jsonArg(args, 'outputs', 'invalid_arguments');
  if (!isObject(outputs)) throw argumentError('missing required field: outputs');
  const problems = checkParameters(execution.declared.outputs, outputs);
  if (problems.length > 0)
    throw new ApiError('parameter_validation_failed', {
      response_metadata: { messages: problems.map((problem) => `[ERROR] ${problem}`) },
    });
  finishStep(workspace, execution, { status: 'completed', outputs });
  return {};
}

/** https://docs.slack.dev/reference/methods/functions.completeError */
function completeError(workspace: Workspace, args: JsonObject): JsonObject {
  const execution = runningExecution(workspace, args);
  finishStep(workspace, execution, { status: 'failed', error: requiredArg(args, 'error') });
  return {};
}

function runningExecution({ executions }: Workspace, args: JsonObject): FunctionExecution {
  const execution = executions.find(requiredArg(args, 'function_execution_id'));
  if (!execution) throw new ApiError('function_execution_not_found');
  if (execution.end !== undefined) throw new ApiError('execution_not_in_running_state');
  return execution;
}
