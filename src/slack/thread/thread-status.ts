// The line below a thread that says what an agent is doing: https://docs.slack.dev/reference/methods/assistant.threads.setStatus
import { WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Crew } from '../../core/policy/crew.ts';
import type { ActivityLog, ThreadPort } from '../../core/ports.ts';
import { type Execution, threadTsOf } from '../../core/state/execution.ts';
import { isTokenError, mayPassSoon, slackErrorName } from '../api/errors.ts';
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

/**
 * Slack refuses the method or the app with these errors, wherever the thread is. Every other error may be about one thread, channel or
 * workspace of an organisation. https://docs.slack.dev/reference/methods/assistant.threads.setStatus#errors
 */
const OF_INSTALLATION = new Set([
  'deprecated_endpoint',
  'method_deprecated',
  'missing_scope',
  'not_allowed_token_type',
  'unknown_method',
]);

interface StatusPorts {
  client: WebClient;
  activity: ActivityLog;
  crews: ReadonlyMap<string, Crew>;
  sayings: Sayings;
  limiter: RateLimiter;
  log: Logger;
}

/** Statuses are never tried again, and give way to each other if there are too many: the next one says more. */
export function createThreadStatus({
  client,
  activity,
  crews,
  sayings,
  limiter,
  log,
}: StatusPorts): Pick<ThreadPort, 'showStatus' | 'clearStatus'> {
  const installation = new RecentRefusal();
  const threads = new LRUCache<string, true>({ max: MOST_THREADS, ttl: REFUSED_MS });
  const isRefused = ({ ref }: Execution) => installation.isRefused || threads.has(ref);

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
      if (OF_INSTALLATION.has(slackError ?? '') || isTokenError(slackError)) installation.refuse();
      else threads.set(ref, true);
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
