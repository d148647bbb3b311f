/** The channel that the rules are about; all direct messages of a workspace are with its app. */
type Conversation = { kind: 'public' | 'private' | 'im'; isShared: boolean; isArchived: boolean };

type Menu = { type?: unknown; filter?: unknown };

/** Returns true if a menu of channels or conversations offers this one to people who see it. */
export function isOffered(menu: Menu, { kind, isShared, isArchived }: Conversation): boolean {
  if (isArchived) return false;
  if (/^(multi_)?channels_select$/.test(String(menu.type))) return kind === 'public';
  const { include, exclude_external_shared_channels, exclude_bot_users } = filterOf(menu);
  if (Array.isArray(include) && !include.includes(kind)) return false;
  if (exclude_external_shared_channels === true && isShared) return false;
  return exclude_bot_users !== true || kind !== 'im';
}

/** https://docs.slack.dev/reference/block-kit/composition-objects/conversation-filter-object */
type Filter = { include?: unknown; exclude_external_shared_channels?: unknown; exclude_bot_users?: unknown };

function filterOf({ filter }: Menu): Filter {
  return typeof filter === 'object' && filter !== null ? filter : {};
}
