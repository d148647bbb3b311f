import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { ApiError } from './api-error.ts';
import type { ApiMethods } from './method.ts';

/** https://docs.slack.dev/reference/methods/apps.connections.open */
function open(workspace: Workspace): JsonObject {
  if (workspace.app.delivery.mode !== 'socket') throw new ApiError('not_allowed', {}, [SOCKET_MODE_OFF]);
  const ticket = workspace.tickets.issue();
  const address = workspace.origin().replace(/^http/, 'ws');
  return { url: `${address}/link/?ticket=${ticket}&app_id=${workspace.app.appId}` };
}

const SOCKET_MODE_OFF = {
  code: 'not_allowed',
  detail: 'Socket Mode is not switched on for this app.',
  documentation: 'https://docs.slack.dev/apis/events-api/using-socket-mode',
};

export const CONNECTION_METHODS: ApiMethods = {
  'apps.connections.open': {
    token: 'app',
    scopes: ['connections:write'],
    tier: 'tier3',
    takesJson: true,
    isPostOnly: true,
    run: open,
  },
};
