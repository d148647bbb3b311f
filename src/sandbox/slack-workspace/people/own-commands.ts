import { sendEvent } from '../interactions/event-payload.ts';
import { actionTs } from '../interactions/payload-facts.ts';
import { problem } from '../interactions/problem.ts';
import type { ActionOutcome } from '../person-actions.ts';
import { storeMessage } from '../runtime/store-message.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { addMember, removeMember } from '../state/channels.ts';
import { SLACKBOT_ID } from '../state/seed.ts';
import type { StoredChannel, StoredMember } from '../state/workspace-state.ts';

type Own = { userId: string; channel: StoredChannel; text: string };

function named(workspace: Workspace, text: string): StoredMember | undefined {
  const name = text.replace(/^@/, '').toLowerCase();
  return workspace.state.members.find((member) => member.name === name || member.id === text);
}

function announce(workspace: Workspace, channel: StoredChannel, text: string): ActionOutcome {
  storeMessage(workspace, { channel: channel.id, userId: SLACKBOT_ID, text });
  return { ok: true };
}

function invite(workspace: Workspace, { userId, channel, text }: Own): ActionOutcome {
  const member = named(workspace, text);
  if (!member) return problem('no_such_member', `There is no one called “${text}” here.`, 'composer');
  if (channel.memberIds.includes(member.id))
    return problem('already_in_channel', `${member.realName} is already here.`, 'composer');
  addMember(channel, member.id);
  const outcome = announce(workspace, channel, `${member.realName} was added to this channel.`);
  sendEvent(workspace, 'member_joined_channel', {
    type: 'member_joined_channel',
    user: member.id,
    channel: channel.id,
    channel_type: channel.kind === 'public' ? 'C' : 'G',
    team: workspace.state.team.id,
    inviter: userId,
    event_ts: actionTs(workspace),
  });
  return outcome;
}

function remove(workspace: Workspace, { channel, text }: Own): ActionOutcome {
  const member = named(workspace, text);
  if (!member || !channel.memberIds.includes(member.id))
    return problem('no_such_member', `There is no one called “${text}” in this channel.`, 'composer');
  removeMember(channel, member.id);
  return announce(workspace, channel, `${member.realName} was removed from this channel.`);
}

function leave(workspace: Workspace, { userId, channel }: Own): ActionOutcome {
  if (channel.name === 'general') return problem('cannot_leave', 'You can’t leave #general.', 'composer');
  removeMember(channel, userId);
  workspace.touch();
  return { ok: true };
}

function archive(workspace: Workspace, { channel }: Own): ActionOutcome {
  if (channel.name === 'general') return problem('cannot_archive', 'You can’t archive #general.', 'composer');
  channel.isArchived = true;
  workspace.touch();
  return { ok: true };
}

/** The workspace's own slash commands. */
export const OWN_COMMANDS: { [name: string]: ((workspace: Workspace, own: Own) => ActionOutcome) | undefined } = {
  '/invite': invite,
  '/remove': remove,
  '/leave': leave,
  '/archive': archive,
};
