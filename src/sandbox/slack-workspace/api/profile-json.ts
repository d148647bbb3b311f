import { createHash } from 'node:crypto';
import { compact, type JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { isOutOfSight } from '../state/sight.ts';
import type { StoredMember } from '../state/workspace-state.ts';

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
