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

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

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

/** What an element currently holds, or what a person does with it. */
export type ElementInput =
  /** plain_text_input, number_input, email_text_input, url_text_input */
  | { kind: 'text'; value: string }
  /** static selects, radio_buttons, checkboxes, overflow: the chosen options' values */
  | { kind: 'options'; values: string[] }
  /** users, conversations and channels selects: the chosen ids */
  | { kind: 'ids'; ids: string[] }
  /** datepicker `YYYY-MM-DD`, timepicker `HH:mm`; null clears it */
  | { kind: 'moment'; value: string | null }
  /** datetimepicker: seconds since the epoch */
  | { kind: 'instant'; seconds: number | null }
  /** button, workflow_button, feedback and icon buttons (`value` says which of several) */
  | { kind: 'press'; value?: string };

/** `block_id` → `action_id` → what it holds. */
export type ViewInputs = { [blockId: string]: { [actionId: string]: ElementInput } };

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

/** Where an element is. An ephemeral message is found by its `ts` like any other. */
export type ElementPlace = { in: 'message'; channel: string; ts: string } | { in: 'view'; viewId: string };

/** Everything a person can do. */
export type PersonAction =
  /**
   * What the composer sends. Text that begins with `/` is a slash command: the app's, or the workspace's own
   * `/invite @name`, `/remove @name` and `/leave`. Plain `@name`, `#channel` and `@channel` are resolved by the server.
   */
  | { type: 'send'; channel: string; text: string; threadTs?: string; alsoToChannel?: boolean }
  /** Use an element of a message, a modal or the home tab. `inputs`: what is typed in the view so far. */
  | {
      type: 'use';
      place: ElementPlace;
      blockId: string;
      actionId: string;
      input: ElementInput;
      /** The person agreed to the element's `confirm` dialog; without it such an element refuses. */
      confirmed?: boolean;
      inputs?: ViewInputs;
    }
  /** Keep what is typed in a view (optional: `use` and `submit` carry it too). */
  | { type: 'fill'; viewId: string; inputs: ViewInputs }
  | { type: 'submit'; viewId: string; inputs?: ViewInputs }
  /** `one`: the button labelled `closeLabel`, back to the view below; `all`: the ✕ in the corner. */
  | { type: 'close'; viewId: string; extent: 'one' | 'all' }
  | { type: 'open-home'; tab: 'home' | 'messages' }
  | { type: 'message-shortcut'; callbackId: string; channel: string; ts: string }
  | { type: 'global-shortcut'; callbackId: string }
  | { type: 'join'; channel: string }
  | { type: 'mark-read'; channel: string; ts: string }
  | { type: 'dismiss'; channel: string; ts: string };

/** Why an action did nothing, or failed at the app, in the words the person reads. */
export type PersonProblem = {
  /** Stable, for tests: e.g. `app_timeout`, `app_unreachable`, `app_error`, `invalid_input`, `not_visible`, `no_such_command`. */
  code: string;
  /** What Slack would show, e.g. `/kickoff failed because the app did not respond.`. */
  text: string;
  /**
   * Where Slack would show it: a ⚠ beside the used element (the page keeps it until the next use), the composer, the
   * modal's banner, under inputs, or in passing.
   */
  at: 'element' | 'composer' | 'modal' | 'inputs' | 'toast';
  /** For `inputs`: the texts by `block_id`; they are in the snapshot's `OpenView.errors` too. */
  errors?: { [blockId: string]: string };
};

/** `ts` is that of the message just sent. */
export type ActionOutcome = { ok: true; ts?: string } | { ok: false; problem: PersonProblem };

/** A rule of Slack's that a request broke, and where it is written. */
export type BrokenRule = { code: string; detail: string; documentation: string };

/** One request between the app and the workspace, either way. Tokens and signatures are blanked. */
export type WireEntry = {
  seq: number;
  /** Milliseconds since the epoch at which it began. */
  at: number;
  direction: 'to-app' | 'from-app';
  transport: 'http' | 'socket';
  /** A Web API method (`chat.postMessage`), or what was delivered (`block_actions`, `slash_commands`, `response_url`). */
  name: string;
  request: Json;
  /** Absent where none came. */
  response?: Json;
  /** HTTP status, where there was one. */
  status?: number;
  tookMs: number;
  outcome: 'ok' | 'error' | 'timeout' | 'dropped' | 'unreachable';
  /** Slack's error name, e.g. `invalid_blocks`. */
  error?: string;
  broken: BrokenRule[];
};
