// An organisation of Enterprise Grid: several workspaces, with people who are in some of them, and channels that some of
// them share. A workspace on its own is the only one that there is, and is always the app's.

import type { Team } from '../people-api.ts';
import type { StoredChannel, StoredGroup, StoredMember, WorkspaceState } from './workspace-state.ts';

type State = Pick<WorkspaceState, 'team' | 'organisation' | 'members'>;

/** The ids of the workspaces that the app may act in. */
export function grantedIds({ team, organisation }: State): readonly string[] {
  return organisation?.granted ?? [team.id];
}

/** Returns the things in these workspaces. */
export function mayAct(state: State, workspaceIds: readonly string[]): boolean {
  return workspaceIds.some((id) => grantedIds(state).includes(id));
}

/** The home workspace comes first. Apps are where their channels are. */
export function workspacesOf(state: State, { kind, teamId, workspaceIds }: StoredMember): readonly string[] {
  if (kind === 'app' || kind === 'slackbot') return state.organisation?.workspaces.map(({ id }) => id) ?? [teamId];
  return workspaceIds ?? [teamId];
}

/** Returns the workspaces; those of a direct message are the person's. */
export function workspacesWith(state: State, { kind, memberIds, workspaceIds }: StoredChannel): readonly string[] {
  if (workspaceIds) return workspaceIds;
  const person = kind === 'im' ? state.members.find(({ id }) => id === memberIds[0]) : undefined;
  return person ? workspacesOf(state, person) : [state.team.id];
}

export function workspaceOf({ team }: State, group: Pick<StoredGroup, 'workspaceId'>): string {
  return group.workspaceId ?? team.id;
}

export function haveInCommon(some: readonly string[], others: readonly string[]): boolean {
  return some.some((id) => others.includes(id));
}

/**
 * The workspace in which a person uses the app in a channel, unless they say which: their home workspace if the channel is
 * in it. Undefined if the channel is in none of theirs.
 */
export function actingIn(
  state: State,
  { member, channel, chosen }: { member: StoredMember; channel: StoredChannel; chosen?: string | undefined },
): Team | undefined {
  const { team, organisation } = state;
  if (!organisation) return team;
  const theirs = workspacesOf(state, member).filter((id) => workspacesWith(state, channel).includes(id));
  const workspaces = theirs.flatMap((id) => organisation.workspaces.find((one) => one.id === id) ?? []);
  return chosen === undefined ? workspaces[0] : workspaces.find(({ id, name }) => [id, name].includes(chosen));
}
