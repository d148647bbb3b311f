import type { RespondFn } from '@slack/bolt';
import { ok, type Result, refuse } from '../../core/values/result.ts';
import type { Rendered } from '../ui/blocks.ts';
import { errorCode } from './errors.ts';

/** Slack refused an answer to a `response_url`. Never holds the URL, which is a secret. */
export class ResponseUrlRefusal extends Error {
  override name = 'ResponseUrlRefusal';
  readonly status: number;
  readonly reason: string | null;

  constructor({ status, reason }: { status: number; reason: string | null }) {
    super(`Slack refused an answer (${status}).`);
    this.status = status;
    this.reason = reason;
  }
}

interface RespondFailure {
  /** Null if Slack didn't answer. */
  status: number | null;
  reason: string | null;
}

/** Answers a request with a message that only its person sees, by Bolt's `respond`. Never rejects. */
export async function respondPrivately(respond: RespondFn, message: Rendered): Promise<Result<null, RespondFailure>> {
  try {
    await respond({ response_type: 'ephemeral', ...message });
    return ok(null);
  } catch (error) {
    if (error instanceof ResponseUrlRefusal) return refuse({ status: error.status, reason: error.reason });
    return refuse({ status: null, reason: reasonOf(error) });
  }
}

const WITHOUT_TOKEN_MS = 2_000;

/**
 * Shows a message to the person who clicked while Slack refuses the bot token, which a `response_url` doesn't need. Without
 * `thread_ts` the message would appear in the channel:
 * https://github.com/slackapi/node-slack-sdk/issues/674. Never rejects.
 */
export function respondWithoutToken(
  url: string,
  message: Rendered,
  threadTs: string | null,
): Promise<Result<null, RespondFailure>> {
  const respond: RespondFn = async (content) => answerToResponseUrl(url, JSON.stringify(content), WITHOUT_TOKEN_MS);
  const place = { replace_original: false, ...(threadTs !== null && { thread_ts: threadTs }) };
  return respondPrivately(respond, { ...message, ...place });
}

/** @throws {ResponseUrlRefusal} or what fetch throws. https://docs.slack.dev/interactivity/handling-user-interaction#message_responses */
export async function answerToResponseUrl(url: string, body: string, timeoutMs: number): Promise<Response> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  // Slack's code, as in `{"ok":false,"error":"expired_url"}`.
  const reason = /"error"\s*:\s*"(\w+)"/.exec(await answer.clone().text())?.[1] ?? null;
  if (!answer.ok || reason !== null) throw new ResponseUrlRefusal({ status: answer.status, reason });
  return answer;
}

/** Returns a code or class name, never the message, which may quote the URL. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return errorCode(cause) ?? (cause instanceof Error ? cause.name : 'unknown');
}
