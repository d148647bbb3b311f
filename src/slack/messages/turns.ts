import { LRUCache } from 'lru-cache';
import { differsInRules, rootChange, wantedFor } from '../../core/messages/due-messages.ts';
import type { ThreadPort } from '../../core/ports.ts';
import { type Execution, findRequest, hasEnded, recipientOf } from '../../core/state/execution.ts';
import { type Message, postOf } from '../../core/state/message.ts';
import { allVotes, decisionOf, isOpen } from '../../core/state/request.ts';
import type { Rank, RateLimiter, RateLimiters } from '../api/rate-limiter.ts';

// Gives calls for messages their turn under Slack's rate limits, the most urgent first.

/** The longest wait for a turn under Slack's rate limits; a call that would wait longer is due later instead. */
const MAX_TURN_WAIT_MS = 4_000;

/** Turns of calls to Slack under its rate limits. */
interface Turns {
  turn: ThreadPort['turn'];
  limiter(call: 'post' | 'update', execution: Execution, message: Message): RateLimiter;
  /** Records that a message in Slack shows the current state. */
  shown(execution: Execution, message: Message): void;
}

export function createTurns(rateLimiters: RateLimiters): Turns {
  const delays = new ProgressDelays();

  const limiter: Turns['limiter'] = (call, execution, message) =>
    call === 'post'
      ? rateLimiters.posting(recipientOf(execution, message) ?? execution.channel)
      : rateLimiters.updating;

  return {
    limiter,
    async turn(call, execution, message) {
      const isProgress = call === 'update' && message.kind === 'root' && rootChange(execution) === 'progress';
      const waitMs = isProgress ? delays.waitMs(execution.channel, execution.ref) : 0;
      if (waitMs > 0) return waitMs;
      const rank = call === 'post' ? postingRank(execution, message) : updatingRank(execution, message);
      return (await limiter(call, execution, message).turn(rank, MAX_TURN_WAIT_MS)) ? null : MAX_TURN_WAIT_MS;
    },
    shown(execution, { kind }) {
      const { channel, ref } = execution;
      if (kind === 'root' && hasEnded(execution)) delays.forget(channel, ref);
      else if (kind === 'root') delays.updated(channel, ref);
    },
  };
}

/** Nothing can be posted in a thread before its root, so a root that a card is waiting for ranks as one. */
function postingRank({ requests }: Execution, { kind }: Message): Rank {
  switch (kind) {
    case 'card':
    case 'copy':
      return 'card';
    case 'root':
      return requests.some(isOpen) ? 'card' : 'reply';
    case 'follow-up':
    case 'alert':
    case 'direct-message':
    case 'notice':
    case 'task':
    case 'ending':
    case 'file':
      return 'reply';
  }
}

/**
 * Progress gives way to everything else: the next update shows it anyway. So do changed rules, which hundreds of cards may have
 * to state at once, the last update before a text is deleted, which nobody waits for, and direct messages to people who haven't
 * acted.
 */
function updatingRank(execution: Execution, message: Message): Rank {
  switch (message.kind) {
    case 'card':
    case 'copy': {
      if (execution.expiry?.isTold) return 'status';
      const post = postOf(execution, message);
      const isRulesOnly = post?.status === 'posted' && differsInRules(post.shown, wantedFor(execution, message));
      return isRulesOnly ? 'status' : 'card';
    }
    case 'direct-message':
      return hasActed(execution, message) ? 'reply' : 'status';
    case 'follow-up':
    case 'alert':
    case 'notice':
    case 'task':
    case 'ending':
    case 'file':
      return 'reply';
    case 'root':
      if (rootChange(execution) !== 'state') return 'status';
      return hasEnded(execution) ? 'end' : 'reply';
  }
}

/** Returns true if a person has decided or voted, perhaps in their direct message. */
function hasActed(execution: Execution, { approvalId, to }: Extract<Message, { kind: 'direct-message' }>): boolean {
  const request = findRequest(execution, approvalId);
  if (!request) return false;
  const decider = decisionOf(request)?.by;
  return decider?.id === to || allVotes(request.discussion).some(({ by }) => by.id === to);
}

/** A channel's updates that only show progress are this far apart. Each costs the workspace one of 50 a minute. */
const EVERY_MS = 5_000;
/** A run whose root wasn't updated for this long doesn't compete. */
const FORGOTTEN_AFTER_MS = 60_000;
const MAX_CHANNELS = 10_000;

/**
 * Spaces out the updates of roots that only show progress: the more runs share a channel, the longer each waits. So they
 * leave Slack's rates to cards and decisions.
 */
export class ProgressDelays {
  /** Time of each run's last update, by channel and ref, oldest first, on this process' monotonic clock. */
  readonly #updatedAt = new LRUCache<string, Map<string, number>>({ max: MAX_CHANNELS });

  /** Returns how long this run waits until it shows its progress, in milliseconds. */
  waitMs(channel: string, ref: string, now = performance.now()): number {
    const runs = this.#competing(channel, now);
    const updatedAt = runs.get(ref);
    return updatedAt === undefined ? 0 : Math.max(0, updatedAt + runs.size * EVERY_MS - now);
  }

  /** Records that the root of this run was updated, whatever it showed. */
  updated(channel: string, ref: string, now = performance.now()): void {
    const runs = this.#competing(channel, now);
    runs.delete(ref);
    runs.set(ref, now);
  }

  /** Records that a run has ended, so that it no longer competes. */
  forget(channel: string, ref: string): void {
    this.#updatedAt.get(channel)?.delete(ref);
  }

  #competing(channel: string, now: number): Map<string, number> {
    const runs = this.#updatedAt.get(channel) ?? new Map<string, number>();
    this.#updatedAt.set(channel, runs);
    for (const [ref, updatedAt] of runs) {
      if (now - updatedAt < FORGOTTEN_AFTER_MS) break;
      runs.delete(ref);
    }
    return runs;
  }
}
