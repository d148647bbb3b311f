import { changed } from '../administration/accounts.ts';
import { applyChange } from '../administration/apply-change.ts';
import { isTimeZone } from '../block-kit/time-zone.ts';
import { problem } from '../interactions/problem.ts';
import type { ActionOutcome } from '../person-actions.ts';
import { memberById, type Workspace } from '../runtime/workspace.ts';

export function setTimeZone(workspace: Workspace, userId: string, timeZone: string): ActionOutcome {
  if (!isTimeZone(timeZone)) return problem('invalid_input', `There is no time zone ${timeZone}.`, 'toast');
  const member = memberById(workspace, userId);
  member.timeZone = timeZone;
  changed(workspace, member);
  return { ok: true };
}

/** No event tells apps of it: https://api.slack.com/events/presence_change works with the RTM API only. */
export function setPresence(workspace: Workspace, userId: string, presence: 'auto' | 'away'): ActionOutcome {
  const member = memberById(workspace, userId);
  if (presence === 'away') member.isAway = true;
  else delete member.isAway;
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
  const members = type === 'join-group' ? [...others, userId] : others;
  const refusal = applyChange(workspace, userId, { kind: 'change-group', group: id, members });
  return refusal === undefined ? { ok: true } : problem('not_allowed', refusal, 'toast');
}
