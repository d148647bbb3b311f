import type { Json } from './json.ts';

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
