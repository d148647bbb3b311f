import type { JsonObject } from '../json.ts';
import type { Block, Member, Team, UserGroup } from '../people-api.ts';
import type { ViewInputs } from '../person-actions.ts';

/**
 * Everything that the workspace holds, as plain JSON, so that it can be kept in a file. Time and randomness come in
 * as arguments of the functions that change it.
 */
export type WorkspaceState = {
  team: Team;
  members: StoredMember[];
  groups: UserGroup[];
  channels: StoredChannel[];
  /** In the order of their `ts`, as they were posted. */
  messages: StoredMessage[];
  views: StoredView[];
  files: StoredFile[];
  /** channel → member → the `ts` up to which they have read. */
  reads: { [channelId: string]: { [memberId: string]: string } };
  /** The last `ts` given, in microseconds since the epoch: no two messages share one. */
  lastTs: number;
  /** How many ids have been made: each one is new. */
  idsMade: number;
};

export type StoredMember = Member & { email: string };

export type StoredChannel = {
  id: string;
  name: string;
  kind: 'public' | 'private' | 'im';
  topic: string;
  isArchived: boolean;
  isShared: boolean;
  memberIds: string[];
  /** Seconds since the epoch. */
  created: number;
};

export type StoredMessage = {
  channel: string;
  ts: string;
  threadTs?: string;
  userId: string;
  botId?: string;
  username?: string;
  text: string;
  blocks: Block[];
  fileIds: string[];
  editedTs?: string;
  broadcast: boolean;
  tombstone: boolean;
  /** An ephemeral message: the one member who sees it. */
  onlyFor?: string;
  metadata?: JsonObject;
  notifies: string[];
  /** What each member chose in the elements of the message: nobody sees the others' choices. */
  inputs: { [memberId: string]: ViewInputs };
};

export type StoredView = {
  id: string;
  kind: 'modal' | 'home';
  userId: string;
  hash: string;
  rootId: string;
  previousId: string | null;
  /** The view as the app sent it, with ids filled in. */
  source: JsonObject;
  inputs: ViewInputs;
  errors: { [blockId: string]: string };
  problem?: string;
  isSubmitting: boolean;
};

export type StoredFile = {
  id: string;
  name: string;
  title: string;
  mimetype: string;
  sizeBytes: number;
  userId: string;
  /** Until its bytes have arrived, a file can't be completed. */
  contentBase64?: string;
  /** Channels it was shared in; none before `files.completeUploadExternal`. */
  channels: string[];
  /** Seconds since the epoch. */
  created: number;
};
