import { isOffered } from '../inputs/is-offered.ts';
import type { JsonObject } from '../json.ts';
import type { ElementInput } from '../person-actions.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { isReachable } from './reachable.ts';
import { visibleChannels } from './visible.ts';

/** Whether a person can choose this: a menu offers them everybody or everything, and files are their own. */
export function areOffered(
  workspace: Workspace,
  { userId, element, input }: { userId: string; element: JsonObject; input: ElementInput },
): boolean {
  if (input.kind === 'files') return input.files.every((chosen) => isOwn(workspace, userId, chosen.id));
  if (input.kind !== 'ids') return true;
  const offered = /users_select$/.test(String(element.type))
    ? workspace.state.members.filter((one) => one.isDeactivated !== true && isReachable(workspace, userId, one))
    : visibleChannels(workspace, userId).filter((channel) => isOffered(element, channel));
  return input.ids.every((chosen) => offered.some(({ id }) => id === chosen));
}

function isOwn({ state }: Workspace, userId: string, fileId: string): boolean {
  return state.files.some((file) => file.id === fileId && file.userId === userId);
}
