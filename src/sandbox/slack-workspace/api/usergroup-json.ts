import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { SLACKBOT_ID } from '../state/seed.ts';
import type { StoredGroup } from '../state/workspace-state.ts';

/** https://docs.slack.dev/reference/objects/usergroup-object and `Subteam` in @slack/types */
export function groupJson({ state }: Workspace, group: StoredGroup): JsonObject {
  const { createdAt = 0, updatedAt = createdAt, createdBy = SLACKBOT_ID, updatedBy = createdBy } = group;
  return {
    id: group.id,
    team_id: state.team.id,
    is_usergroup: true,
    is_subteam: true,
    name: group.name,
    description: '',
    handle: group.handle,
    is_external: false,
    date_create: createdAt,
    date_update: updatedAt,
    date_delete: group.disabledAt ?? 0,
    auto_type: null,
    auto_provision: false,
    enterprise_subteam_id: '',
    created_by: createdBy,
    updated_by: updatedBy,
    deleted_by: group.disabledAt === undefined ? null : (group.disabledBy ?? SLACKBOT_ID),
    prefs: { channels: [], groups: [] },
    channel_count: 0,
  };
}
