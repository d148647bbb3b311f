// Accounts: invited, changed and deactivated.

import { teamJoined, userChanged } from '../interactions/workspace-events.ts';
import { joinChannel, leaveChannel } from '../runtime/membership.ts';
import { memberById, newId, nowSeconds, type Workspace } from '../runtime/workspace.ts';
import { channelById, isIn } from '../state/channels.ts';
import { avatarColor } from '../state/seed.ts';
import { dropModals, modalStack } from '../state/views.ts';
import type { StoredChannel, StoredMember } from '../state/workspace-state.ts';
import { ACCOUNTS, type Account, type Invitation, type PersonChange, type Role } from './change.ts';
import { whyNotInChannel } from './channels.ts';
import { leaveGroups, whyNotHandle } from './groups.ts';

/** Applies a change of a person's account and tells the app. Returns why it can't be made, if it can't. */
export function changeAccounts(workspace: Workspace, actorId: string, change: PersonChange): string | undefined {
  const member = memberById(workspace, change.person);
  if (member.kind === 'app' && (change.kind === 'deactivate' || change.kind === 'reactivate'))
    return switchBot(workspace, member, change.kind);
  if (!isPerson(member)) return `${member.name} is not a person of this workspace`;
  if (member.role === 'primary-owner') return `${member.realName} is the primary owner, and stays it.`;
  switch (change.kind) {
    case 'deactivate':
      return deactivate(workspace, actorId, member);
    case 'reactivate':
      return reactivate(workspace, member);
    case 'change-account':
      return changeAccount(workspace, member, { ...change, actorId });
    case 'change-role':
      return changeRole(workspace, member, change.role);
  }
}

export function isPerson({ kind }: StoredMember): boolean {
  return ACCOUNTS.some((account) => account === kind);
}

/**
 * They leave all channels: https://slack.com/help/articles/204475027-Deactivate-a-members-account. A group can't hold
 * deactivated people either: https://github.com/app-sre/qontract-reconcile/pull/1788
 */
function deactivate(workspace: Workspace, actorId: string, member: StoredMember): undefined {
  if (member.isDeactivated) return;
  leaveGroups(workspace, actorId, member.id);
  leaveAll(workspace, member, { actorId, keeps: undefined });
  member.isDeactivated = true;
  dropModals(workspace.state, modalStack(workspace.state, member.id));
  changed(workspace, member);
}

/** Disabling or enabling its app does this; its channels keep it. */
function switchBot(workspace: Workspace, bot: StoredMember, change: 'deactivate' | 'reactivate'): undefined {
  if (change === 'deactivate') bot.isDeactivated = true;
  else delete bot.isDeactivated;
  changed(workspace, bot);
}

/** No channel has them back: https://slack.com/help/articles/360002061747-Reactivate-a-members-account */
function reactivate(workspace: Workspace, member: StoredMember): undefined {
  if (!member.isDeactivated) return;
  delete member.isDeactivated;
  // The app may have opened one for a click of before.
  dropModals(workspace.state, modalStack(workspace.state, member.id));
  changed(workspace, member);
}

/** https://slack.com/help/articles/202518103-Understand-guest-roles-in-Slack */
function changeAccount(
  workspace: Workspace,
  member: StoredMember,
  { account, channel, actorId }: { account: Account; channel?: string; actorId: string },
): undefined {
  if (member.kind === account) return;
  member.kind = account;
  if (account !== 'member') {
    delete member.role;
    leaveGroups(workspace, actorId, member.id);
  }
  if (account === 'channel-guest') {
    const theirs = workspace.state.channels.filter((one) => one.kind !== 'im' && isIn(one, member.id));
    const keeps = theirs.find(({ id }) => id === channel) ?? theirs.find(({ isArchived }) => !isArchived);
    leaveAll(workspace, member, { actorId, keeps });
  }
  changed(workspace, member);
}

function leaveAll(
  workspace: Workspace,
  { id }: StoredMember,
  { actorId, keeps }: { actorId: string; keeps: StoredChannel | undefined },
): void {
  const channelsToLeave = workspace.state.channels.filter((channel) => channel.kind !== 'im' && channel !== keeps);
  for (const channel of channelsToLeave) leaveChannel(workspace, channel, { userId: id, actorId });
}

function changeRole(workspace: Workspace, member: StoredMember, role: Role): string | undefined {
  if (member.kind !== 'member' || member.isDeactivated) return 'Only members can be admins or owners.';
  if ((member.role ?? 'member') === role) return undefined;
  if (role === 'member') delete member.role;
  else member.role = role;
  changed(workspace, member);
  return undefined;
}

/** Call this after every change of an account. */
export function changed(workspace: Workspace, member: StoredMember): void {
  member.updatedAt = nowSeconds(workspace);
  workspace.touch();
  userChanged(workspace, member);
}

/** Invites a new person, who joins at once, and tells the app. Returns why they can't be invited, if they can't. */
export function invite(workspace: Workspace, actorId: string, invited: Invitation): string | undefined {
  const { state } = workspace;
  const name = invited.name.trim();
  const realName = invited.realName.trim();
  if (realName === '') return 'A person needs a name.';
  const refusal = whyNotHandle(state, { handle: name });
  if (refusal !== undefined) return refusal;
  if (invited.account === 'channel-guest' && invited.channels.length !== 1) return 'This guest needs one channel.';
  const member: StoredMember = {
    id: newId(workspace, 'U'),
    teamId: state.team.id,
    name,
    realName,
    title: '',
    timeZone: 'Europe/London',
    kind: invited.account,
    color: avatarColor(state.members.length),
    email: `${name}@${state.team.domain}.example`,
    updatedAt: nowSeconds(workspace),
  };
  state.members.push(member);
  workspace.touch();
  teamJoined(workspace, member);
  for (const channel of channelsOf(workspace, invited))
    if (whyNotInChannel(workspace, channel, member.id) === undefined)
      joinChannel(workspace, channel, { userId: member.id, inviter: actorId });
  return undefined;
}

/** Members are in `#general`; guests aren't: https://slack.com/help/articles/202518103-Understand-guest-roles-in-Slack */
function channelsOf({ state }: Workspace, { account, channels }: Invitation) {
  const general = account === 'member' ? state.channels.filter(({ name }) => name === 'general') : [];
  return [...general, ...channels.flatMap((id) => channelById(state, id) ?? [])];
}
