import { applyChange } from '../administration/apply-change.ts';
import type { AdminChange } from '../administration/change.ts';
import { changed } from '../administration/people.ts';
import { whyNotAllowed } from '../administration/permissions.ts';
import { isTimeZone } from '../block-kit/time-zone.ts';
import { problem } from '../interactions/problem.ts';
import { runGlobalShortcut, runMessageShortcut } from '../interactions/shortcuts.ts';
import { appHomeOpened, closeModals, submitView } from '../interactions/views.ts';
import { cancelWorkflow, startWorkflow } from '../interactions/workflows.ts';
import type { ActionOutcome, PersonAction } from '../person-actions.ts';
import { joinChannel } from '../runtime/membership.ts';
import { memberById, type Workspace } from '../runtime/workspace.ts';
import { canSee, channelById } from '../state/channels.ts';
import { findView, modalStack } from '../state/views.ts';
import type { StoredView } from '../state/workspace-state.ts';
import { send } from './composer.ts';
import { offeredByApp } from './offered.ts';
import { keepInputs, operateElement } from './operate-element.ts';
import { visibleMessage } from './visible.ts';

const GONE = problem('not_visible', 'That isn’t on the screen any more.', 'toast');

/** Acts as a member, within what they could do in Slack. Resolves once the app has answered. */
export async function act(workspace: Workspace, userId: string, action: PersonAction): Promise<ActionOutcome> {
  if (memberById(workspace, userId).isDeactivated)
    return problem('deactivated', 'This account has been deactivated.', 'toast');
  switch (action.type) {
    case 'send':
      return send(workspace, userId, action);
    case 'use':
      return operateElement(workspace, userId, action);
    case 'fill':
      return onTop(workspace, userId, action.viewId, (view) => {
        keepInputs(workspace, view, action.inputs);
        workspace.touch();
        return { ok: true };
      });
    case 'submit':
      return onTop(workspace, userId, action.viewId, (view) => {
        if (!('submit' in view.source)) return problem('not_visible', 'This modal has no submit button.', 'modal');
        if (view.source.submit_disabled === true)
          return problem('not_visible', 'The submit button is disabled.', 'modal');
        keepInputs(workspace, view, action.inputs ?? {});
        return submitView(workspace, view);
      });
    case 'close':
      return onTop(workspace, userId, action.viewId, (view) => {
        closeModals(workspace, view, action.extent);
        return { ok: true };
      });
    case 'open-home':
      return openHome(workspace, userId, action.tab);
    case 'message-shortcut':
    case 'global-shortcut':
      return runShortcut(workspace, userId, action);
    case 'join':
      return join(workspace, userId, action.channel);
    case 'set-time-zone':
      return setTimeZone(workspace, userId, action.timeZone);
    case 'set-presence':
      return setPresence(workspace, userId, action.presence);
    case 'join-group':
    case 'leave-group':
      return changeGroup(workspace, userId, action);
    case 'administer':
      return administerAs(workspace, userId, action.change);
    case 'start-workflow':
      return startWorkflow(workspace, userId, action);
    case 'cancel-workflow':
      return cancelWorkflow(workspace, userId, action.runId);
    case 'mark-read':
      return markRead(workspace, userId, action);
    case 'dismiss':
      return dismiss(workspace, userId, action);
  }
}

/** Only the top modal can be used, and not while it is being submitted. */
function onTop(
  workspace: Workspace,
  userId: string,
  viewId: string,
  then: (view: StoredView) => ActionOutcome | Promise<ActionOutcome>,
): ActionOutcome | Promise<ActionOutcome> {
  const view = findView(workspace.state, { viewId });
  const home = view?.kind === 'home' && view.userId === userId;
  const top = modalStack(workspace.state, userId).at(-1) === view;
  return view && (home || top) && !view.isSubmitting ? then(view) : GONE;
}

function openHome(workspace: Workspace, userId: string, tab: 'home' | 'messages'): ActionOutcome {
  if (tab === 'home' && !workspace.app.homeTab) return problem('not_visible', 'This app has no Home tab.', 'toast');
  if (tab === 'messages' && workspace.app.messagesTab === 'off')
    return problem('not_visible', 'This app has no Messages tab.', 'toast');
  appHomeOpened(workspace, userId, tab);
  return { ok: true };
}

function runShortcut(
  workspace: Workspace,
  userId: string,
  action: Extract<PersonAction, { type: 'message-shortcut' | 'global-shortcut' }>,
): ActionOutcome | Promise<ActionOutcome> {
  const { callbackId } = action;
  const kind = action.type === 'message-shortcut' ? 'message' : 'global';
  const { shortcuts } = offeredByApp(workspace, memberById(workspace, userId));
  if (!shortcuts.some((offered) => offered.type === kind && offered.callbackId === callbackId)) return GONE;
  if (action.type === 'global-shortcut') return runGlobalShortcut(workspace, { userId, callbackId });
  const message = visibleMessage(workspace.state, userId, action.channel, action.ts);
  return message && message.onlyFor === undefined && !message.notice
    ? runMessageShortcut(workspace, { userId, callbackId, message })
    : GONE;
}

function administerAs(workspace: Workspace, userId: string, change: AdminChange): ActionOutcome {
  const refusal = whyNotAllowed(workspace, userId, change) ?? applyChange(workspace, userId, change);
  return refusal === undefined ? { ok: true } : problem('not_allowed', refusal, 'modal');
}

function join(workspace: Workspace, userId: string, channelId: string): ActionOutcome {
  const channel = channelById(workspace.state, channelId);
  if (channel?.kind !== 'public' || channel.isArchived || !canSee(workspace.state, channel, userId)) return GONE;
  joinChannel(workspace, channel, { userId });
  return { ok: true };
}

function markRead(workspace: Workspace, userId: string, read: { channel: string; ts: string }): ActionOutcome {
  const channel = channelById(workspace.state, read.channel);
  if (!channel || !canSee(workspace.state, channel, userId)) return GONE;
  const marks = workspace.state.reads[channel.id] ?? {};
  if (Number(read.ts) > Number(marks[userId] ?? 0)) {
    workspace.state.reads[channel.id] = { ...marks, [userId]: read.ts };
    workspace.touch();
  }
  return { ok: true };
}

function dismiss(workspace: Workspace, userId: string, place: { channel: string; ts: string }): ActionOutcome {
  const message = visibleMessage(workspace.state, userId, place.channel, place.ts);
  if (message?.onlyFor === undefined) return GONE;
  workspace.state.messages = workspace.state.messages.filter((other) => other !== message);
  workspace.touch();
  return { ok: true };
}

function setTimeZone(workspace: Workspace, userId: string, timeZone: string): ActionOutcome {
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

/** Returns true for members of a workspace that leaves its user groups to everybody, and false for guests and strangers. */
function changeGroup(
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
