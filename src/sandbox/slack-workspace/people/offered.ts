import { isOffered } from '../inputs/is-offered.ts';
import type { JsonObject } from '../json.ts';
import type { ElementInput } from '../person-actions.ts';
import type { AppSettings } from '../runtime/installed-app.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { mayAct, workspacesOf } from '../state/organisation.ts';
import type { StoredMember } from '../state/workspace-state.ts';
import { isReachable, visibleChannels } from './visible.ts';

type Offered = Pick<AppSettings, 'commands' | 'shortcuts'>;

/**
 * Returns the parts of the app that a member can use. People of other organisations are offered nothing
 * (https://docs.slack.dev/apis/slack-connect), nobody is without the scope `commands`
 * (https://docs.slack.dev/reference/scopes/commands), and shortcuts need interactivity
 * (https://docs.slack.dev/tools/java-slack-sdk/guides/shortcuts). Single-channel guests have commands, but no shortcuts:
 * https://slack.com/help/articles/201314026-Permissions-by-role-in-Slack
 */
export function offeredByApp({ state, app }: Workspace, member: StoredMember): Offered {
  if (!mayAct(state, workspacesOf(state, member)) || !app.scopes.includes('commands'))
    return { commands: [], shortcuts: [] };
  const hasShortcuts = app.interactivity === 'on' && member.kind !== 'channel-guest';
  return { commands: app.commands, shortcuts: hasShortcuts ? app.shortcuts : [] };
}

/** Returns true if a person can choose this: a menu offers them everybody or everything, and files are their own. */
export function areOffered(
  workspace: Workspace,
  { userId, element, input }: { userId: string; element: JsonObject; input: ElementInput },
): boolean {
  if (input.kind === 'files') return input.files.every((chosen) => isOwn(workspace, userId, chosen.id));
  if (input.kind !== 'ids') return true;
  const offered = /users_select$/.test(String(element.type))
    ? workspace.state.members.filter((one) => one.isDeactivated !== true && isReachable(workspace, userId, one))
    : visibleChannels(workspace, userId).filter((channel) => isOffered(element, channel));
  return input.ids.every((chosen) => offered.some(({ id }) => id === chosen));
}

function isOwn({ state }: Workspace, userId: string, fileId: string): boolean {
  return state.files.some((file) => file.id === fileId && file.userId === userId);
}
