// The callback of a flow's request for feedback, in the words of deployed services:
// https://docs.crewai.com/en/enterprise/features/flow-hitl-management#responding-to-requests
import { createHash, timingSafeEqual } from 'node:crypto';
import { parseFeedback } from '../dialects/parse-request.ts';
import type { Executions } from '../executions/executions.ts';
import type { FeedbackAnswer } from '../executions/run.ts';
import { type Answer, andThen, answerJson, messageOf, statusOf } from './answer.ts';
import { type JsonRequest, readJson } from './json-request.ts';

/** `id` is the request for feedback that it answers. */
type Callback = JsonRequest & { readonly crew: string; readonly id: string; readonly responseToken: string };

/**
 * Takes an answer, if it is the first one. Its token serves one answer and is void after that; 409 is for a caller who was
 * overtaken by the dashboard.
 */
export async function takeFeedback(callback: Callback, executions: Executions): Promise<Answer> {
  const run = await executions.askedIn(callback.id);
  const request = run?.crew === callback.crew ? run.requests?.find(({ id }) => id === callback.id) : undefined;
  if (!request) return answerJson(404, { error: 'not_found', message: 'Human feedback request not found' });
  if (!isSame(callback.responseToken, request.token)) return VOID_TOKEN;
  if (request.answer) return refusal(request.answer);
  const feedback = andThen(readJson(callback), parseFeedback);
  if (!feedback.ok) {
    const error = feedback.problem.kind.replaceAll('-', '_');
    return answerJson(statusOf(feedback.problem), { error, message: messageOf(feedback.problem) });
  }
  const { taken, answer } = await executions.answer(request.id, { ...feedback.value, via: 'callback' });
  return taken ? accepted(request.id, answer) : refusal(answer);
}

const VOID_TOKEN = answerJson(401, { error: 'unauthorized', message: 'Invalid response token' });

/** In constant time. */
function isSame(candidate: string, token: string): boolean {
  const hashOf = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hashOf(candidate), hashOf(token));
}

function accepted(id: string, { feedback, outcome, source, at }: FeedbackAnswer): Answer {
  const responded = { responded_at: new Date(at).toISOString(), responded_via: source ?? 'api' };
  return answerJson(200, {
    status: 'accepted',
    request: { id, status: 'responded', feedback, outcome, ...responded },
  });
}

function refusal({ via, at }: FeedbackAnswer): Answer {
  if (via === 'callback') return VOID_TOKEN;
  const message = `Feedback already provided via dashboard at ${new Date(at).toISOString()}`;
  return answerJson(409, { error: 'already_responded', message });
}
