import type { Addresses, Run, RunEvent } from '../executions/run.ts';
import type { Answer } from '../http/answer.ts';
import type { Outcome, Problem } from '../http/problem.ts';
import type { Json, JsonObject } from '../json.ts';
import { observedDialect } from './observed.ts';
import type { KickoffRequest, ResumeRequest } from './parse-request.ts';
import { specDialect } from './spec.ts';

/** What the specification leaves open, and what deployed services do otherwise. */
export interface Dialect {
  readonly name: DialectName;
  /** `in-place`: only a pending run is resumed, under its own id. `new-run`: each resume opens a run of its own. */
  readonly resumes: 'in-place' | 'new-run';
  /** How often a notification is tried when nobody said otherwise. */
  readonly deliveryAttempts: number;
  parseKickoff(body: Json): Outcome<KickoffRequest>;
  parseResume(body: Json): Outcome<ResumeRequest>;
  /** The addresses that are valid from a resume on. */
  addressesAfterResume(before: Addresses, given: Addresses): Addresses;
  /** `run` is undefined for an id that is unknown, or hidden from the caller. */
  status(run: Run | undefined, id: string): Answer;
  /** `run` is the run that goes on; undefined where nothing does. */
  resumed(run: Run | undefined, request: ResumeRequest): Answer;
  problem(problem: Problem): Answer;
  payload(event: RunEvent, run: Run): JsonObject;
}

export type DialectName = 'spec' | 'observed';

export const dialects: Readonly<Record<DialectName, Dialect>> = { spec: specDialect, observed: observedDialect };
