// The line below a thread that says what an agent is doing: https://docs.slack.dev/reference/methods/assistant.threads.setStatus
import { WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Crew } from '../../core/policy/crew.ts';
import type { ActivityLog, ThreadPort } from '../../core/ports.ts';
import { type Execution, threadTsOf } from '../../core/state/execution.ts';
import { mayPassSoon, slackErrorName } from '../api/errors.ts';
import type { RateLimiter } from '../api/rate-limiter.ts';
import { RecentRefusal } from '../api/recent-refusal.ts';
import { stepWords } from '../features/run/step-text.ts';
import type { Sayings } from '../language/say.ts';
import { withoutBrackets } from '../ui/text/escape.ts';

/** An agent that was silent for longer may have stopped working without a word. */
const SILENT_MS = 15 * 60_000;
const MOST_THREADS = 10_000;
const REFUSED_MS = 10 * 60_000;
/** Slack documents no limit. */
const STATUS_LIMIT = 120;

/** These are about one thread: such as one whose first message was deleted. */
const OF_THREAD = new Set(['invalid_thread_ts', 'channel_not_found', 'not_in_channel', 'is_archived', 'no_permission']);

interface StatusPorts {
  client: WebClient;
  activity: ActivityLog;
  crews: ReadonlyMap<string, Crew>;
  sayings: Sayings;
  limiter: RateLimiter;
  log: Logger;
}

/** Statuses are never tried again, and give way to each other where there are too many: the next one says more. */
export function createThreadStatus({
  client,
  activity,
  crews,
  sayings,
  limiter,
  log,
}: StatusPorts): Pick<ThreadPort, 'showStatus' | 'clearStatus'> {
  const workspace = new RecentRefusal();
  const threads = new LRUCache<string, true>({ max: MOST_THREADS, ttl: REFUSED_MS });
  const isRefused = ({ ref }: Execution) => workspace.isRefused || threads.has(ref);

  const set = async (execution: Execution, status: { status: string; loading_messages?: string[] }): Promise<void> => {
    const threadTs = threadTsOf(execution);
    if (threadTs === null || isRefused(execution)) return;
    const { ref, channel } = execution;
    try {
      await client.assistant.threads.setStatus({ channel_id: channel, thread_ts: threadTs, ...status });
    } catch (error) {
      if (error instanceof WebAPIRateLimitedError) return void (await limiter.backOff(error.retryAfter * 1_000));
      if (mayPassSoon(error)) return;
      const slackError = slackErrorName(error);
      if (OF_THREAD.has(slackError ?? '')) threads.set(ref, true);
      else workspace.refuse();
      log.info({ ref, slackError }, 'Slack takes no status for a thread, so its first message tells what agents do');
    }
  };

  return {
    async showStatus(execution) {
      const { ref, crew } = execution;
      if (isRefused(execution)) return 'refused';
      const [step] = await activity.latest(ref, 1);
      if (!step || Date.now() - step.at > SILENT_MS) return 'silent';
      if (!(await limiter.turn('card', 0))) return 'told';
      const say = sayings.ofNamed(crews, crew);
      const words = withoutBrackets(say('step.now', { step: stepWords(step, STATUS_LIMIT, say) }));
      // The status is read after the app's name, a loading message in place of both.
      await set(execution, { status: say('step.status', { step: words }), loading_messages: [words] });
      return isRefused(execution) ? 'refused' : 'told';
    },
    clearStatus: (execution) => set(execution, { status: '' }),
  };
}
