import { dueAt } from '../../core/due-actions.ts';
import { type Execution, hasEnded } from '../../core/execution/execution.ts';

const DAY_MS = 24 * 60 * 60_000;

export function daysInMs(days: number): number {
  return days * DAY_MS;
}

/**
 * Whether the record expires, counted from the change that made it so: once the run has ended, or once nothing more is
 * expected and nothing is due; what is due while it expires doesn't stop that. A record that awaits an answer of the crew never expires.
 */
export function mayExpire(execution: Execution): boolean {
  if (unansweredCalls(execution) > 0) return false;
  return hasEnded(execution) || (isQuiet(execution) && (execution.expiry !== null || dueAt(execution) === null));
}

/** The number of kickoffs and resumes that await their answer. */
export function unansweredCalls({ kickoff, approvals }: Execution): number {
  const kickoffs = kickoff.status === 'settled' ? 0 : 1;
  return kickoffs + approvals.filter(({ status }) => status === 'sending').length;
}

/** Whether nothing more is expected of it, although a webhook might still revive it. */
function isQuiet({ run, unfollowed }: Execution): boolean {
  if (unfollowed) return true;
  switch (run.status) {
    case 'not-started':
    case 'unconfirmed':
    case 'lost':
    case 'completed':
    case 'failed':
      return true;
    case 'starting':
    case 'running':
    case 'waiting':
      return false;
  }
}

/**
 * Lua: sets the lifetime of a record and of what lies beside it, in milliseconds ('' = for ever), and leaves in `live` the
 * one that now applies (-1 = for ever) and in `left` the one before. A record that is already expiring gets no more time:
 * otherwise a message that Slack never accepts would keep it for ever.
 */
export function setLifetime({ record, beside, liveMs }: { record: string; beside: string[]; liveMs: string }): string {
  return `
  local left, live = redis.call('PTTL', ${record}), tonumber(${liveMs}) or -1
  if live >= 0 and left >= 0 then live = math.min(live, left) end
  for _, key in ipairs({${[record, ...beside].join(', ')}}) do
    if live < 0 then redis.call('PERSIST', key)
    else redis.call('PEXPIRE', key, live) end
  end`;
}

/**
 * Lua: lets a key live as long as the record beside it. A key written before its record exists waits for it as long as
 * given; the script that creates the record then sets its lifetime.
 */
export function liveLikeRecord({ key, record, waitMs }: { key: string; record: string; waitMs: string }): string {
  return `
  local left = redis.call('PTTL', ${record})
  if left == -2 then redis.call('PEXPIRE', ${key}, ${waitMs})
  elseif left >= 0 then redis.call('PEXPIRE', ${key}, left) end`;
}
