import { applyChange } from '../administration/apply-change.ts';
import type { ChannelChange } from '../administration/change.ts';
import { whyNotAllowed } from '../administration/why-not-allowed.ts';
import { problem } from '../interactions/problem.ts';
import type { ActionOutcome } from '../person-actions.ts';
import { leaveChannel } from '../runtime/join-channel.ts';
import { storeMessage } from '../runtime/store-message.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { SLACKBOT_ID } from '../state/seed.ts';
import type { StoredChannel, StoredMember } from '../state/workspace-state.ts';

type Own = { userId: string; channel: StoredChannel; text: string };

function named(workspace: Workspace, text: string): StoredMember | undefined {
  const name = text.replace(/^@/, '').toLowerCase();
  return workspace.state.members.find((member) => member.name === name || member.id === text);
}

/** Makes a change that the person may make, and says so in the channel. */
function change(
  workspace: Workspace,
  { userId, channel }: Own,
  { made, says }: { made: ChannelChange; says?: string },
): ActionOutcome {
  const refusal = whyNotAllowed(workspace, userId, made) ?? applyChange(workspace, userId, made);
  if (refusal !== undefined) return problem('not_allowed', refusal, 'composer');
  if (says !== undefined) storeMessage(workspace, { channel: channel.id, userId: SLACKBOT_ID, text: says });
  return { ok: true };
}

function invite(workspace: Workspace, own: Own): ActionOutcome {
  const { channel, text } = own;
  const member = named(workspace, text);
  if (!member) return problem('no_such_member', `There is no one called “${text}” here.`, 'composer');
  if (channel.memberIds.includes(member.id))
    return problem('already_in_channel', `${member.realName} is already here.`, 'composer');
  const made = { kind: 'add-to-channel', channel: channel.id, person: member.id } as const;
  return change(workspace, own, { made, says: `${member.realName} was added to this channel.` });
}

function remove(workspace: Workspace, own: Own): ActionOutcome {
  const { channel, text } = own;
  const member = named(workspace, text);
  if (!member || !channel.memberIds.includes(member.id))
    return problem('no_such_member', `There is no one called “${text}” in this channel.`, 'composer');
  const made = { kind: 'remove-from-channel', channel: channel.id, person: member.id } as const;
  return change(workspace, own, { made, says: `${member.realName} was removed from this channel.` });
}

function leave(workspace: Workspace, { userId, channel }: Own): ActionOutcome {
  if (channel.name === 'general') return problem('cannot_leave', 'You can’t leave #general.', 'composer');
  leaveChannel(workspace, channel, { userId, actorId: userId });
  return { ok: true };
}

function archive(workspace: Workspace, own: Own): ActionOutcome {
  return change(workspace, own, { made: { kind: 'archive-channel', channel: own.channel.id } });
}

/** The workspace's own slash commands. */
export const OWN_COMMANDS: { [name: string]: ((workspace: Workspace, own: Own) => ActionOutcome) | undefined } = {
  '/invite': invite,
  '/remove': remove,
  '/leave': leave,
  '/archive': archive,
};
