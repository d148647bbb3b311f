import { randomBytes } from 'node:crypto';
import { isObject, type Json, type JsonObject } from '../json.ts';
import type { FunctionEnd, FunctionExecution, WorkspaceState } from '../state/workspace-state.ts';
import type { FunctionParameter } from './installed-app.ts';

/** https://github.com/slackapi/bolt-python/issues/1075 */
const TOKEN_LIFE_MS = 15 * 60_000;

/** The custom steps that workflows have come to. Their tokens don't survive a restart. */
export type FunctionExecutions = {
  /** `ended` resolves once the app has completed it, or the workflow was cancelled. */
  start(begun: Omit<FunctionExecution, 'end'>): { execution: FunctionExecution; ended: Promise<FunctionEnd> };
  find(id: string): FunctionExecution | undefined;
  finish(execution: FunctionExecution, end: FunctionEnd): void;
  /** A bot token for this step, valid until it has ended, and for 15 minutes at most. */
  issueToken(execution: FunctionExecution): string;
  /** The step that a token is for, or why it can't be used; undefined if it is no such token. */
  redeem(token: string): { execution: FunctionExecution } | { refusal: 'token_expired' } | undefined;
};

export function createFunctionExecutions(
  now: () => number,
  { functionExecutions }: Pick<WorkspaceState, 'functionExecutions'>,
): FunctionExecutions {
  const waiting = new Map<string, (end: FunctionEnd) => void>();
  const tokens = new Map<string, { execution: FunctionExecution; at: number }>();
  return {
    start(begun) {
      const execution: FunctionExecution = { ...begun, end: undefined };
      functionExecutions.push(execution);
      const ended = new Promise<FunctionEnd>((settle) => {
        waiting.set(execution.id, settle);
      });
      return { execution, ended };
    },
    find: (id) => functionExecutions.find((execution) => execution.id === id),
    finish(execution, end) {
      execution.end = end;
      waiting.get(execution.id)?.(end);
      waiting.delete(execution.id);
    },
    issueToken(execution) {
      const token = `xwfp-${randomBytes(16).toString('hex')}`;
      tokens.set(token, { execution, at: now() });
      return token;
    },
    redeem(token) {
      const grant = tokens.get(token);
      if (!grant) return undefined;
      const isOver = grant.execution.end !== undefined || now() - grant.at > TOKEN_LIFE_MS;
      return isOver ? { refusal: 'token_expired' } : { execution: grant.execution };
    },
  };
}

/** Returns the problems of the values of a function's parameters; none if they fit. */
export function checkParameters(parameters: readonly FunctionParameter[], values: JsonObject): string[] {
  const unknown = Object.keys(values).filter((name) => !parameters.some((parameter) => parameter.name === name));
  return [
    ...unknown.map((name) => `${name} is not a parameter of the function`),
    ...parameters.flatMap(({ name, type, isRequired }) => {
      const value = values[name] ?? undefined;
      if (value === undefined) return isRequired ? [`${name} is required`] : [];
      return isOfType(type, value) ? [] : [`${name} must be of the type ${type}`];
    }),
  ];
}

/** Slack's own types are mostly ids and other text, some are objects. https://docs.slack.dev/reference/types */
function isOfType(type: string, value: Json): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'number':
      return typeof value === 'number';
    case 'integer':
    case 'slack#/types/timestamp':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return typeof value === 'string' || typeof value === 'object';
  }
}
