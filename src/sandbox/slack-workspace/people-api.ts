/**
 * The contract between the web page, on which a person plays the members, and the workspace server.
 * Types only, so that the page can import this file into the browser.
 *
 * | request | answer |
 * |---|---|
 * | `GET /api/members` | `SignInChoice`: who one can be |
 * | `GET /api/snapshot?as=U…` | `Snapshot`: everything that member sees now |
 * | `GET /api/live?as=U…` | server-sent events, each `data:` one `LiveUpdate`; the first is a whole snapshot |
 * | `POST /api/act?as=U…` | body `PersonAction`, answer `ActionOutcome`, always with HTTP status 200 |
 * | `GET /api/files/F…?as=U…` | the file's bytes (`&download=1` as an attachment), 404 where the member can't see it |
 * | `GET /api/wire?after=SEQ` | `WireEntry[]`, oldest first |
 */

import type { JsonObject } from './json.ts';
import type { ViewInputs } from './person-actions.ts';
import type { WireEntry } from './wire-entry.ts';

/** A Block Kit block as the app sent it, checked, with `block_id` (and every `action_id`) filled in. */
export type Block = JsonObject & { type: string; block_id: string };

export type SignInChoice = { team: Team; members: Member[] };

export type Team = { id: string; name: string; domain: string };

export type Member = {
  id: string;
  teamId: string;
  /** The handle, as in `@maria`. */
  name: string;
  realName: string;
  title: string;
  timeZone: string;
  kind: 'member' | 'guest' | 'stranger' | 'app' | 'slackbot';
  /** Hex, `#rrggbb`: a colour for the avatar. */
  color: string;
};

export type UserGroup = { id: string; handle: string; name: string; memberIds: string[] };

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
  /** Without `#`; for a direct message with the app, the app's name. */
  name: string;
  kind: 'public' | 'private' | 'im';
  topic: string;
  isArchived: boolean;
  /** Shared with another organisation. */
  isShared: boolean;
  /** Whether the viewing member is in it; public channels are listed either way. */
  isMember: boolean;
  memberIds: string[];
  unread: number;
  /** Unread messages that notify the viewing member. */
  mentions: number;
  lastReadTs: string;
};

export type FileInfo = {
  id: string;
  name: string;
  title: string;
  mimetype: string;
  sizeBytes: number;
  /** Where the page gets it from: `/api/files/F…?as=U…`. */
  url: string;
  /** The beginning of a text file, at most 2,000 characters. */
  preview?: string;
};

export type Message = {
  channel: string;
  ts: string;
  /** Present on replies, and on roots that have replies (there equal to `ts`). */
  threadTs?: string;
  userId: string;
  /** The name and icon that the app chose for this message, where it may. */
  username?: string;
  /** Slack's mrkdwn. Where blocks are present they are shown instead, and this is what a notification says. */
  text: string;
  blocks: Block[];
  files: FileInfo[];
  editedAt?: number;
  /** "Only visible to you": shown to the viewing member alone, and dismissible. */
  ephemeral: boolean;
  /** A reply that was also sent to the channel: shown in both places. */
  broadcast: boolean;
  /** Deleted by its author while it had replies. */
  tombstone: boolean;
  /** Roots of threads only. */
  thread?: { replyCount: number; replyUserIds: string[]; latestReplyTs: string };
  /** The members whom this message pinged: mentions, groups, `@channel`, `@here`. */
  notifies: string[];
};

export type OpenView = {
  id: string;
  /** Changes whenever the app replaces the view. Inputs whose `block_id` and `action_id` stay keep what was typed. */
  hash: string;
  title: string;
  /** Absent: the modal has no submit button. */
  submitLabel?: string;
  closeLabel: string;
  blocks: Block[];
  /** What the server knows to be filled in: initial values, then everything sent with an action. */
  inputs: ViewInputs;
  /** Error texts under input blocks, by `block_id`: the app's (`response_action: errors`) or the client's own checks. */
  errors: { [blockId: string]: string };
  /** The banner over the modal, e.g. "We had some trouble connecting. Try again?". */
  problem?: string;
  /** A submission is on its way: the buttons are inactive. */
  isSubmitting: boolean;
};

export type HomeView = { id: string; hash: string; blocks: Block[]; inputs: ViewInputs };

/** Everything the viewing member sees. */
export type Snapshot = {
  /** Grows with every change. */
  revision: number;
  team: Team;
  me: Member;
  members: Member[];
  groups: UserGroup[];
  app: InstalledApp;
  channels: Channel[];
  /** By channel id, oldest first; replies and ephemerals are among them. */
  messages: { [channelId: string]: Message[] };
  /** The modal stack, the last is on top and the only one to act on. */
  modals: OpenView[];
  /** The App Home tab; absent until the app has published one for this member. */
  home?: HomeView;
};

export type LiveUpdate =
  | { type: 'snapshot'; snapshot: Snapshot }
  | { type: 'wire'; entry: WireEntry }
  | { type: 'beat' };

/** So often the live updates have a beat, where nothing else happens: longer silence means a broken connection. */
export const BEAT_MS = 1_000;
