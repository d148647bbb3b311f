import type { Logger } from 'pino';
import type { Crew } from '../../core/crew.ts';
import type { InputsAnswer, ResumeAnswer } from '../../core/execution/crew-answers.ts';
import type { Inputs, Json } from '../../core/json.ts';
import type { CallbackKey, CrewPort, ResumeCall } from '../../core/ports.ts';
import { type CallbackSource, callbackSettings } from '../addresses.ts';

import { type CallOutcome, callOnce, createCaller } from './call.ts';
import { createInputsReader } from './inputs.ts';
import { createWatchCall, type ObservedCall } from './observe-call.ts';
import { readStatus } from './parse-status.ts';
import { dialectAskedFor, type ResumeDialect, resumeBody } from './resume-dialect.ts';
import { judge, kickoffAnswer, resumeAnswer, type Verdict } from './verdict.ts';

export interface CrewClientOptions extends CallbackSource {
  crews: readonly Crew[];
  log: Logger;
  /** Called after each call, for metrics. */
  observe?: (call: ObservedCall) => void;
  limits?: Partial<CallLimits>;
}

interface CallLimits {
  /** Timeout of a whole kickoff or resume; shorter than the claims of the core. */
  effectMs: number;
  /** Timeout of a status or inputs call. */
  readMs: number;
}

export const CALL_LIMITS: CallLimits = { effectMs: 30_000, readMs: 10_000 };
const MOST_ANSWER_BYTES = 1_048_576;
const MOST_STATUS_BYTES = 20 * 1_048_576;

/** The crew services over HTTP. No method throws, and none repeats a call that could then take effect twice. */
export interface CrewClient extends CrewPort {
  /** The names of a crew's inputs, cached for a short time. */
  inputs(crew: string): Promise<InputsAnswer>;
  close(): Promise<void>;
}

export function createCrewClient(options: CrewClientOptions): CrewClient {
  const { log, observe } = options;
  const limits = { ...CALL_LIMITS, ...options.limits };
  const crews = new Map(options.crews.map((crew) => [crew.name, crew]));
  const dialects = new Map<string, ResumeDialect>();
  const caller = createCaller();
  const watch = createWatchCall(log, observe);
  const inputs = createInputsReader((crew) => get(crew, '/inputs', MOST_ANSWER_BYTES), {
    onSkipped: (crew, names) =>
      log.warn({ crew, names }, 'a crew reports inputs with unusable names: they are left out'),
  });

  async function post(crew: Crew, path: string, body: string, signal: AbortSignal): Promise<CallOutcome> {
    const { baseUrl, token } = crew;
    const call = { method: 'POST', baseUrl, path, token, body, signal, mostBytes: MOST_ANSWER_BYTES } as const;
    return withWarning(crew, path, await callOnce(call));
  }

  async function get(crew: Crew, path: string, mostBytes: number): Promise<CallOutcome> {
    const { baseUrl, token } = crew;
    const call = {
      method: 'GET',
      baseUrl,
      path,
      token,
      signal: AbortSignal.timeout(limits.readMs),
      mostBytes,
    } as const;
    return withWarning(crew, path, await caller.call(call));
  }

  /** Warns the operator. A 404 is no problem by itself: services forget runs. */
  function withWarning(crew: Crew, path: string, outcome: CallOutcome): CallOutcome {
    const call = { crew: crew.name, path };
    if (outcome.kind !== 'answered') {
      log.warn({ ...call, outcome: outcome.kind, reason: outcome.reason }, 'the crew service did not answer');
    } else if (outcome.status >= 300 && outcome.status !== 404) {
      log.warn({ ...call, status: outcome.status }, 'the crew service answered with an error');
    }
    return outcome;
  }

  /** A 422 resumed nothing, so the other dialect may be tried; both tries share one timeout. */
  async function sendResume(crew: Crew, call: CallbackKey & ResumeCall): Promise<Verdict> {
    const signal = AbortSignal.timeout(limits.effectMs);
    const settings = callbackSettings(options, call);
    const dialect = dialects.get(crew.name) ?? 'snake';
    const first = judge(await post(crew, '/resume', resumeBody(dialect, call, settings), signal));
    const other = dialectAskedFor(first, dialect);
    if (!other) return first;
    const second = judge(await post(crew, '/resume', resumeBody(other, call, settings), signal));
    if (second.kind !== 'refused' || second.status !== 422) dialects.set(crew.name, other);
    return second;
  }

  return {
    kickoff: (name, call) =>
      watch({ crew: name, method: 'kickoff', ref: call.ref }, async () => {
        const crew = crews.get(name);
        if (!crew) return { kind: 'refused', refusal: { code: 'other', detail: NOT_CONFIGURED, missing: [] } };
        const body = kickoffBody(call.inputs, callbackSettings(options, call));
        const answer = kickoffAnswer(judge(await post(crew, '/kickoff', body, AbortSignal.timeout(limits.effectMs))));
        if (answer.kind === 'refused') inputs.forget(name);
        return answer;
      }),
    resume: (name, call) =>
      watch({ crew: name, method: 'resume', ref: call.ref, hop: call.hop }, async () => {
        const crew = crews.get(name);
        if (!crew) return unsendable(NOT_CONFIGURED);
        // A service may accept a resume of an unknown execution, which would lose the decision.
        return call.executionId === '' ? unsendable(NO_EXECUTION) : resumeAnswer(await sendResume(crew, call));
      }),
    status: (name, kickoffId) =>
      watch({ crew: name, method: 'status', kickoffId }, async () => {
        const crew = crews.get(name);
        if (!crew) return { kind: 'unreachable' };
        return readStatus(await get(crew, `/status/${encodeURIComponent(kickoffId)}`, MOST_STATUS_BYTES));
      }),
    inputs: (name) =>
      watch({ crew: name, method: 'inputs' }, async () => {
        const crew = crews.get(name);
        return crew ? inputs.read(crew) : { kind: 'refused', code: 'other', detail: NOT_CONFIGURED };
      }),
    close: () => caller.close(),
  };
}

const NOT_CONFIGURED = 'This crew is not configured here.';
const NO_EXECUTION = 'The service has not said yet which execution this is.';

function unsendable(detail: string): ResumeAnswer {
  return { kind: 'refused', failure: { kind: 'refused', code: 'other', status: 0, detail } };
}

function kickoffBody(inputs: Inputs, callbacks: object): string {
  const sanitize = (_: string, value: Json) => (typeof value === 'string' ? value.toWellFormed() : value);
  return JSON.stringify({ inputs, ...callbacks }, sanitize);
}
