import type { AppSettings } from '../runtime/installed-app.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { StoredMember } from '../state/workspace-state.ts';

type Offered = Pick<AppSettings, 'commands' | 'shortcuts'>;

/**
 * What a member can use of the app. People of other organisations are offered nothing
 * (https://docs.slack.dev/apis/slack-connect), nobody is without the scope `commands`
 * (https://docs.slack.dev/reference/scopes/commands), and shortcuts need interactivity
 * (https://docs.slack.dev/tools/java-slack-sdk/guides/shortcuts). Single-channel guests have commands, but no shortcuts:
 * https://slack.com/help/articles/201314026-Permissions-by-role-in-Slack
 */
export function offeredByApp({ state, app }: Workspace, member: StoredMember): Offered {
  if (member.teamId !== state.team.id || !app.scopes.includes('commands')) return { commands: [], shortcuts: [] };
  const hasShortcuts = app.interactivity === 'on' && member.kind !== 'channel-guest';
  return { commands: app.commands, shortcuts: hasShortcuts ? app.shortcuts : [] };
}
