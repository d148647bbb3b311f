import type { StoredGroup, WorkspaceState } from '../state/workspace-state.ts';

type Named = { readonly handle: string /** Whose handle it may be already. */; readonly of?: StoredGroup | undefined };

/**
 * Why nobody and nothing new can be called so; undefined if it can. Handles are unique among channels, users and groups:
 * https://docs.slack.dev/reference/methods/usergroups.create
 */
export function whyNotHandle({ groups, channels, members }: WorkspaceState, { handle, of }: Named): string | undefined {
  if (!/^[a-z0-9._-]+$/.test(handle))
    return 'A handle has lower-case letters, digits, dots, hyphens and underscores only.';
  const taken = [
    ...groups.filter((group) => group !== of).map((group) => group.handle),
    ...channels.filter(({ kind }) => kind !== 'im').map((channel) => channel.name),
    ...members.map((member) => member.name),
  ];
  return taken.includes(handle) ? `@${handle} is taken by a person, a channel or a group.` : undefined;
}
