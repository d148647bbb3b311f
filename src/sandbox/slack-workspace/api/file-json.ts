import type { FindFile } from '../inputs/element-inputs.ts';
import { compact, type JsonObject } from '../json.ts';
import { channelOf, type Workspace } from '../runtime/workspace.ts';
import { extensionOf } from '../state/files.ts';
import { publicMessages, repliesOf } from '../state/messages.ts';
import type { StoredChannel, StoredFile, StoredMessage } from '../state/workspace-state.ts';

/** Finds the files of a workspace as apps get them. */
export function fileFinder(workspace: Workspace): FindFile {
  return (id) => {
    const file = workspace.state.files.find((candidate) => candidate.id === id);
    return file && fileJson(workspace, file);
  };
}

/** https://docs.slack.dev/reference/methods/files.info#examples */
export function fileJson(workspace: Workspace, file: StoredFile): JsonObject {
  const address = `${workspace.origin()}/api/files/${file.id}`;
  const channels = file.channels.map((id) => channelOf(workspace, id));
  const ofKind = (kindOfChannel: StoredChannel['kind']) =>
    channels.flatMap(({ id, kind }) => (kind === kindOfChannel ? [id] : []));
  return compact({
    id: file.id,
    created: file.created,
    timestamp: file.created,
    name: file.name,
    title: file.title,
    mimetype: file.mimetype,
    filetype: extensionOf(file.name) ?? 'text',
    user: file.userId,
    user_team: workspace.state.members.find(({ id }) => id === file.userId)?.teamId ?? workspace.state.team.id,
    editable: false,
    size: file.sizeBytes,
    mode: 'hosted',
    is_external: false,
    external_type: '',
    is_public: ofKind('public').length > 0,
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    url_private: address,
    url_private_download: `${address}?download=1`,
    permalink: `${workspace.origin()}/files/${file.id}`,
    comments_count: 0,
    is_starred: false,
    shares: sharesJson(workspace, file, channels),
    channels: ofKind('public'),
    groups: ofKind('private'),
    ims: ofKind('im'),
    has_rich_preview: false,
    alt_txt: file.altText,
  });
}

/** Returns the places in which it was shared, by visibility and channel. */
function sharesJson(workspace: Workspace, file: StoredFile, channels: readonly StoredChannel[]): JsonObject {
  const shares: { [visibility: string]: JsonObject } = {};
  for (const channel of channels) {
    const messages = publicMessages(workspace.state, channel.id).filter(({ fileIds }) => fileIds.includes(file.id));
    if (messages.length === 0) continue;
    const visibility = channel.kind === 'public' ? 'public' : 'private';
    const inChannel = messages.map((message) => shareJson(workspace, channel, message));
    shares[visibility] = { ...shares[visibility], [channel.id]: inChannel };
  }
  return shares;
}

function shareJson(workspace: Workspace, channel: StoredChannel, message: StoredMessage): JsonObject {
  const replies = repliesOf(workspace.state, channel.id, message.ts);
  const users = [...new Set(replies.map(({ userId }) => userId))];
  return compact({
    reply_users: users,
    reply_users_count: users.length,
    reply_count: replies.length,
    ts: message.ts,
    thread_ts: message.threadTs,
    latest_reply: replies.at(-1)?.ts,
    channel_name: channel.kind === 'im' ? undefined : channel.name,
    team_id: workspace.state.team.id,
    share_user_id: message.userId,
  });
}
