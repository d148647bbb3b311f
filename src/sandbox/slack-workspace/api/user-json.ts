import { compact, type JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { isIn } from '../state/channels.ts';
import type { StoredMember } from '../state/workspace-state.ts';

/** `with-locale` where the app asks for it: https://docs.slack.dev/reference/methods/users.info#arg_include_locale */
type Detail = 'usual' | 'with-locale';

/** https://docs.slack.dev/reference/objects/user-object */
export function userJson(workspace: Workspace, member: StoredMember, detail: Detail = 'usual'): JsonObject {
  return compact({
    id: member.id,
    team_id: member.teamId,
    name: member.name,
    deleted: member.isDeactivated ?? false,
    ...(!member.isDeactivated && activeJson(workspace, member)),
    profile: profileJson(workspace, member),
    is_bot: member.kind === 'app',
    is_app_user: false,
    enterprise_user: enterpriseJson(member),
    updated: 0,
    locale: detail === 'with-locale' ? (member.locale ?? 'en-US') : undefined,
  });
}

/** What Slack leaves out for deactivated people. */
function activeJson(workspace: Workspace, member: StoredMember): JsonObject {
  return compact({
    color: member.color.slice(1),
    real_name: member.realName,
    tz: member.timeZone,
    tz_label: member.timeZone,
    tz_offset: offsetSeconds(member.timeZone, workspace.now()),
    is_admin: false,
    is_owner: false,
    is_restricted: member.kind === 'guest' || member.kind === 'channel-guest',
    is_ultra_restricted: member.kind === 'channel-guest',
    is_stranger: member.kind === 'stranger' ? isOutOfSight(workspace, member) : undefined,
  });
}

function profileJson(workspace: Workspace, member: StoredMember): JsonObject {
  const showsEmail = member.kind !== 'app' && !isOutOfSight(workspace, member);
  return compact({
    title: member.title,
    real_name: member.realName,
    real_name_normalized: member.realName,
    // Empty unless the person chose one; Slack then shows the real name.
    display_name: '',
    display_name_normalized: '',
    team: member.teamId,
    email: showsEmail && workspace.app.scopes.includes('users:read.email') ? member.email : undefined,
  });
}

/**
 * What `is_stranger` means: from another organisation, and in no shared channel that the app can see. For those in a
 * shared channel only `team_id` tells. https://docs.slack.dev/reference/objects/user-object
 */
function isOutOfSight({ state, app }: Workspace, { id, kind }: StoredMember): boolean {
  const meets = state.channels.some((channel) => isIn(channel, id) && isIn(channel, app.botUserId));
  return kind === 'stranger' && !meets;
}

/** https://docs.slack.dev/enterprise */
function enterpriseJson({ enterpriseUserId, teamId, organisation }: StoredMember): JsonObject | undefined {
  if (enterpriseUserId === undefined) return undefined;
  return {
    id: enterpriseUserId,
    enterprise_id: teamId.replace(/^T/, 'E'),
    enterprise_name: organisation ?? '',
    is_admin: false,
    is_owner: false,
    teams: [teamId],
  };
}

/** A time zone's offset from UTC at an instant, in seconds. */
function offsetSeconds(timeZone: string, atMs: number): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(atMs);
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  const [, direction, hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
  return (direction === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}
