import type { NewBlock } from '../block-kit/check-message.ts';
import type { Outgoing, Transport } from '../delivery/transport.ts';
import type { JsonObject } from '../json.ts';
import type { PageControls } from '../page-controls.ts';
import { channelById } from '../state/channels.ts';
import { nextId, nextTs } from '../state/identifiers.ts';
import type { StoredChannel, StoredMember, WorkspaceState } from '../state/workspace-state.ts';
import type { Faults } from './faults.ts';
import type { FunctionExecutions } from './function-executions.ts';
import type { ResponseUrls, Tickets, Triggers } from './grants.ts';
import type { AppSettings } from './installed-app.ts';
import type { RateLimits } from './rate-limits.ts';
import type { ThreadStatuses } from './thread-statuses.ts';
import type { WireLog } from './wire-log.ts';

export type Features = {
  /** The blocks that Slack hasn't given to this workspace. */
  missingBlocks: readonly NewBlock[];
  /** The time after its posting in which a message can be edited, in milliseconds; null for ever. */
  editWindowMs: number | null;
  /** `valid`, or the error by which the app's bot token is refused. */
  botToken: 'valid' | 'token_revoked' | 'account_inactive';
};

/** A running workspace: its state, and everything that doesn't survive a restart. */
export type Workspace = {
  readonly state: WorkspaceState;
  readonly app: AppSettings;
  /** Features that not every workspace has. */
  readonly features: Features;
  readonly wire: WireLog;
  readonly triggers: Triggers;
  readonly tickets: Tickets;
  readonly responseUrls: ResponseUrls;
  readonly faults: Faults;
  /** Undefined if rate limits are off. */
  readonly limits: RateLimits | undefined;
  /** The custom steps that workflows have come to. */
  readonly executions: FunctionExecutions;
  readonly statuses: ThreadStatuses;
  readonly transport: Transport;
  readonly pageControls: PageControls;
  /** The server's base URL, without a trailing slash. */
  readonly origin: () => string;
  readonly now: () => number;
  /** Increases with every change. */
  readonly revision: () => number;
  /** Call after every change: updates the pages and the state file. */
  readonly touch: () => void;
  readonly onChange: (listener: () => void) => () => void;
  /** After how long each an event is delivered again that the app didn't acknowledge. */
  readonly eventRetriesMs: readonly number[];
  /** The events that wait for that. */
  readonly retrying: Set<JsonObject>;
  /** Recent deliveries to the app, oldest first, for redelivery. */
  readonly delivered: Outgoing[];
  /** Aborted when the workspace ends. */
  readonly ended: AbortSignal;
};

export const newTs = (workspace: Workspace): string => nextTs(workspace.state, workspace.now());
/** Now, in whole seconds since the epoch, as most of Slack's objects have it. */
export const nowSeconds = (workspace: Pick<Workspace, 'now'>): number => Math.floor(workspace.now() / 1000);
export const newId = (workspace: Workspace, letter: string): string => nextId(workspace.state, letter);

/** Throws if there is no such member: callers must have checked. */
export function memberById(workspace: Workspace, id: string): StoredMember {
  const match = workspace.state.members.find((member) => member.id === id);
  if (!match) throw new Error(`no member ${id} in the workspace`);
  return match;
}

/** Throws if there is no such channel: callers must have checked. */
export function channelOf(workspace: Workspace, id: string): StoredChannel {
  const channel = channelById(workspace.state, id);
  if (!channel) throw new Error(`no channel ${id} in the workspace`);
  return channel;
}
