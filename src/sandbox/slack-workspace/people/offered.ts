import { isOffered } from '../inputs/is-offered.ts';
import type { JsonObject } from '../json.ts';
import type { ElementInput } from '../person-actions.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { visibleChannels } from './visible.ts';

/** Whether a menu offers a person everybody or everything that they chose from it. */
export function areOffered(
  workspace: Workspace,
  { userId, element, input }: { userId: string; element: JsonObject; input: ElementInput },
): boolean {
  if (input.kind !== 'ids') return true;
  const offered = /users_select$/.test(String(element.type))
    ? workspace.state.members.filter(({ isDeactivated }) => isDeactivated !== true)
    : visibleChannels(workspace, userId).filter((channel) => isOffered(element, channel));
  return input.ids.every((chosen) => offered.some(({ id }) => id === chosen));
}
