// The way of each Web API call: who may make it, how often, and what it answers.

import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { BrokenRule } from '../wire-entry.ts';
import { ApiError } from './api-error.ts';
import { textArg } from './arguments.ts';
import { ASSISTANT_METHODS } from './assistant.ts';
import { CHAT_METHODS } from './chat.ts';
import { CONVERSATION_METHODS } from './conversations.ts';
import { FILE_METHODS } from './files.ts';
import { FUNCTION_METHODS } from './functions.ts';
import { IDENTITY_METHODS } from './identity.ts';
import { LACKING_METHODS } from './lacking-methods.ts';
import { type ApiMethod, type ApiMethods, type Remarks, type Warning, withWarnings } from './method.ts';
import { REACTION_METHODS } from './reactions.ts';
import { USERGROUP_METHODS } from './usergroups.ts';
import { USER_METHODS } from './users.ts';
import { VIEW_METHODS } from './views.ts';

export const METHODS: ApiMethods = {
  ...ASSISTANT_METHODS,
  ...CHAT_METHODS,
  ...VIEW_METHODS,
  ...REACTION_METHODS,
  ...CONVERSATION_METHODS,
  ...USER_METHODS,
  ...USERGROUP_METHODS,
  ...FILE_METHODS,
  ...FUNCTION_METHODS,
  ...IDENTITY_METHODS,
};

/** An app's request for a method. */
export type ApiRequest = {
  args: JsonObject;
  /** The token, if there is one where Slack looks for it. */
  token: string | undefined;
  isJson: boolean;
  isPost: boolean;
  /** The error code for a request that isn't looked into. */
  refusal?: string;
  warnings: readonly Warning[];
};

type ApiCall = ApiRequest & { method: string };

export type ApiAnswer = {
  body: JsonObject;
  broken: BrokenRule[];
  /** Set if the call was rate-limited. */
  retryAfterSeconds?: number;
  acceptedScopes: readonly string[];
};

/** Answers one Web API call; refusals are answers too. */
export function callMethod(workspace: Workspace, call: ApiCall): ApiAnswer {
  const method = Object.hasOwn(METHODS, call.method) ? METHODS[call.method] : undefined;
  if (!method) return unknownMethod(call.method);
  const broken: BrokenRule[] = [];
  const warnings = [...call.warnings];
  const acceptedScopes = method.scopes;
  try {
    const bearer = admit(workspace, method, call);
    const wait = secondsToWait(workspace, method, call);
    if (wait !== undefined) return { ...rateLimited(call.method), retryAfterSeconds: wait, acceptedScopes };
    const args = call.isJson && !method.takesJson ? {} : call.args;
    needWorkspace(workspace, method, args);
    const remarks = {
      rule: (rule: BrokenRule) => broken.push(rule),
      warning: (it: Warning) => warnings.push(it),
      ...bearer,
    };
    const body = { ok: true, ...method.run(workspace, args, remarks) };
    return { body: withWarnings(body, warnings), broken, acceptedScopes };
  } catch (fault) {
    if (!(fault instanceof ApiError)) throw fault;
    const body = withWarnings({ ok: false, error: fault.code, ...fault.extra }, call.warnings);
    return { body, broken: fault.broken ?? [methodError(call.method, fault.code)], acceptedScopes };
  }
}

type Bearer = Pick<Remarks, 'token' | 'executionId'>;

/** Throws for what is refused before the arguments are looked at. Returns what the call's token stands for. */
function admit(workspace: Workspace, method: ApiMethod, call: ApiCall): Bearer {
  if (call.refusal) throw new ApiError(call.refusal);
  if (method.isPostOnly && !call.isPost) throw new ApiError('insecure_request');
  if (method.token === 'none') return { token: 'bot', executionId: undefined };
  return authorise(workspace, method, call.token);
}

/**
 * Throws unless the token is one of the app's, of the right type and with a scope that the method needs.
 * https://docs.slack.dev/authentication/tokens
 */
function authorise(workspace: Workspace, method: ApiMethod, token: string | undefined): Bearer {
  const { app, features, executions } = workspace;
  if (!token) throw new ApiError('not_authed');
  const ofStep = executions.redeem(token);
  if (ofStep && 'refusal' in ofStep) throw new ApiError(ofStep.refusal);
  const isBot = token === app.botToken || ofStep !== undefined;
  if (!isBot && token !== app.appToken) throw new ApiError('invalid_auth');
  if (isBot && features.botToken !== 'valid') throw new ApiError(features.botToken);
  if (isBot && isBotDeleted(workspace)) throw new ApiError('account_inactive');
  const kind = isBot ? 'bot' : 'app';
  if (method.token !== 'any' && method.token !== kind) throw new ApiError('not_allowed_token_type');
  const granted = isBot ? app.scopes : ['connections:write'];
  if (method.scopes.length > 0 && !method.scopes.some((scope) => granted.includes(scope)))
    throw new ApiError('missing_scope', { needed: method.scopes.join(','), provided: granted.join(',') });
  return { token: kind, executionId: ofStep?.execution.id };
}

/**
 * The refusals as measured: https://github.com/slack-go/slack/issues/1157, https://github.com/slackapi/bolt-js/issues/998.
 * Bolt names the organisation where it knows no workspace: https://github.com/slackapi/bolt-js/issues/1720
 */
function needWorkspace({ state }: Workspace, method: ApiMethod, args: JsonObject): void {
  const { organisation } = state;
  if (!organisation) return;
  const teamId = textArg(args, 'team_id') ?? '';
  if (teamId === '' && method.isOfWorkspace) throw new ApiError('missing_argument', { arg: 'team_id' });
  const isSaid = teamId !== '' && (method.isOfWorkspace || teamId !== organisation.id);
  if (isSaid && !organisation.granted.includes(teamId)) throw new ApiError('team_access_not_granted');
}

/** https://docs.slack.dev/reference/methods/auth.test#errors */
function isBotDeleted({ app, state }: Workspace): boolean {
  return state.members.some(({ id, isDeactivated }) => id === app.botUserId && isDeactivated === true);
}

function secondsToWait(workspace: Workspace, method: ApiMethod, call: ApiCall): number | undefined {
  const bucket = `${call.method} ${method.limitedBy?.(call.args) ?? ''}`;
  return workspace.limits?.refuse(method.tier, bucket);
}

function rateLimited(method: string): Pick<ApiAnswer, 'body' | 'broken'> {
  return {
    body: { ok: false, error: 'ratelimited' },
    broken: [
      {
        code: 'ratelimited',
        detail: `${method} exceeded its rate limit.`,
        documentation: 'https://docs.slack.dev/apis/web-api/rate-limits',
      },
    ],
  };
}

/** Says whether Slack has the method, so that nobody looks for a typing error. */
function unknownMethod(method: string): ApiAnswer {
  const refusal = { ok: false, error: 'unknown_method', req_method: method };
  if (!LACKING_METHODS.has(method)) return { body: refusal, broken: [], acceptedScopes: [] };
  const detail = `Slack has the method ${method}, but this workspace doesn’t.`;
  return {
    body: { ...refusal, response_metadata: { messages: [`[ERROR] ${detail}`] } },
    broken: [{ ...methodError(method, refusal.error), detail }],
    acceptedScopes: [],
  };
}

function methodError(method: string, code: string): BrokenRule {
  return {
    code,
    detail: `${method} answered ${code}.`,
    documentation: `https://docs.slack.dev/reference/methods/${method}#errors`,
  };
}
