import { randomUUID } from 'node:crypto';
import { applyChange } from '../administration/apply-change.ts';
import type { ChannelChange } from '../administration/change.ts';
import { whyNotAllowed } from '../administration/permissions.ts';
import { problem } from '../interactions/problem.ts';
import { runCommand } from '../interactions/slash-command.ts';
import type { ActionOutcome, ChosenFile, PersonAction } from '../person-actions.ts';
import { leaveChannel } from '../runtime/membership.ts';
import { storeMessage } from '../runtime/messages.ts';
import { memberById, type Workspace } from '../runtime/workspace.ts';
import { channelById, isConfined } from '../state/channels.ts';
import { newFile } from '../state/files.ts';
import { rootTsOf } from '../state/messages.ts';
import { actingIn, mayAct } from '../state/organisation.ts';
import { storedText } from '../state/typed-text.ts';
import type { StoredChannel, StoredMember, WorkspaceState } from '../state/workspace-state.ts';
import { offeredByApp } from './offered.ts';
import { isReadOnly, mayWrite, visibleMessage } from './visible.ts';

type Send = Extract<PersonAction, { type: 'send' }>;

export async function send(workspace: Workspace, userId: string, draft: Send): Promise<ActionOutcome> {
  const channel = channelById(workspace.state, draft.channel);
  if (!channel || !mayWrite(channel, userId)) return problem('not_visible', 'You can’t write here.', 'composer');
  if (isReadOnly(workspace, channel))
    return problem('read_only', 'Sending messages to this app has been turned off.', 'composer');
  if (draft.text.startsWith('/')) return command(workspace, userId, draft, channel);
  if (draft.text.trim() === '') return problem('no_text', 'There is nothing to send.', 'composer');
  const parent =
    draft.threadTs === undefined ? undefined : visibleMessage(workspace.state, userId, channel.id, draft.threadTs);
  if (draft.threadTs !== undefined && (!parent || parent.onlyFor !== undefined))
    return problem('not_visible', 'This thread is gone.', 'composer');
  const message = storeMessage(workspace, {
    channel: channel.id,
    userId,
    text: storedText(namesFor(workspace, userId), draft.text),
    clientMsgId: randomUUID(),
    ...(parent && { threadTs: rootTsOf(parent), broadcast: draft.alsoToChannel ?? false }),
  });
  return { ok: true, ts: message.ts };
}

/** Guests and people of other organisations can't mention groups: https://slack.com/help/articles/212906697-Create-a-user-group */
function namesFor({ state }: Workspace, userId: string): WorkspaceState {
  const isConfinedHere = state.members.some((member) => member.id === userId && isConfined(member));
  return isConfinedHere ? { ...state, groups: [] } : state;
}

async function command(
  workspace: Workspace,
  userId: string,
  typed: Send,
  channel: StoredChannel,
): Promise<ActionOutcome> {
  const [, name = '/', text = ''] = /^(\/\S*)\s*([\s\S]*)$/.exec(typed.text) ?? [];
  if (typed.threadTs !== undefined)
    return problem('not_in_threads', `${name} is not supported in threads. Sorry!`, 'composer');
  const own = OWN_COMMANDS[name];
  if (own) return own(workspace, { userId, channel, text: text.trim() });
  const member = memberById(workspace, userId);
  const { commands } = offeredByApp(workspace, member);
  const team = actingIn(workspace.state, { member, channel, chosen: typed.workspace });
  if (!team || !mayAct(workspace.state, [team.id]) || !commands.some((offered) => offered.command === name))
    return problem(
      'no_such_command',
      `${name} is not a valid command. All messages that start with “/” are interpreted as commands.`,
      'composer',
    );
  return runCommand(workspace, { userId, channel, team, command: name, text: text.trim() });
}

type Own = { userId: string; channel: StoredChannel; text: string };

function named(workspace: Workspace, text: string): StoredMember | undefined {
  const name = text.replace(/^@/, '').toLowerCase();
  return workspace.state.members.find((member) => member.name === name || member.id === text);
}

/** Makes a change that the person may make. */
function change(workspace: Workspace, userId: string, made: ChannelChange): ActionOutcome {
  const refusal = whyNotAllowed(workspace, userId, made) ?? applyChange(workspace, userId, made);
  return refusal === undefined ? { ok: true } : problem('not_allowed', refusal, 'composer');
}

function invite(workspace: Workspace, { userId, channel, text }: Own): ActionOutcome {
  const member = named(workspace, text);
  if (!member) return problem('no_such_member', `There is no one called “${text}” here.`, 'composer');
  if (channel.memberIds.includes(member.id))
    return problem('already_in_channel', `${member.realName} is already here.`, 'composer');
  return change(workspace, userId, { kind: 'add-to-channel', channel: channel.id, person: member.id });
}

function remove(workspace: Workspace, { userId, channel, text }: Own): ActionOutcome {
  const member = named(workspace, text);
  if (!member || !channel.memberIds.includes(member.id))
    return problem('no_such_member', `There is no one called “${text}” in this channel.`, 'composer');
  return change(workspace, userId, { kind: 'remove-from-channel', channel: channel.id, person: member.id });
}

function leave(workspace: Workspace, { userId, channel }: Own): ActionOutcome {
  if (channel.name === 'general') return problem('cannot_leave', 'You can’t leave #general.', 'composer');
  leaveChannel(workspace, channel, { userId, actorId: userId });
  return { ok: true };
}

function archive(workspace: Workspace, { userId, channel }: Own): ActionOutcome {
  return change(workspace, userId, { kind: 'archive-channel', channel: channel.id });
}

/** The workspace's own slash commands. */
const OWN_COMMANDS: { [name: string]: ((workspace: Workspace, own: Own) => ActionOutcome) | undefined } = {
  '/invite': invite,
  '/remove': remove,
  '/leave': leave,
  '/archive': archive,
};

/** Uploads a file that a person has chosen for a `file_input`. The app is given it with the modal. */
export function upload(
  workspace: Workspace,
  { userId, name, bytes }: { userId: string; name: string; bytes: Buffer },
): ChosenFile {
  const file = newFile(workspace.state, { name, sizeBytes: bytes.length, userId, nowMs: workspace.now() });
  file.contentBase64 = bytes.toString('base64');
  file.isComplete = true;
  workspace.touch();
  return { id: file.id, name };
}
