/**
 * The contract between the web page, where a person acts as any member, and the workspace server.
 * Types only, so that the page can import this file into the browser.
 *
 * | request | answer |
 * |---|---|
 * | `GET /api/members` | `SignInChoice`: the members to choose from |
 * | `GET /api/snapshot?as=U…` | `Snapshot`: everything the member sees |
 * | `GET /api/reachable` | `true` or `false`: whether the app can be reached, which is tried |
 * | `GET /api/live?as=U…` | server-sent events, one `LiveUpdate` per `data:`: the new session, then snapshots and the rest |
 * | `GET /api/live?as=U…&session=…` | the same in a session that has begun, of any member |
 * | `POST /api/act?as=U…` | body `PersonAction`, answer `ActionOutcome`, always with HTTP status 200 |
 * | `POST /api/uploads?as=U…&name=…` | body: a file's bytes, for a `file_input`; answer `ChosenFile` |
 * | `GET /api/files/F…?as=U…` | the file's bytes (`&download=1` as an attachment), 404 if the member can't see it |
 * | `POST /api/controls?id=…` | presses a button of the bar; 202 at once, 404 if there is none |
 * | `GET /api/wire?after=SEQ` | `WireEntry[]`, oldest first |
 */
import type { Json, JsonObject } from './json.ts';
import type { ViewInputs } from './person-actions.ts';
import type { WireEntry } from './wire-entry.ts';

/** A validated Block Kit block as sent by the app, with `block_id` and every `action_id` filled in. */
export type Block = JsonObject & { type: string; block_id: string };

/** A secondary attachment as sent by the app, numbered from 1, with the ids of its blocks filled in. */
export type Attachment = JsonObject & { id: number; blocks?: Block[] };

export type SignInChoice = { team: Team; members: Member[] };

export type Team = { id: string; name: string; domain: string };

/**
 * `guest`: a multi-channel guest, `channel-guest`: a single-channel guest, `stranger`: from another organisation, in
 * shared channels, `app`: a bot.
 */
export type MemberKind = 'member' | 'guest' | 'channel-guest' | 'stranger' | 'app' | 'slackbot';

/** https://slack.com/help/articles/360018112273-Types-of-roles-in-Slack */
export type AdminRole = 'admin' | 'owner' | 'primary-owner';

export type Member = {
  id: string;
  teamId: string;
  /** The handle, as in `@maria`. */
  name: string;
  realName: string;
  title: string;
  timeZone: string;
  kind: MemberKind;
  /** The changes that a member may administer; absent for everyone else. */
  role?: AdminRole;
  isAway?: boolean;
  /** Isn't in the lists of the viewing member, a guest who shares no channel with them. */
  isOutOfReach?: boolean;
  organisation?: string;
  /** Can't act any more, and is in no channels and groups. */
  isDeactivated?: boolean;
  /** The avatar's colour, `#rrggbb`. */
  color: string;
};

export type UserGroup = {
  id: string;
  handle: string;
  name: string;
  memberIds: string[];
  /** Seconds since the epoch; absent while it is enabled. */
  disabledAt?: number;
};

export type SlashCommand = { command: string; description: string; usageHint: string };

export type Shortcut = { type: 'message' | 'global'; callbackId: string; name: string; description: string };

export type InstalledApp = {
  appId: string;
  botId: string;
  botUserId: string;
  name: string;
  commands: SlashCommand[];
  shortcuts: Shortcut[];
  hasHomeTab: boolean;
  delivery: 'http' | 'socket';
  /** Socket Mode: a connection is open. HTTP: the last delivery reached the app. */
  reachable: boolean;
};

export type Channel = {
  id: string;
  /** The name without `#`; for a direct message with the app, the app's name. */
  name: string;
  kind: 'public' | 'private' | 'im';
  topic: string;
  isArchived: boolean;
  isShared: boolean;
  /** Public channels are listed for non-members too. */
  isMember: boolean;
  memberIds: string[];
  unread: number;
  /** Unread messages that notify the viewing member. */
  mentions: number;
  lastReadTs: string;
  /** A direct message with an app that takes none. */
  isReadOnly: boolean;
};

export type FileInfo = {
  id: string;
  name: string;
  title: string;
  mimetype: string;
  sizeBytes: number;
  /** `/api/files/F…?as=U…` */
  url: string;
  /** The first 2,000 characters of a text file. */
  preview?: string;
};

