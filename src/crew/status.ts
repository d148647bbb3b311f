import { z } from 'zod';
import type { RawStatus } from '../core/ports.ts';
import type { Json } from '../core/values/json.ts';
import { judge, unread } from './answers.ts';
import type { CallOutcome } from './call.ts';
import {
  candidates,
  countField,
  isJsonObject,
  type JsonObject,
  outputText,
  parseJsonBody,
  pick,
  plainLine,
  resultOf,
  textField,
} from './payload.ts';

// Reads what a crew service says of a run, from the answers to polls and from webhooks.

const ERROR_LENGTH = 1_000;

/** Reads the result of a call of `GET /status/{kickoff_id}`. An answer that can't be read is an error. */
export function readStatus(outcome: CallOutcome): RawStatus {
  const verdict = judge(outcome);
  switch (verdict.kind) {
    case 'success': {
      const body = parseJsonBody(verdict.text);
      return (body && parseStatus(body.value)) ?? { kind: 'error' };
    }
    case 'refused':
      if (verdict.code === 'not-found') return { kind: 'not-found' };
      return { kind: verdict.code === 'unauthorized' ? 'unauthorized' : 'error' };
    case 'unavailable':
    case 'unknown':
      return unread(verdict);
  }
}

/** Reads a 2xx answer to `GET /status/{kickoff_id}` in either shape; null if it isn't a status. */
export function parseStatus(body: Json): RawStatus | null {
  const payload = candidates(body).find((each) => wordOf(each) !== null);
  if (!payload) return null;
  const kind = WAITING.test(wordOf(payload) ?? '') ? 'waiting' : 'running';
  return parseOutcome(payload) ?? { kind, ...progressOf(payload) };
}

type Outcome = Extract<RawStatus, { kind: 'completed' | 'failed' | 'not-found' }>;

/** Reads the end of a run; null if these fields don't say that it has ended. */
export function parseOutcome(payload: JsonObject): Outcome | null {
  const word = wordOf(payload);
  if (word === null) return null;
  if (COMPLETED.includes(word)) return { kind: 'completed', text: resultOf(payload) };
  if (FAILED.includes(word)) return { kind: 'failed', error: errorOf(payload) };
  if (ENDED_OTHERWISE.includes(word)) return { kind: 'failed', error: namingStatus(payload) };
  return word === 'not found' ? { kind: 'not-found' } : null;
}

const COMPLETED = ['success', 'succeeded', 'completed', 'complete'];
const WAITING = /^paused|^pending human|^await|^waiting/;
const FAILED = ['failed', 'failure', 'error', 'errored'];
/** Somebody or something has ended the run. People see the service's own word for it. */
const ENDED_OTHERWISE = ['revoked', 'cancelled', 'canceled', 'stopped', 'terminated', 'aborted', 'killed'];

/** Returns the state in lower case with single spaces: `NOT_FOUND` and `Not Found` are the same. */
function wordOf(payload: JsonObject): string | null {
  const word = textField.parse(pick(payload, 'state', 'status') ?? null)?.toLowerCase();
  return (
    word
      ?.split(/[\s_-]+/)
      .filter(Boolean)
      .join(' ') ?? null
  );
}

/** Returns the error of a failed run. `status` is the message beside `state` in shape A, and the state itself in shape B. */
function errorOf(payload: JsonObject): string {
  const message = pick(payload, 'state') === undefined ? undefined : pick(payload, 'status');
  const error = pick(payload, 'error') ?? message ?? pick(payload, 'message', 'detail');
  const inner = isJsonObject(error) ? pick(error, 'message', 'detail', 'error') : undefined;
  return plainLine(outputText(inner ?? error), ERROR_LENGTH);
}

/** Returns the state as the service writes it, and the reason if it gives one. */
function namingStatus(payload: JsonObject): string {
  const state = plainLine(outputText(pick(payload, 'state', 'status')), ERROR_LENGTH);
  const error = errorOf(payload);
  return error === '' || error === state ? state : plainLine(`${state}: ${error}`, ERROR_LENGTH);
}

const progress = z.object({ completed: countField, total: countField, current: textField });

function progressOf(payload: JsonObject): z.infer<typeof progress> {
  const reported = pick(payload, 'progress');
  const counts = isJsonObject(reported) ? reported : {};
  const current =
    pick(counts, 'current', 'current_task', 'currentTask') ?? pick(payload, 'current_task', 'currentTask');
  const read = progress.parse({
    completed: pick(counts, 'completed', 'completed_tasks', 'completedTasks') ?? null,
    total: pick(counts, 'total', 'total_tasks', 'totalTasks') ?? null,
    current: (isJsonObject(current) ? pick(current, 'name') : current) ?? null,
  });
  return { ...read, current: read.current && plainLine(read.current, 200) };
}
