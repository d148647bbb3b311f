import { isIn } from './channels.ts';
import type { StoredMember, WorkspaceState } from './workspace-state.ts';

/** Whether two members are in a channel together. */
export function meet({ channels }: WorkspaceState, oneId: string, otherId: string): boolean {
  return channels.some((channel) => isIn(channel, oneId) && isIn(channel, otherId));
}

/**
 * What `is_stranger` means: from another organisation, and in no shared channel that the app can see. For those in a
 * shared channel only `team_id` tells. https://docs.slack.dev/reference/objects/user-object
 */
export function isOutOfSight(state: WorkspaceState, botUserId: string, { id, kind }: StoredMember): boolean {
  return kind === 'stranger' && !meet(state, id, botUserId);
}
