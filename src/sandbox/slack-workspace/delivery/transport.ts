import type { JsonObject } from '../json.ts';

/** A delivery to the app. */
export type Outgoing = {
  kind: 'slash_commands' | 'interactive' | 'events_api';
  /** For the wire log: `block_actions`, `/kickoff`, `app_home_opened`… */
  name: string;
  payload: JsonObject;
  /** True if the app may answer with a body: commands, view submissions and, though nothing comes of it, clicks. */
  acceptsResponse: boolean;
  retry?: { attempt: number; reason: string };
};

/** `not_configured`: the app's settings say that it takes no such thing. */
type FailureReason = 'timeout' | 'unreachable' | 'http_error' | 'dropped' | 'not_configured';

/** The app's answer. `body` is '' if it only acknowledged. */
export type Delivered =
  | { ok: true; body: string }
  | { ok: false; reason: FailureReason; status?: number; noRetry?: boolean };

/** The way of deliveries to the app: HTTP requests or WebSocket envelopes. */
export type Transport = {
  deliver(outgoing: Outgoing): Promise<Delivered>;
  /** HTTP: whether the last delivery reached the app. Socket Mode: whether a connection is open. */
  reachable(): boolean;
  /** Works like `reachable`, but over HTTP it tries whether something listens. */
  probe(): Promise<boolean>;
};

/** https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response */
export const ACK_LIMIT_MS = 3_000;
const STEP_ACK_LIMIT_MS = 5_000;

/** Returns the time in which the app must acknowledge a delivery: a step alone may take longer (https://github.com/slackapi/bolt-python/pull/1348). */
export function ackLimitOf({ name }: Outgoing): number {
  return name === 'function_executed' ? STEP_ACK_LIMIT_MS : ACK_LIMIT_MS;
}
