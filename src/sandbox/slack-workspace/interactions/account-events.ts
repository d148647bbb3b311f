import { userJson } from '../api/user-json.ts';
import { nowSeconds, type Workspace } from '../runtime/workspace.ts';
import type { StoredMember } from '../state/workspace-state.ts';
import { sendEvent } from './event-payload.ts';
import { actionTs } from './payload-facts.ts';

/** https://docs.slack.dev/reference/events/user_change, for deactivation and roles, too */
export function userChanged(workspace: Workspace, member: StoredMember): void {
  accountEvent(workspace, 'user_change', member);
}

/** https://docs.slack.dev/reference/events/team_join */
export function teamJoined(workspace: Workspace, member: StoredMember): void {
  accountEvent(workspace, 'team_join', member);
}

function accountEvent(workspace: Workspace, type: 'user_change' | 'team_join', member: StoredMember): void {
  const user = userJson(workspace, member, 'with-locale');
  const event = { type, user, cache_ts: nowSeconds(workspace), event_ts: actionTs(workspace) };
  sendEvent(workspace, type, event);
}
