import { isTimeZone } from '../block-kit/time-zone.ts';
import { problem } from '../interactions/problem.ts';
import type { ActionOutcome } from '../person-actions.ts';
import { memberById, type Workspace } from '../runtime/workspace.ts';

export function setTimeZone(workspace: Workspace, userId: string, timeZone: string): ActionOutcome {
  if (!isTimeZone(timeZone)) return problem('invalid_input', `There is no time zone ${timeZone}.`, 'toast');
  memberById(workspace, userId).timeZone = timeZone;
  workspace.touch();
  return { ok: true };
}

/** As members of a workspace may that leaves its user groups to everybody. Guests and strangers may not. */
export function changeGroup(
  workspace: Workspace,
  userId: string,
  { type, group: id }: { type: 'join-group' | 'leave-group'; group: string },
): ActionOutcome {
  const group = workspace.state.groups.find((one) => one.id === id);
  if (!group || memberById(workspace, userId).kind !== 'member')
    return problem('not_allowed', 'You can’t change this group.', 'toast');
  const others = group.memberIds.filter((member) => member !== userId);
  group.memberIds = type === 'join-group' ? [...others, userId] : others;
  workspace.touch();
  return { ok: true };
}
