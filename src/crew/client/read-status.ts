import type { RawStatus } from '../../core/ports.ts';
import { parseJsonBody } from '../payload/json-body.ts';
import type { CallOutcome } from './call.ts';
import { parseStatus } from './parse-status.ts';

/** What a call of `GET /status/{kickoff_id}` found out. Whatever can't be read counts as not reached. */
export function readStatus(outcome: CallOutcome): RawStatus {
  if (outcome.kind !== 'answered') return { kind: 'unreachable' };
  const { status, text } = outcome;
  if (status === 404) return { kind: 'not-found' };
  if (status === 401 || status === 403) return { kind: 'unauthorized' };
  const body = status >= 200 && status < 300 && text !== null ? parseJsonBody(text) : null;
  return (body && parseStatus(body.value)) ?? { kind: 'unreachable' };
}