export type Message = {
  channel: string;
  ts: string;
  /** Set on replies, and on roots with replies (where it equals `ts`). */
  threadTs?: string;
  userId: string;
  /** A custom name chosen by the app for this message. */
  username?: string;
  /** Mrkdwn. If there are blocks, they are shown instead and this is the notification text. */
  text: string;
  blocks: Block[];
  /** Below the blocks or the text. */
  attachments?: Attachment[];
  files: FileInfo[];
  editedAt?: number;
  /** "Only visible to you", and dismissible. */
  ephemeral: boolean;
  /** A reply that was also sent to the channel. */
  broadcast: boolean;
  /** Deleted while it had replies. */
  tombstone: boolean;
  /** Slack itself says that its author joined, left or renamed the channel. */
  notice: boolean;
  reactions: { name: string; userIds: string[] }[];
  /** Thread roots only. */
  thread?: { replyCount: number; replyUserIds: string[]; latestReplyTs: string };
  /** The members notified by mentions, groups, `@channel` or `@here`. */
  notifies: string[];
};

export type OpenView = {
  id: string;
  /** Changes whenever the app replaces the view. Inputs with unchanged `block_id` and `action_id` keep their values. */
  hash: string;
  title: string;
  /** Absent if the modal has no submit button. */
  submitLabel?: string;
  closeLabel: string;
  blocks: Block[];
  /** The values known to the server: initial ones, then those sent with actions. */
  inputs: ViewInputs;
  /** Error texts by `block_id`, from the app (`response_action: errors`) or Slack's own checks. */
  errors: { [blockId: string]: string };
  /** The modal's banner, e.g. "We had some trouble connecting. Try again?". */
  problem?: string;
  /** A submission is in progress: the buttons are disabled. */
  isSubmitting: boolean;
};

export type HomeView = { id: string; hash: string; blocks: Block[]; inputs: ViewInputs };

/** Shown below a thread, for two minutes at most. */
export type ThreadStatus = {
  channel: string;
  threadTs: string;
  /** After the name, as in “is thinking…”. */
  text: string;
  /** Shown in its place, one after the other. */
  loadingMessages: string[];
  /** A name chosen by the app in place of its own. */
  username?: string;
};

/** A workflow that the viewing member can start. */
export type WorkflowOffer = {
  name: string;
  description: string;
  steps: string[];
  /** Input blocks for what it asks first; their errors and values go by `block_id`. */
  form: Block[];
};

/** A run of a workflow that the viewing member has started. */
export type WorkflowRun = {
  id: string;
  name: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  status: 'running' | 'completed' | 'failed' | 'cancelled';
  /** Why it failed. */
  error?: string;
  steps: WorkflowRunStep[];
};

export type WorkflowRunStep = {
  title: string;
  /** `waiting`: for the steps before it, which it does for ever if the run ends at one of them. */
  status: 'waiting' | 'running' | 'completed' | 'failed' | 'cancelled';
  outputs: WorkflowOutput[];
};

/** `type` as in the app's manifest, such as `string` or `slack#/types/user_id`. */
export type WorkflowOutput = { name: string; title: string; type: string; value: Json };

/** Everything the viewing member sees. */
export type Snapshot = {
  /** Increases with every change. */
  revision: number;
  team: Team;
  me: Member;
  /** The viewing member's language and region, such as `de-DE`. */
  locale: string;
  members: Member[];
  groups: UserGroup[];
  app: InstalledApp;
  channels: Channel[];
  /** Messages by channel id, oldest first, including replies and ephemeral messages. */
  messages: { [channelId: string]: Message[] };
  /** The modal stack. Only the last, on top, can be used. */
  modals: OpenView[];
  statuses: ThreadStatus[];
  workflows: WorkflowOffer[];
  /** Newest first. */
  workflowRuns: WorkflowRun[];
  /** The number of direct messages of the app that people haven't read, for those with any. */
  unreadDirect: { [memberId: string]: number };
  /** The Home tab; absent until the app publishes one for this member. */
  home?: HomeView;
};

/** The bar above every page, made by the person who started the workspace: buttons, and lines that say what happened, oldest first. */
export type ControlBar = { controls: { id: string; label: string; isBusy: boolean }[]; notices: Notice[] };

/** `seq` counts from one; `at` is in milliseconds since the epoch. */
export type Notice = { seq: number; at: number; text: string };

/**
 * A session is a page that has not been reloaded. It sees the ephemeral messages that came since it began: “By nature,
 * ephemeral messages do not persist across reloads, desktop and mobile apps, or sessions.”
 * https://docs.slack.dev/reference/methods/chat.postEphemeral
 */
export type LiveUpdate =
  | { type: 'session'; session: string }
  | { type: 'snapshot'; snapshot: Snapshot }
  | { type: 'wire'; entry: WireEntry }
  | { type: 'controls'; bar: ControlBar }
  | { type: 'heartbeat' };

/** The interval of live-update heartbeats. A longer silence means a broken connection. */
export const HEARTBEAT_MS = 1_000;
