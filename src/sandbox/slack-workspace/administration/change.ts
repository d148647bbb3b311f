/** The kinds of account that a person of this workspace can have. */
export const ACCOUNTS = ['member', 'guest', 'channel-guest'] as const;
export type Account = (typeof ACCOUNTS)[number];

/** The roles that an owner can give to a member; there is one primary owner, who stays it. */
export const ROLES = ['member', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export type PersonChange =
  /** They leave all channels and groups, and can't act any more or be found by e-mail. */
  | { kind: 'deactivate'; person: string }
  /** They come back to no channel or group. */
  | { kind: 'reactivate'; person: string }
  /** Guests leave all groups; a single-channel guest stays in one channel: this one, or the first that they are in. */
  | { kind: 'change-account'; person: string; account: Account; channel?: string }
  | { kind: 'change-role'; person: string; role: Role };

export type Invitation = { kind: 'invite'; name: string; realName: string; account: Account; channels: string[] };

export type GroupChange =
  | { kind: 'create-group'; name: string; handle: string; members: string[] }
  | { kind: 'change-group'; group: string; name?: string; handle?: string; members?: string[] }
  /** Its members stay, for when it is enabled again. */
  | { kind: 'disable-group'; group: string }
  | { kind: 'enable-group'; group: string };

export type ChannelChange =
  | { kind: 'create-channel'; name: string; isPrivate: boolean }
  | { kind: 'rename-channel'; channel: string; name: string }
  /** Shares it with another organisation. A private channel gets a new id. */
  | { kind: 'share-channel'; channel: string }
  | { kind: 'archive-channel'; channel: string }
  | { kind: 'unarchive-channel'; channel: string }
  | { kind: 'add-to-channel'; channel: string; person: string }
  | { kind: 'remove-from-channel'; channel: string; person: string };

/** The changes that admins can make to people, groups and channels, which are named by id. */
export type AdminChange = PersonChange | Invitation | GroupChange | ChannelChange;
