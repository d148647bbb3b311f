import type { KickoffAnswer, ResumeAnswer, StatusReading } from '../../../src/core/execution/events.ts';
import type { CompletionAnswer } from '../../../src/core/execution/workflow-steps.ts';
import type { PostOutcome } from '../../../src/core/state/post.ts';
import { UNKNOWN_RUN } from '../../support/requests.ts';

const READINGS: StatusReading[] = [
  { kind: 'not-found' },
  { kind: 'running', completed: 1, total: 3, current: 'Draft' },
  { kind: 'waiting', completed: null, total: null, current: null },
  { kind: 'unreachable' },
  { kind: 'unauthorized' },
  { kind: 'failed', error: 'no paper' },
  { kind: 'completed', result: null },
];

/** What a poll finds: 6 is the end of the run. */
export function statusReading(number: number): StatusReading {
  return READINGS[number % READINGS.length] ?? { kind: 'not-found' };
}

/** 0 is success, in all of these. */
export function kickoffAnswer(number: number): KickoffAnswer {
  const answers: KickoffAnswer[] = [
    { kind: 'accepted', kickoffId: 'k1' },
    { kind: 'unavailable', reason: 'busy', waitMs: null },
    { kind: 'unknown', doubt: 'no-answer' },
    { kind: 'refused', refusal: { code: 'bad-request', detail: 'no', missing: [] } },
  ];
  return answers[number % 4] ?? { kind: 'unknown', doubt: 'no-answer' };
}

export function resumeAnswer(number: number, kickoffId: string): ResumeAnswer {
  const failure = { kind: 'refused', code: 'quota', status: 400, detail: 'no' } as const;
  const answers: ResumeAnswer[] = [
    { kind: 'accepted', kickoffId: number === 0 ? kickoffId : null },
    { kind: 'unavailable', reason: 'busy', waitMs: null },
    { kind: 'unknown' },
    { kind: 'refused', failure },
    { kind: 'refused', failure: UNKNOWN_RUN },
  ];
  return answers[number % 5] ?? { kind: 'unknown' };
}

export function postOutcome(number: number, shown: string, ts: string): PostOutcome {
  const outcomes: PostOutcome[] = [
    { kind: 'posted', ts, shown },
    { kind: 'later', waitMs: 5_000 },
    { kind: 'unknown' },
    { kind: 'gone' },
  ];
  return outcomes[number % 4] ?? { kind: 'unknown' };
}

export function completionAnswer(number: number): CompletionAnswer {
  const answers: CompletionAnswer[] = [
    { kind: 'taken' },
    { kind: 'later', waitMs: null },
    { kind: 'unknown' },
    { kind: 'over' },
  ];
  return answers[number % 4] ?? { kind: 'unknown' };
}
