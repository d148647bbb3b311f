import type { Snapshot } from './people-api.ts';
import type { WireEntry } from './wire-entry.ts';

/**
 * A session is a page that has not been reloaded. It sees the ephemeral messages that came since it began: “By nature,
 * ephemeral messages do not persist across reloads, desktop and mobile apps, or sessions.”
 * https://docs.slack.dev/reference/methods/chat.postEphemeral
 */
export type LiveUpdate =
  | { type: 'session'; session: string }
  | { type: 'snapshot'; snapshot: Snapshot }
  | { type: 'wire'; entry: WireEntry }
  | { type: 'heartbeat' };

/** The interval of live-update heartbeats. A longer silence means a broken connection. */
export const HEARTBEAT_MS = 1_000;
