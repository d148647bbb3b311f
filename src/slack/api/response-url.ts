import type { Result } from '../../core/result.ts';
import { ok, refuse } from '../../core/result.ts';
import type { Rendered } from '../ui/blocks.ts';
import type { ChartMessage } from '../ui/chart.ts';
import { INTERACTIVE_TIMEOUT_MS } from './clients.ts';
import { errorCode } from './errors.ts';
import type { ObservedSlackCall, ObserveSlackCall } from './observed-client.ts';

/** Why Slack didn't take an answer. Never holds the URL, which is a secret. */
interface RespondFailure {
  /** Null if Slack didn't answer. */
  status: number | null;
  /** Slack's error code, or why there was no answer. */
  reason: string | null;
}

/** Posts a message that only the person behind a request sees, to the request's `response_url`. Never throws. */
export type Respond = (url: string, message: Rendered | ChartMessage) => Promise<Result<null, RespondFailure>>;

export function createRespond({
  observe = () => {},
  timeoutMs = INTERACTIVE_TIMEOUT_MS,
}: {
  /** Called for each call, for metrics. */
  observe?: ObserveSlackCall;
  timeoutMs?: number;
} = {}): Respond {
  return async (url, message) => {
    const begin = performance.now();
    const failure = await post(url, { response_type: 'ephemeral', ...message }, timeoutMs);
    observe({ method: 'response_url', outcome: outcomeName(failure), durationMs: performance.now() - begin });
    return failure === null ? ok(null) : refuse(failure);
  };
}

/** https://docs.slack.dev/interactivity/handling-user-interaction#message_responses */
async function post(url: string, message: object, timeoutMs: number): Promise<RespondFailure | null> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const error = errorIn(await answer.text());
    return answer.ok && error === null ? null : { status: answer.status, reason: error };
  } catch (error) {
    return { status: null, reason: reasonOf(error) };
  }
}

function outcomeName(failure: RespondFailure | null): ObservedSlackCall['outcome'] {
  if (failure === null) return 'ok';
  if (failure.status === null) return 'no-answer';
  if (failure.status === 429) return 'rate-limited';
  return failure.status >= 500 ? 'server-error' : 'refused';
}

/** Slack's code, as in `{"ok":false,"error":"expired_url"}`. */
function errorIn(body: string): string | null {
  return /"error"\s*:\s*"(\w+)"/.exec(body)?.[1] ?? null;
}

/** By code or class: the message may quote the URL. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return errorCode(cause) ?? (cause instanceof Error ? cause.name : 'unknown');
}
