import type { Workspace } from '../runtime/workspace.ts';
import { sendEvent } from './event-payload.ts';
import { actionTs } from './payload-facts.ts';

/** https://docs.slack.dev/reference/events/tokens_revoked */
export function tokenRevoked(workspace: Workspace): void {
  const tokens = { oauth: [], bot: [workspace.app.botUserId] };
  sendEvent(workspace, 'tokens_revoked', { type: 'tokens_revoked', tokens, event_ts: actionTs(workspace) });
}

/** https://docs.slack.dev/reference/events/app_uninstalled */
export function appUninstalled(workspace: Workspace): void {
  sendEvent(workspace, 'app_uninstalled', { type: 'app_uninstalled', event_ts: actionTs(workspace) });
}
