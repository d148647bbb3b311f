import { memberById, type Workspace } from '../runtime/workspace.ts';
import { isConfined } from '../state/channels.ts';
import { meet } from '../state/sight.ts';
import type { StoredMember } from '../state/workspace-state.ts';

/**
 * Whether lists of people show one person to another: guests and people of other organisations see those who are in a
 * channel with them. https://slack.com/help/articles/202518103-Understand-guest-roles-in-Slack
 */
export function isReachable(workspace: Workspace, viewerId: string, { id }: StoredMember): boolean {
  return id === viewerId || !isConfined(memberById(workspace, viewerId)) || meet(workspace.state, viewerId, id);
}
