import { randomUUID } from 'node:crypto';
import { problem } from '../interactions/problem.ts';
import { runCommand } from '../interactions/slash-command.ts';
import type { ActionOutcome, PersonAction } from '../person-actions.ts';
import { storeMessage } from '../runtime/store-message.ts';
import { memberById, type Workspace } from '../runtime/workspace.ts';
import { channelById, isConfined } from '../state/channels.ts';
import { rootTsOf } from '../state/messages.ts';
import { storedText } from '../state/typed-text.ts';
import type { StoredChannel, WorkspaceState } from '../state/workspace-state.ts';
import { offeredByApp } from './offered-by-app.ts';
import { OWN_COMMANDS } from './own-commands.ts';
import { isReadOnly, mayWrite, visibleMessage } from './visible.ts';

type Send = Extract<PersonAction, { type: 'send' }>;

/** Sends a typed message or slash command. */
export async function send(workspace: Workspace, userId: string, typed: Send): Promise<ActionOutcome> {
  const channel = channelById(workspace.state, typed.channel);
  if (!channel || !mayWrite(channel, userId)) return problem('not_visible', 'You can’t write here.', 'composer');
  if (isReadOnly(workspace, channel))
    return problem('read_only', 'Sending messages to this app has been turned off.', 'composer');
  if (typed.text.startsWith('/')) return command(workspace, userId, typed, channel);
  if (typed.text.trim() === '') return problem('no_text', 'There is nothing to send.', 'composer');
  const parent =
    typed.threadTs === undefined ? undefined : visibleMessage(workspace.state, userId, channel.id, typed.threadTs);
  if (typed.threadTs !== undefined && (!parent || parent.onlyFor !== undefined))
    return problem('not_visible', 'This thread is gone.', 'composer');
  const message = storeMessage(workspace, {
    channel: channel.id,
    userId,
    text: storedText(namesFor(workspace, userId), typed.text),
    clientMsgId: randomUUID(),
    ...(parent && { threadTs: rootTsOf(parent), broadcast: typed.alsoToChannel ?? false }),
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
  const { commands } = offeredByApp(workspace, memberById(workspace, userId));
  if (!commands.some((offered) => offered.command === name))
    return problem(
      'no_such_command',
      `${name} is not a valid command. All messages that start with “/” are interpreted as commands.`,
      'composer',
    );
  return runCommand(workspace, { userId, channel, command: name, text: text.trim() });
}
