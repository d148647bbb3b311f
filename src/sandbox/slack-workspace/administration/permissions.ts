import { memberById, type Workspace } from '../runtime/workspace.ts';
import { canSee, channelById, isIn } from '../state/channels.ts';
import type { StoredChannel, StoredMember } from '../state/workspace-state.ts';
import type { AdminChange, ChannelChange, PersonChange, Role } from './change.ts';

const ADMINS_ONLY = 'Only admins and owners of this workspace can do that.';
const OWNERS_ONLY = 'Only owners of this workspace can do that.';
const RANKS = { member: 0, admin: 1, owner: 2, 'primary-owner': 3 };

/**
 * Why a person may not make a change; undefined if they may.
 * https://slack.com/help/articles/201314026-Permissions-by-role-in-Slack
 */
export function whyNotAllowed(workspace: Workspace, actorId: string, change: AdminChange): string | undefined {
  const actor = memberById(workspace, actorId);
  switch (change.kind) {
    case 'deactivate':
    case 'reactivate':
    case 'change-account':
    case 'change-role':
      return ofPerson(workspace, actor, change);
    case 'invite':
    case 'create-group':
    case 'disable-group':
    case 'enable-group':
      return isAdmin(actor) ? undefined : ADMINS_ONLY;
    case 'change-group':
      if (change.members?.some((id) => !isMember(workspace, id))) return 'There is no such person.';
      return isAdmin(actor) ? undefined : ADMINS_ONLY;
    case 'create-channel':
      return actor.kind === 'member' || (actor.kind === 'guest' && change.isPrivate) ? undefined : GUESTS_NOT;
    case 'rename-channel':
    case 'share-channel':
    case 'archive-channel':
    case 'unarchive-channel':
    case 'add-to-channel':
    case 'remove-from-channel':
      return ofChannel(workspace, actor, change);
  }
}

const GUESTS_NOT = 'Guests can’t do that.';

const isAdmin = ({ role }: StoredMember) => role !== undefined;
const rankOf = ({ role }: { role?: StoredMember['role'] | Role }) => RANKS[role ?? 'member'];
const isMember = ({ state }: Workspace, id: string) => state.members.some((member) => member.id === id);

/** Nobody decides about people of the same rank: https://slack.com/help/articles/204475027-Deactivate-a-members-account */
function ofPerson(workspace: Workspace, actor: StoredMember, change: PersonChange): string | undefined {
  if (!isMember(workspace, change.person)) return 'There is no such person.';
  if (!isAdmin(actor)) return ADMINS_ONLY;
  const isAbove = rankOf(actor) > rankOf(memberById(workspace, change.person));
  if (change.kind !== 'change-role') return isAbove ? undefined : 'Only somebody of a higher role can do that.';
  return isAbove && rankOf(actor) >= RANKS.owner && rankOf(actor) > rankOf(change) ? undefined : OWNERS_ONLY;
}

type OfChannel = Exclude<ChannelChange, { kind: 'create-channel' }>;

function ofChannel(workspace: Workspace, actor: StoredMember, change: OfChannel): string | undefined {
  const channel = channelById(workspace.state, change.channel);
  if (!channel || !canSee(workspace.state, channel, actor.id)) return 'There is no such channel.';
  switch (change.kind) {
    case 'rename-channel':
    case 'share-channel':
      return isAdmin(actor) ? undefined : ADMINS_ONLY;
    case 'archive-channel':
    case 'unarchive-channel':
      return actor.kind === 'member' ? undefined : GUESTS_NOT;
    case 'add-to-channel':
    case 'remove-from-channel': {
      const person = workspace.state.members.find(({ id }) => id === change.person);
      if (!person) return 'There is no such person.';
      if (isAdmin(actor)) return undefined;
      if (!isIn(channel, actor.id)) return 'You can’t do that in a channel that you aren’t in.';
      return change.kind === 'add-to-channel'
        ? whyNotAdd(channel, actor, person)
        : whyNotRemove(channel, actor, person);
    }
  }
}

/** Guests are invited to public channels by admins only; to private ones multi-channel guests by everyone in there. */
function whyNotAdd({ kind }: StoredChannel, actor: StoredMember, added: StoredMember): string | undefined {
  if (added.kind === 'channel-guest' || (added.kind === 'guest' && kind === 'public')) return ADMINS_ONLY;
  return actor.kind === 'channel-guest' ? GUESTS_NOT : undefined;
}

function whyNotRemove({ kind }: StoredChannel, actor: StoredMember, removed: StoredMember): string | undefined {
  if (kind === 'public' && removed.kind !== 'app') return ADMINS_ONLY;
  return actor.kind === 'member' ? undefined : GUESTS_NOT;
}
