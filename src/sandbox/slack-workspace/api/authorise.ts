import type { Workspace } from '../runtime/workspace.ts';
import { ApiError } from './api-error.ts';
import type { ApiMethod } from './method.ts';

/**
 * Throws unless the token is one of the app's, of the right type and with a scope that the method needs.
 * https://docs.slack.dev/authentication/tokens
 */
export function authorise(workspace: Workspace, method: ApiMethod, token: string | undefined): void {
  const { app, features } = workspace;
  if (!token) throw new ApiError('not_authed');
  if (token !== app.botToken && token !== app.appToken) throw new ApiError('invalid_auth');
  if (token === app.botToken && features.botToken !== 'valid') throw new ApiError(features.botToken);
  if (token === app.botToken && isBotDeleted(workspace)) throw new ApiError('account_inactive');
  if ((method.token === 'app') !== (token === app.appToken)) throw new ApiError('not_allowed_token_type');
  const held = method.token === 'app' ? ['connections:write'] : app.scopes;
  if (method.scopes.length > 0 && !method.scopes.some((scope) => held.includes(scope)))
    throw new ApiError('missing_scope', { needed: method.scopes.join(','), provided: held.join(',') });
}

/** https://docs.slack.dev/reference/methods/auth.test#errors */
function isBotDeleted({ app, state }: Workspace): boolean {
  return state.members.some(({ id, isDeactivated }) => id === app.botUserId && isDeactivated === true);
}
