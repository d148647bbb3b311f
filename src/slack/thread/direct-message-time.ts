import type { Execution } from '../../core/execution/execution.ts';
import { isToldAtOnce, quietUntil } from '../../core/inbox/person-settings.ts';
import { directMessageOf, type Message } from '../../core/messages/message.ts';
import type { PostOutcome } from '../../core/messages/post.ts';
import type { Millis } from '../../core/time.ts';
import type { RenderPorts } from './render-ports.ts';

/** People change their settings, and travel. */
const MOST_WAIT_MS = 30 * 60_000;

/** Why a direct message isn't posted now: its person has quiet hours, or no longer wants it. Null if it is. */
export async function whyNotNow(
  { settings, timeZoneOf }: Pick<RenderPorts, 'settings' | 'timeZoneOf'>,
  execution: Execution,
  message: Extract<Message, { kind: 'direct-message' }>,
  now: Millis,
): Promise<Extract<PostOutcome, { kind: 'gone' | 'later' }> | null> {
  const chosen = await settings.find(message.to).catch(() => null);
  if (chosen === null) return { kind: 'later', waitMs: null };
  const { reason } = directMessageOf(execution, message) ?? {};
  if (reason === 'setting' && !isToldAtOnce(chosen, now)) return { kind: 'gone' };
  if (chosen.quiet === null) return null;
  const timeZone = await timeZoneOf(message.to);
  if (timeZone === null) return { kind: 'later', waitMs: null };
  const until = quietUntil(chosen.quiet, now, timeZone);
  return until === null ? null : { kind: 'later', waitMs: Math.min(until - now, MOST_WAIT_MS) };
}
