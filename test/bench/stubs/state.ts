import type { Json } from '../../../src/core/values/json.ts';
import { createRateLimits, type RateLimits } from './rate-limits.ts';

/** A message that a bot posted, as it sent it. */
export interface Posted {
  channel: string;
  ts: string;
  /** Monotonic, in milliseconds, comparable between the processes of one machine. */
  at: number;
  /** The arguments of chat.postMessage, as a form or JSON. */
  raw: string;
  /** The draft that it asks to approve; null for any other message. */
  draft: string | null;
}

/** A decision that reached the crew. */
export interface Resumed {
  taskId: string;
  at: number;
  raw: string;
}

/** A Home tab that was published. */
export interface Published {
  userId: string;
  at: number;
}

/** What the stubs were asked since they were last forgotten. */
export interface StubState {
  /** Calls of Slack's Web API by method, refused ones included. */
  calls: Record<string, number>;
  /** Calls that Slack would have rejected as too fast. */
  refused: number;
  posts: number;
  /** Posts that ask to approve a draft. */
  cards: number;
  posted: Posted[];
  /** When each message was first updated, by its ts. */
  updatedAt: Map<string, number>;
  resumed: Resumed[];
  published: Published[];
  /** The bodies of the kickoffs. */
  kickoffs: string[];
  /** How many tasks of an execution are completed, and how many it has, by its id. */
  progress: Map<string, [number, number]>;
  /** When Slack or a crew was last asked for anything but a status. */
  busyAt: number;
  limits: RateLimits | null;
  /** What a resume is answered with. */
  resumeStatus: number;
  numbers: number;
}

/** Answers one request to the path after the stub's own. */
export type Stub = (state: StubState, path: string, body: string) => StubAnswer | null;

export interface StubAnswer {
  status?: number;
  headers?: Record<string, string>;
  body: Json;
}

/** Messages beyond this many are counted, not kept. */
export const MOST_KEPT = 10_000;

export function createState(): StubState {
  return {
    ...{
      calls: {},
      refused: 0,
      posts: 0,
      cards: 0,
      posted: [],
      updatedAt: new Map(),
      resumed: [],
      published: [],
      kickoffs: [],
      progress: new Map(),
    },
    ...{ busyAt: monotonicMs(), limits: null, resumeStatus: 200, numbers: 0 },
  };
}

/** Everything that was asked, but not how to answer. */
export function forget(state: StubState): void {
  const { limits, resumeStatus, numbers } = state;
  Object.assign(state, createState(), { limits: limits && createRateLimits(), resumeStatus, numbers });
}

export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
