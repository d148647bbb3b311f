import { type Execution, hasEnded } from '../../core/execution/execution.ts';
import type { Message } from '../../core/messages/message.ts';
import { rootChange } from '../../core/messages/root-change.ts';
import type { ThreadPort } from '../../core/ports.ts';
import type { RateLimiter } from '../api/rate-limiter.ts';
import type { RateLimiters } from '../api/rate-limits.ts';
import { ProgressDelays } from './progress-delays.ts';
import { postingRank, updatingRank } from './ranks.ts';

/** The longest wait for a turn under Slack's rate limits; a call that would wait longer is due later instead. */
const MAX_TURN_WAIT_MS = 4_000;

/** When each call to Slack may be made. */
interface Turns {
  turn: ThreadPort['turn'];
  limiter(call: 'post' | 'update', execution: Execution, message: Message): RateLimiter;
  /** A message is shown as it is now. */
  shown(execution: Execution, message: Message): void;
}

export function createTurns(rateLimiters: RateLimiters): Turns {
  const delays = new ProgressDelays();

  const limiter: Turns['limiter'] = (call, { channel }, message) =>
    call === 'post'
      ? rateLimiters.posting(message.kind === 'direct-message' ? message.to : channel)
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
