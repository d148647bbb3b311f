import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { BrokenRule } from '../wire-entry.ts';
import { ApiError } from './api-error.ts';
import { CONNECTION_METHODS } from './apps-connections.ts';
import { CHAT_METHODS } from './chat.ts';
import { CONVERSATION_METHODS } from './conversations.ts';
import { FILE_METHODS } from './files.ts';
import { IDENTITY_METHODS } from './identity.ts';
import type { ApiMethod, ApiMethods } from './method.ts';
import { USERGROUP_METHODS } from './usergroups.ts';
import { USER_METHODS } from './users.ts';
import { VIEW_METHODS } from './views.ts';

const METHODS: ApiMethods = {
  ...CHAT_METHODS,
  ...VIEW_METHODS,
  ...CONVERSATION_METHODS,
  ...USER_METHODS,
  ...USERGROUP_METHODS,
  ...FILE_METHODS,
  ...IDENTITY_METHODS,
  ...CONNECTION_METHODS,
};

type ApiCall = {
  method: string;
  args: JsonObject;
  token: string | undefined;
  isJson: boolean;
  /** The error code for a body that can't be parsed. */
  unreadable?: string;
};

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
  if (!method)
    return { body: { ok: false, error: 'unknown_method', req_method: call.method }, broken: [], acceptedScopes: [] };
  const broken: BrokenRule[] = [];
  try {
    if (call.unreadable) throw new ApiError(call.unreadable);
    authorise(workspace, method, call.token);
    const wait = secondsToWait(workspace, method, call);
    if (wait !== undefined)
      return { ...rateLimited(call.method), retryAfterSeconds: wait, acceptedScopes: method.scopes };
    const args = call.isJson && !method.takesJson ? {} : call.args;
    return {
      body: { ok: true, ...method.run(workspace, args, (rule) => broken.push(rule)) },
      broken,
      acceptedScopes: method.scopes,
    };
  } catch (fault) {
    if (!(fault instanceof ApiError)) throw fault;
    const body = { ok: false, error: fault.code, ...fault.extra };
    const rules = fault.broken.length > 0 ? fault.broken : [methodError(call.method, fault.code)];
    return { body, broken: rules, acceptedScopes: method.scopes };
  }
}

/** https://docs.slack.dev/authentication/tokens */
function authorise(workspace: Workspace, method: ApiMethod, token: string | undefined): void {
  const { app } = workspace;
  if (!token) throw new ApiError('not_authed');
  if (token !== app.botToken && token !== app.appToken) throw new ApiError('invalid_auth');
  if ((method.token === 'app') !== (token === app.appToken)) throw new ApiError('not_allowed_token_type');
  const held = method.token === 'app' ? ['connections:write'] : app.scopes;
  if (method.scopes.length > 0 && !method.scopes.some((scope) => held.includes(scope)))
    throw new ApiError('missing_scope', { needed: method.scopes.join(','), provided: held.join(',') });
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

function methodError(method: string, code: string): BrokenRule {
  return {
    code,
    detail: `${method} answered ${code}.`,
    documentation: `https://docs.slack.dev/reference/methods/${method}#errors`,
  };
}
