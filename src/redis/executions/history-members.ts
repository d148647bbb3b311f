import { z } from 'zod';
import type { DecidedRequest, EndedRun, Outcome } from '../../core/history.ts';
import { characterEnd } from '../../core/text.ts';
import type { Millis } from '../../core/time.ts';

/** There may be hundreds of thousands of them, and a name is only shown. */
const MOST_OF_TASK = 40;

/** By their numbers, which are never changed. */
const OUTCOMES = ['approve', 'reject', 'closed'] as const satisfies readonly Outcome[];

const count = z.number().int().nonnegative();

/** Ref, approval, crew, task, round, rounds, outcome, milliseconds from the request to its end, and who decided. */
const DECIDED = z
  .tuple([z.string(), z.string(), z.string(), z.string(), count, count, z.literal([0, 1, 2]), z.number()])
  .rest(z.string());

/** Ref, and who started it, unless it was started elsewhere. */
const ENDED = z.tuple([z.string(), z.string().nullable()]);

/** The name of a decided request in its index, whose score is the time of the decision. Names are foreign text, hence JSON. */
export function writeDecided(request: DecidedRequest): string {
  const { ref, approvalId, crew, task, round, rounds, outcome, by, askedAt, decidedAt } = request;
  const name = task.slice(0, characterEnd(task, MOST_OF_TASK));
  const head = [ref, approvalId, crew, name, round, rounds, OUTCOMES.indexOf(outcome), decidedAt - askedAt];
  return JSON.stringify([...head, ...by]);
}

/** Null for one that this version can't read. */
export function readDecided(member: string, decidedAt: Millis): DecidedRequest | null {
  const read = DECIDED.safeParse(jsonIn(member));
  if (!read.success) return null;
  const [ref, approvalId, crew, task, round, rounds, outcome, afterMs, ...by] = read.data;
  const askedAt = decidedAt - afterMs;
  return { ref, approvalId, crew, task, round, rounds, outcome: OUTCOMES[outcome], by, askedAt, decidedAt };
}

/** The name of a run in the index of those that have ended, whose score is the time of the end. */
export function writeEnded({ ref, startedBy }: EndedRun): string {
  return JSON.stringify([ref, startedBy]);
}

/** Null for one that this version can't read. */
export function readEnded(member: string, endedAt: Millis): EndedRun | null {
  const read = ENDED.safeParse(jsonIn(member));
  if (!read.success) return null;
  const [ref, startedBy] = read.data;
  return { ref, startedBy, endedAt };
}

function jsonIn(member: string): unknown {
  try {
    return JSON.parse(member);
  } catch {
    return null;
  }
}
