// User groups: created, changed, and how they may be called.

import { groupCreated, groupMembersChanged, groupUpdated } from '../interactions/workspace-events.ts';
import { memberById, newId, nowSeconds, type Workspace } from '../runtime/workspace.ts';
import type { StoredGroup, WorkspaceState } from '../state/workspace-state.ts';
import type { GroupChange } from './change.ts';

/** Applies a change of user groups and tells the app. Returns why it can't be made, if it can't. */
export function changeGroups(workspace: Workspace, actorId: string, change: GroupChange): string | undefined {
  if (change.kind === 'create-group') return createGroup(workspace, actorId, change);
  const group = workspace.state.groups.find(({ id }) => id === change.group);
  if (!group) return 'There is no such group.';
  switch (change.kind) {
    case 'change-group':
      return changeGroup(workspace, group, { ...change, actorId });
    case 'disable-group':
      return update(workspace, group, { actorId, disabledAt: nowSeconds(workspace), disabledBy: actorId });
    case 'enable-group':
      return update(workspace, group, { actorId, disabledAt: undefined, disabledBy: undefined });
  }
}

type Asked = { name?: string; handle?: string; members?: readonly string[] };

function createGroup(
  workspace: Workspace,
  actorId: string,
  asked: { name: string; handle: string; members: readonly string[] },
): string | undefined {
  const refusal = refuse(workspace, undefined, asked);
  if (refusal !== undefined) return refusal;
  const at = nowSeconds(workspace);
  const group: StoredGroup = {
    id: newId(workspace, 'S'),
    handle: asked.handle,
    name: asked.name.trim(),
    memberIds: [...asked.members],
    createdAt: at,
    updatedAt: at,
    createdBy: actorId,
    updatedBy: actorId,
  };
  workspace.state.groups.push(group);
  workspace.touch();
  groupCreated(workspace, group);
  return undefined;
}

function changeGroup(
  workspace: Workspace,
  group: StoredGroup,
  request: Asked & { actorId: string },
): string | undefined {
  const { name = group.name, handle = group.handle, members = group.memberIds, actorId } = request;
  const refusal = refuse(workspace, group, request);
  if (refusal !== undefined) return refusal;
  const was = { before: group.memberIds, previousUpdate: group.updatedAt ?? group.createdAt ?? 0 };
  const isSame = members.length === was.before.length && members.every((id) => was.before.includes(id));
  if (isSame && name === group.name && handle === group.handle) return undefined;
  update(workspace, group, { actorId, name: name.trim(), handle, memberIds: [...new Set(members)] });
  if (!isSame) groupMembersChanged(workspace, group, was);
  return undefined;
}

function update(
  workspace: Workspace,
  group: StoredGroup,
  { actorId, ...fields }: { actorId: string } & { [field in keyof StoredGroup]?: StoredGroup[field] | undefined },
): undefined {
  Object.assign(group, fields, { updatedAt: nowSeconds(workspace), updatedBy: actorId });
  workspace.touch();
  groupUpdated(workspace, group);
}

function refuse(workspace: Workspace, group: StoredGroup | undefined, request: Asked): string | undefined {
  const { state } = workspace;
  const { name, handle, members = [] } = request;
  const others = state.groups.filter((other) => other !== group);
  if (name !== undefined && name.trim() === '') return 'A group needs a name.';
  if (others.some((other) => other.name === name?.trim())) return `There is a group called “${name?.trim()}” already.`;
  const refusal = handle === undefined ? undefined : whyNotHandle(state, { handle, of: group });
  if (refusal !== undefined) return refusal;
  const added = members.filter((id) => !group?.memberIds.includes(id));
  return added.map((id) => whyNotInGroup(workspace, id)).find((why) => why !== undefined);
}

/** Guests and people of other organisations can't be: https://slack.com/help/articles/212906697-Create-a-user-group */
function whyNotInGroup(workspace: Workspace, id: string): string | undefined {
  const { realName, kind, isDeactivated } = memberById(workspace, id);
  if (isDeactivated) return `${realName} is deactivated.`;
  if (kind === 'guest' || kind === 'channel-guest') return `${realName} is a guest, and guests can’t be in groups.`;
  return kind === 'stranger' ? `${realName} is from another organisation, and can’t be in groups.` : undefined;
}

/** Takes a person out of all groups. */
export function leaveGroups(workspace: Workspace, actorId: string, userId: string): void {
  for (const group of workspace.state.groups.filter(({ memberIds }) => memberIds.includes(userId)))
    changeGroup(workspace, group, { actorId, members: group.memberIds.filter((id) => id !== userId) });
}

type Named = { readonly handle: string /** Whose handle it may be already. */; readonly of?: StoredGroup | undefined };

/**
 * Why nobody and nothing new can be called so; undefined if it can. Handles are unique among channels, users and groups:
 * https://docs.slack.dev/reference/methods/usergroups.create
 */
export function whyNotHandle({ groups, channels, members }: WorkspaceState, { handle, of }: Named): string | undefined {
  if (!/^[a-z0-9._-]+$/.test(handle))
    return 'A handle has lower-case letters, digits, dots, hyphens and underscores only.';
  const handles = [
    ...groups.filter((group) => group !== of).map((group) => group.handle),
    ...channels.filter(({ kind }) => kind !== 'im').map((channel) => channel.name),
    ...members.map((member) => member.name),
  ];
  return handles.includes(handle) ? `@${handle} is taken by a person, a channel or a group.` : undefined;
}
