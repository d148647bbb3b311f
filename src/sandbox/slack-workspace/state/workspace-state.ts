import type { JsonObject } from '../json.ts';
import type { Attachment, Block, Member, Team, UserGroup } from '../people-api.ts';
import type { ViewInputs } from '../person-actions.ts';
import type { AppFunction } from '../runtime/installed-app.ts';
import type { Workflow } from '../workflow.ts';

/**
 * The workspace's data, as plain JSON that can be saved to a file.
 */
export type WorkspaceState = {
  team: Team;
  /** Whose first workspace `team` is; absent for a workspace on its own. */
  organisation?: Organisation;
  members: StoredMember[];
  groups: StoredGroup[];
  channels: StoredChannel[];
  /** Ordered by `ts`. */
  messages: StoredMessage[];
  views: StoredView[];
  files: StoredFile[];
  workflows: Workflow[];
  /** In the order in which they were started. */
  workflowRuns: StoredWorkflowRun[];
  /** The custom steps that workflows have come to. */
  functionExecutions: FunctionExecution[];
  /** channel → member → `ts` of the last message read. */
  reads: { [channelId: string]: { [memberId: string]: string } };
  /** The last `ts` issued, in microseconds since the epoch. No two messages share one. */
  lastTs: number;
  /** The number of ids issued so far. */
  idsMade: number;
};

/** https://docs.slack.dev/enterprise */
export type Organisation = Team & {
  workspaces: Team[];
  /**
   * The ids of the workspaces that an admin has added the app to: installing it on the organisation adds it to none.
   * https://docs.slack.dev/enterprise/organization-ready-apps
   */
  granted: string[];
};

export type StoredMember = Member & {
  /** Two accounts of one person may share it. */
  email: string;
  /** The account of the organisation, if its workspaces share one. */
  enterpriseUserId?: string;
  /** Their workspaces in the organisation, the home workspace first; `teamId` alone if absent. */
  workspaceIds?: string[];
  /** The language that the person has chosen, as in `de-DE`; `en-US` if absent. */
  locale?: string;
  /** The last change of the account, in seconds since the epoch; 0 if absent. */
  updatedAt?: number;
};

export type StoredGroup = UserGroup & {
  /** The workspace of an organisation; the first one if absent. */
  workspaceId?: string;
  /** Seconds since the epoch; 0 if absent. */
  createdAt?: number;
  updatedAt?: number;
  /** The people who created, last changed and disabled it; Slackbot if absent. */
  createdBy?: string;
  updatedBy?: string;
  disabledBy?: string;
};

export type StoredChannel = {
  id: string;
  name: string;
  kind: 'public' | 'private' | 'im';
  topic: string;
  isArchived: boolean;
  /** True if it is shared with another organisation. */
  isShared: boolean;
  /** The workspaces of the organisation that it is in; the first one if absent. */
  workspaceIds?: string[];
  memberIds: string[];
  /** Seconds since the epoch. */
  created: number;
};

/**
 * Slack's own notice of a channel's members and its name, with the fields of its message.
 * https://docs.slack.dev/reference/events/message/channel_join, https://docs.slack.dev/reference/events/message/channel_leave,
 * https://docs.slack.dev/reference/events/message/channel_name
 */
export type ChannelNotice =
  | { subtype: 'channel_join'; inviter?: string }
  | { subtype: 'channel_leave' }
  | { subtype: 'channel_name'; old_name: string; name: string };

export type Reaction = { name: string; users: string[] };

export type StoredMessage = {
  channel: string;
  ts: string;
  threadTs?: string;
  userId: string;
  botId?: string;
  username?: string;
  text: string;
  /** For a message that a person typed. */
  clientMsgId?: string;
  blocks: Block[];
  attachments?: Attachment[];
  fileIds: string[];
  editedTs?: string;
  broadcast: boolean;
  tombstone: boolean;
  /** Set on messages that Slack wrote, in the name of the person who joined, left or renamed the channel. */
  notice?: ChannelNotice;
  reactions?: Reaction[];
  /** For an ephemeral message: the one member who sees it. */
  onlyFor?: string;
  metadata?: JsonObject;
  /** The custom step that it was posted for. */
  executionId?: string;
  notifies: string[];
  /** Element values by member; members don't see each other's. */
  inputs: { [memberId: string]: ViewInputs };
};

export type StoredView = {
  id: string;
  kind: 'modal' | 'home';
  userId: string;
  hash: string;
  rootId: string;
  previousId: string | null;
  /** The conversation that a modal was opened in, if any. */
  openedIn?: string;
  /** The view as sent by the app, with ids filled in. */
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
  /** Unset until the bytes arrive; the upload can't be completed before. */
  contentBase64?: string;
  /** The text for people who can't see an image. */
  altText?: string;
  /** Set by `files.completeUploadExternal`. */
  isComplete?: true;
  channels: string[];
  /** Seconds since the epoch. */
  created: number;
};

export type StoredWorkflowRun = {
  id: string;
  workflow: Workflow;
  startedBy: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** The answers in the form, by the fields' names. */
  answers: JsonObject;
  /** The executions of the steps so far: the last one still runs unless it has an end. */
  executionIds: string[];
  /** Undefined while it runs. */
  end: WorkflowEnd | undefined;
};

export type WorkflowEnd = { status: 'completed' } | { status: 'failed'; error: string } | { status: 'cancelled' };

/** A custom step of the app that a workflow has come to. */
export type FunctionExecution = {
  id: string;
  workflowRunId: string;
  declared: AppFunction;
  inputs: JsonObject;
  /** Undefined while it runs. */
  end: FunctionEnd | undefined;
};

export type FunctionEnd =
  | { status: 'completed'; outputs: JsonObject }
  | { status: 'failed'; error: string }
  | { status: 'cancelled' };
