import { z } from 'zod';
import type { AddressedEvent, Addresses, Run } from '../executions/run.ts';
import type { Answer, Outcome, Problem } from '../http/answer.ts';
import type { Json, JsonObject } from '../json.ts';
import type { KickoffRequest, ResumeRequest } from './parse-request.ts';

/** Everything in which services differ: what the specification leaves open, and where deployed services deviate. */
export interface Dialect {
  readonly name: DialectName;
  /** `in-place`: only a pending run is resumed, under its own id. `new-run`: each resume starts a run of its own. */
  readonly resumes: 'in-place' | 'new-run';
  /** True if the ids of tasks tell their names; otherwise they are UUIDs. */
  readonly hasTellingIds: boolean;
  /** The default number of delivery attempts per webhook. */
  readonly deliveryAttempts: number;
  /** The time in which the receiver of a webhook must answer, unless an option of the service says otherwise. */
  readonly answerLimitMs: number;
  parseKickoff(body: Json): Outcome<KickoffRequest>;
  parseResume(body: Json): Outcome<ResumeRequest>;
  /** The webhook addresses in effect after a resume. */
  addressesAfterResume(before: Addresses, resume: Addresses): Addresses;
  /** `run` is undefined if the id is unknown or hidden from the caller. */
  status(run: Run | undefined, id: string): Answer;
  /** `run` is the run that continues; undefined if none does. */
  resumed(run: Run | undefined, request: ResumeRequest): Answer;
  problem(problem: Problem): Answer;
  payload(event: AddressedEvent, run: Run): JsonObject;
  /** Payloads and answers, for the description of the service. */
  readonly schemas: Schemas;
}

type Schemas = {
  readonly kickoff: z.ZodType;
  readonly resume: z.ZodType;
  readonly status: z.ZodType;
  readonly resumed: z.ZodType;
  readonly problem: z.ZodType;
  readonly payloads: Readonly<Record<AddressedEvent['type'], z.ZodType>>;
};

export const anyJson = z.custom<Json>();

export const TOKEN_USAGE = z.object({
  total_tokens: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
});

export type DialectName = 'spec' | 'observed' | 'flows';

/** Returns the tokens that a run's tasks have used so far, in the words of deployed services. */
export function tokenUsage({ usage }: Run): z.infer<typeof TOKEN_USAGE> {
  const { promptTokens, completionTokens } = usage ?? { promptTokens: 0, completionTokens: 0 };
  return {
    total_tokens: promptTokens + completionTokens,
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
  };
}
