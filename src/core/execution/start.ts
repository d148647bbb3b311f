import { NO_ENTRIES } from '../ledger/entry.ts';
import { duePost } from '../messages/post.ts';
import type { Millis } from '../time.ts';
import { newAdoptionHold } from './adoption-hold.ts';
import type { Start } from './events.ts';
import type { Execution } from './execution.ts';
import { RECORD_VERSION } from './execution.ts';
import { firstPollAt } from './poll-schedule.ts';

/** An execution before its kickoff. */
export function startExecution(start: Start, now: Millis): Execution {
  return {
    ...blank(start.ref, start.crew, start.channel, now),
    origin: start.form === null ? { kind: 'command', by: start.by } : { kind: 'form', by: start.by, form: start.form },
    inputs: start.inputs,
    run: { status: 'starting' },
    kickoff: { status: 'due', tries: 0, notBefore: now },
  };
}

/**
 * An execution started elsewhere, known from its first notification. It is held while one of our own starts or resumes is
 * unanswered, since the answer may show that the run is ours.
 */
export function adoptExecution(
  found: { ref: string; crew: string; channel: string; held: 'held' | 'free' },
  now: Millis,
): Execution {
  return {
    ...blank(found.ref, found.crew, found.channel, now),
    origin: { kind: 'elsewhere', adoptionHold: found.held === 'held' ? newAdoptionHold(now) : null },
    inputs: {},
    run: { status: 'running' },
    kickoff: { status: 'settled' },
    poll: { nextAt: firstPollAt(now), count: 0, notFoundSince: null, waitingUnseen: 0, trouble: null },
  };
}

type Beginning = 'origin' | 'inputs' | 'run' | 'kickoff';

function blank(ref: string, crew: string, channel: string, now: Millis): Omit<Execution, Beginning> {
  return {
    version: RECORD_VERSION,
    ref,
    crew,
    channel,
    createdAt: now,
    kickoffIds: [],
    executionId: null,
    hop: 0,
    approvals: [],
    tasks: [],
    taskNames: [],
    progress: { completed: 0, total: null, current: null },
    activity: { seen: 0, refreshAt: null },
    poll: { nextAt: null, count: 0, notFoundSince: null, waitingUnseen: 0, trouble: null },
    root: duePost(now),
    followUp: null,
    ending: null,
    renderings: {},
    privateAnswers: [],
    starterNotice: { status: 'none' },
    unfollowed: null,
    missingCrew: null,
    expiry: null,
    limitsMet: [],
    ledger: NO_ENTRIES,
    ledgerEvents: [],
  };
}
