// People and bots as the Web API and events describe them.

import { createHash } from 'node:crypto';
import { compact, type JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { isOutOfSight } from '../state/members.ts';
import { workspacesOf } from '../state/organisation.ts';
import type { StoredMember } from '../state/workspace-state.ts';

/** `with-locale` where the app asks for it: https://docs.slack.dev/reference/methods/users.info#arg_include_locale */
type Detail = 'usual' | 'with-locale';

/**
 * People of an organisation have no `team_id`, as measured: https://github.com/looker/lookerbot/issues/184. Those of other
 * organisations have no `deleted`: https://docs.slack.dev/apis/slack-connect
 * https://docs.slack.dev/reference/objects/user-object
 */
export function userJson(workspace: Workspace, member: StoredMember, detail: Detail = 'usual'): JsonObject {
  const enterprise = enterpriseJson(workspace, member);
  return compact({
    id: member.id,
    team_id: enterprise && member.kind !== 'stranger' ? undefined : member.teamId,
    name: member.name,
    deleted: member.isDeactivated ?? (member.kind === 'stranger' ? undefined : false),
    ...(member.isDeactivated ? { is_forgotten: false } : activeJson(workspace, member)),
    profile: profileJson(workspace, member),
    is_bot: member.kind === 'app',
    is_app_user: false,
    enterprise_user: enterprise,
    updated: member.updatedAt ?? 0,
    locale: detail === 'with-locale' ? (member.locale ?? 'en-US') : undefined,
  });
}

/**
 * Returns the fields that Slack leaves out for deactivated people, as measured: https://github.com/brekkylab/backlot/issues/258
 * and https://github.com/brekkylab/backlot/issues/290. `has_2fa` is for admins only.
 */
function activeJson(workspace: Workspace, member: StoredMember): JsonObject {
  const { kind, role, timeZone } = member;
  return compact({
    color: member.color.slice(1),
    real_name: member.realName,
    tz: timeZone,
    tz_label: zoneName(timeZone, 'long', workspace.now()),
    tz_offset: offsetSeconds(timeZone, workspace.now()),
    is_admin: role !== undefined,
    is_owner: role === 'owner' || role === 'primary-owner',
    is_primary_owner: role === 'primary-owner',
    is_restricted: kind === 'guest' || kind === 'channel-guest',
    is_ultra_restricted: kind === 'channel-guest',
    is_stranger: kind === 'stranger' ? isOutOfSight(workspace.state, workspace.app.botUserId, member) : undefined,
    is_email_confirmed: kind !== 'app' && kind !== 'slackbot',
    who_can_share_contact_card: 'EVERYONE',
  });
}

/** https://docs.slack.dev/enterprise */
function enterpriseJson({ state }: Workspace, member: StoredMember): JsonObject | undefined {
  const { id, enterpriseUserId, teamId, organisation, kind } = member;
  if (state.organisation && kind !== 'stranger')
    return {
      id: enterpriseUserId ?? id,
      enterprise_id: state.organisation.id,
      enterprise_name: state.organisation.name,
      is_admin: false,
      is_owner: false,
      teams: [...workspacesOf(state, member)],
    };
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

/** A time zone's name at an instant: `long` as in "Central European Summer Time", `longOffset` as in "GMT+02:00". */
function zoneName(timeZone: string, timeZoneName: 'long' | 'longOffset', atMs: number): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName }).formatToParts(atMs);
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
}

/** A time zone's offset from UTC at an instant, in seconds. */
function offsetSeconds(timeZone: string, atMs: number): number {
  const name = zoneName(timeZone, 'longOffset', atMs);
  const [, direction, hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
  return (direction === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

const IMAGE_SIZES = [24, 32, 48, 72, 192, 512];

/**
 * All fields are there for deactivated people, too, whose account says little else.
 * https://docs.slack.dev/reference/objects/user-object#profile
 * https://github.com/brekkylab/backlot/issues/258
 */
export function profileJson(workspace: Workspace, member: StoredMember): JsonObject {
  const { realName } = member;
  const [firstName = '', ...others] = realName.split(' ');
  return compact({
    title: member.title,
    phone: '',
    skype: '',
    real_name: realName,
    real_name_normalized: realName,
    // Empty unless the person chose one; Slack then shows the real name.
    display_name: '',
    display_name_normalized: '',
    fields: null,
    status_text: '',
    status_text_canonical: '',
    status_emoji: '',
    status_emoji_display_info: [],
    status_expiration: 0,
    first_name: firstName,
    last_name: others.join(' '),
    team: member.teamId,
    email: emailOf(workspace, member),
    ...images(workspace, member),
    ...(member.id === workspace.app.botUserId && ofTheApp(workspace)),
  });
}

/**
 * Returns the fields of a message about an author from another organisation:
 * https://github.com/slackapi/java-slack-sdk/blob/main/json-logs/samples/events/AppMentionPayload.json
 */
export function briefProfile(workspace: Workspace, member: StoredMember): JsonObject {
  const { avatar_hash, image_72, first_name, real_name, display_name, team } = profileJson(workspace, member);
  return compact({
    avatar_hash,
    image_72,
    first_name,
    real_name,
    display_name,
    team,
    name: member.name,
    is_restricted: false,
    is_ultra_restricted: false,
  });
}

/** https://docs.slack.dev/reference/scopes/users.read.email */
function emailOf({ state, app }: Workspace, member: StoredMember): string | undefined {
  const hasOne = member.kind !== 'app' && member.kind !== 'slackbot';
  if (!hasOne || !app.scopes.includes('users:read.email') || isOutOfSight(state, app.botUserId, member))
    return undefined;
  return member.email;
}

/** The only fields that are guaranteed. https://docs.slack.dev/reference/methods/users.info */
function images(workspace: Workspace, { id }: StoredMember): JsonObject {
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 12);
  const addresses = IMAGE_SIZES.map((size) => [`image_${size}`, `${workspace.origin()}/avatars/${id}_${size}.png`]);
  return { avatar_hash: hash, ...Object.fromEntries(addresses) };
}

function ofTheApp({ app }: Workspace): JsonObject {
  return { bot_id: app.botId, api_app_id: app.appId, always_active: app.alwaysOnline };
}
