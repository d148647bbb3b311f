import { compact, type JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { StoredMember } from '../state/workspace-state.ts';
import { ApiError } from './api-error.ts';
import { requiredArg } from './arguments.ts';
import type { ApiMethods } from './method.ts';
import { pageOf } from './page-of.ts';

/** https://docs.slack.dev/reference/objects/user-object */
function userJson(workspace: Workspace, member: StoredMember): JsonObject {
  const guest = member.kind === 'guest';
  const stranger = member.kind === 'stranger';
  const withEmail = workspace.app.scopes.includes('users:read.email') && !stranger;
  return compact({
    id: member.id,
    team_id: member.teamId,
    name: member.name,
    deleted: false,
    color: member.color.slice(1),
    real_name: member.realName,
    tz: member.timeZone,
    tz_label: member.timeZone,
    tz_offset: offsetSeconds(member.timeZone, workspace.now()),
    profile: compact({
      title: member.title,
      real_name: member.realName,
      real_name_normalized: member.realName,
      // Empty unless the person chose one; Slack then shows the real name.
      display_name: '',
      display_name_normalized: '',
      team: member.teamId,
      email: withEmail ? member.email : undefined,
    }),
    is_admin: false,
    is_owner: false,
    is_restricted: guest,
    is_ultra_restricted: guest,
    is_bot: member.kind === 'app',
    is_app_user: false,
    is_stranger: stranger ? true : undefined,
    updated: 0,
  });
}

/** A time zone's offset from UTC at an instant, in seconds. */
function offsetSeconds(timeZone: string, atMs: number): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(atMs);
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  const [, direction, hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
  return (direction === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

/** https://docs.slack.dev/reference/methods/users.info */
function info(workspace: Workspace, args: JsonObject): JsonObject {
  const id = requiredArg(args, 'user');
  const member = workspace.state.members.find((candidate) => candidate.id === id);
  if (!member) throw new ApiError('user_not_found');
  return { user: userJson(workspace, member) };
}

/** https://docs.slack.dev/reference/methods/users.list */
function list(workspace: Workspace, args: JsonObject): JsonObject {
  const { page, nextCursor } = pageOf(workspace.state.members, args, 1000);
  return {
    members: page.map((member) => userJson(workspace, member)),
    cache_ts: Math.floor(workspace.now() / 1000),
    response_metadata: { next_cursor: nextCursor },
  };
}

const read = { token: 'bot', scopes: ['users:read'], takesJson: false } as const;

export const USER_METHODS: ApiMethods = {
  'users.info': { ...read, tier: 'tier4', run: info },
  'users.list': { ...read, tier: 'tier2', run: list },
};
