// The crew services over HTTP: kickoffs, resumes, status and inputs.

import type { Logger } from 'pino';
import type { InputsAnswer } from '../core/execution/events.ts';
import { type Crew, type DeployedCrew, isDeployed } from '../core/policy/crew.ts';
import type { CallbackKey, CrewPort, KickoffCall, OnBehalf, ResumeCall, TokenCheck } from '../core/ports.ts';
import type { Inputs, Json } from '../core/values/json.ts';
import {
  judge,
  kickoffAnswer,
  NOT_CONFIGURED_MS,
  resumeAnswer,
  tokenAnswer,
  unsendable,
  type Verdict,
} from './answers.ts';
import { type Call, type CallOutcome, createCaller, createWatchCall, type ObservedCall } from './call.ts';
import { type CallbackSettings, type CallbackSource, callbackSettings } from './credentials.ts';
import { createInputsReader } from './inputs.ts';
import { expectedManner, isMisunderstood, type Manner, mannerAskedFor, RESUME_NAMES } from './manner.ts';
import { readStatus } from './status.ts';

export interface CrewClientOptions extends CallbackSource {
  crews: readonly Crew[];
  /** Default: nobody has connected a token. */
  tokenOf?: TokenOf;
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

/** No method throws, and none repeats a call that could then take effect twice. */
export interface CrewClient extends CrewPort, TokenCheck {
  /** Returns the names of a crew's inputs, cached for a short time. */
  inputs(crew: string): Promise<InputsAnswer>;
  /** Returns the manner in which a crew's service has answered so far. */
  mannerOf(crew: string): Manner;
  close(): Promise<void>;
}

export function createCrewClient(options: CrewClientOptions): CrewClient {
  const { log, observe, tokenOf = async () => null } = options;
  const limits = { ...CALL_LIMITS, ...options.limits };
  const crews = new Map(options.crews.filter(isDeployed).map((crew) => [crew.name, crew]));
  const manners = new Map<string, Manner>();
  const caller = createCaller();
  const watch = createWatchCall(log, observe);
  const inputs = createInputsReader((crew) => get(crew, { path: '/inputs', mostBytes: MOST_ANSWER_BYTES }), {
    onSkipped: (crew, names) =>
      log.warn({ crew, names }, 'a crew reports inputs with unusable names: they are left out'),
  });

  async function post(crew: DeployedCrew, request: Pick<Call, 'path' | 'body' | 'until'> & { token: string }) {
    const call = { ...request, method: 'POST', baseUrl: crew.baseUrl, mostBytes: MOST_ANSWER_BYTES } as const;
    return warnOfFailure(crew, call, await caller.once(call));
  }

  async function get(crew: DeployedCrew, request: Pick<Call, 'path' | 'mostBytes'> & { token?: string }) {
    const until = performance.now() + limits.readMs;
    const call = { token: crew.token, ...request, method: 'GET', baseUrl: crew.baseUrl, until } as const;
    return warnOfFailure(crew, call, await caller.repeatable(call));
  }

  /** A 404 is no failure: services forget runs. */
  function warnOfFailure(crew: DeployedCrew, { path, token }: Call, outcome: CallOutcome): CallOutcome {
    const call = { crew: crew.name, path, ...(token !== crew.token && { withTokenOf: 'a person' }) };
    if (outcome.kind !== 'answered') {
      log.warn({ ...call, outcome: outcome.kind, reason: outcome.reason }, 'the crew service did not answer');
    } else if (outcome.status >= 300 && outcome.status !== 404) {
      log.warn({ ...call, status: outcome.status }, 'the crew service answered with an error');
    }
    return outcome;
  }

  const mannerOf = (crew: DeployedCrew): Manner => manners.get(crew.name) ?? expectedManner(crew);

  /**
   * Sends a call in the manner that the service takes. A call that is refused for its form had no effect, so it may go again in the form
   * that the refusal asks for. All tries share one timeout, and nothing is sent twice.
   */
  async function sendAdapted(
    crew: DeployedCrew,
    { path, token, bodyIn }: { path: string; token: string; bodyIn: (manner: Manner) => string },
  ): Promise<Verdict> {
    const until = performance.now() + limits.effectMs;
    const bodies = new Set<string>();
    const send = async (manner: Manner): Promise<Verdict> => {
      const body = bodyIn(manner);
      bodies.add(body);
      const verdict = judge(await post(crew, { path, token, body, until }), crew);
      if (verdict.kind === 'refused' && isMisunderstood(verdict)) {
        const next = mannerAskedFor(verdict, manner);
        return bodies.has(bodyIn(next)) ? verdict : send(next);
      }
      manners.set(crew.name, manner);
      return verdict;
    };
    return send(mannerOf(crew));
  }

  const sendResume = (crew: DeployedCrew, call: CallbackKey & ResumeCall, token: string): Promise<Verdict> =>
    sendAdapted(crew, {
      path: '/resume',
      token,
      bodyIn: ({ names, humanInput }) =>
        resumeBody(call, callbackSettings(options, call, { humanInput, events: 'addresses' }), names),
    });

  const sendKickoff = (crew: DeployedCrew, call: CallbackKey & KickoffCall, token: string): Promise<Verdict> =>
    sendAdapted(crew, {
      path: '/kickoff',
      token,
      bodyIn: (manner) => kickoffBody(call.inputs, callbackSettings(options, call, manner)),
    });

  return {
    kickoff: (name, call) =>
      watch({ crew: name, method: 'kickoff', ref: call.ref }, async () => {
        const crew = crews.get(name);
        if (!crew) return { kind: 'unavailable', reason: 'unreachable', waitMs: NOT_CONFIGURED_MS };
        const send = (token: string) => sendKickoff(crew, call, token);
        const answer = kickoffAnswer(await sendAs({ tokenOf, log }, { crew, as: call.as }, send));
        if (answer.kind === 'refused') inputs.forget(name);
        return answer;
      }),
    resume: (name, call) =>
      watch({ crew: name, method: 'resume', ref: call.ref, hop: call.hop }, async () => {
        const crew = crews.get(name);
        // Another process may know it, or this one after a restart.
        if (!crew) return { kind: 'unavailable', reason: 'unreachable', waitMs: NOT_CONFIGURED_MS };
        // A service may accept a resume of an unknown execution, which would lose the decision.
        if (call.executionId === '') return unsendable(NO_EXECUTION);
        const send = (token: string) => sendResume(crew, call, token);
        return resumeAnswer(await sendAs({ tokenOf, log }, { crew, as: call.as }, send));
      }),
    status: (name, kickoffId) =>
      watch({ crew: name, method: 'status', kickoffId }, async () => {
        const crew = crews.get(name);
        if (!crew) return { kind: 'unreachable' };
        const path = `/status/${encodeURIComponent(kickoffId)}`;
        return readStatus(await get(crew, { path, mostBytes: MOST_STATUS_BYTES }));
      }),
    inputs: (name) =>
      watch({ crew: name, method: 'inputs' }, async () => {
        const crew = crews.get(name);
        return crew ? inputs.read(crew) : { kind: 'refused', code: 'other', detail: NOT_CONFIGURED };
      }),
    checkToken: (name, token) =>
      watch({ crew: name, method: 'inputs' }, async () => {
        const crew = crews.get(name);
        if (!crew) return { kind: 'refused', code: 'other' };
        return tokenAnswer(judge(await get(crew, { path: '/inputs', token, mostBytes: MOST_ANSWER_BYTES })));
      }),
    mannerOf(name) {
      const crew = crews.get(name);
      if (!crew) throw new RangeError(`There is no crew ${name}.`);
      return mannerOf(crew);
    },
    close: () => caller.close(),
  };
}

const NOT_CONFIGURED = 'This crew is not configured here.';
const NO_EXECUTION = 'The service has not said yet which execution this is.';

function kickoffBody(inputs: Inputs, callbacks: object): string {
  const sanitize = (_: string, value: Json) => (typeof value === 'string' ? value.toWellFormed() : value);
  return JSON.stringify({ inputs, ...callbacks }, sanitize);
}

/** Sends a call with the person's own token if they have one, or else with the crew's. A refusal isn't retried with the other. Never throws. */
async function sendAs(
  { tokenOf, log }: { tokenOf: TokenOf; log: Logger },
  { crew, as }: { crew: DeployedCrew; as: OnBehalf | null },
  send: (token: string) => Promise<Verdict>,
): Promise<Verdict> {
  if (as === null) return send(crew.token);
  let own: string | null;
  try {
    own = await tokenOf(crew.name, as.personId);
  } catch (error) {
    log.warn({ crew: crew.name, personId: as.personId, err: error }, 'could not look up the token of a person');
    return { kind: 'unavailable', reason: 'unreachable', waitMs: null };
  }
  if (own !== null) return blameTheirToken(await send(own));
  return as.ownTokenOnly || crew.requireUserToken ? NO_TOKEN : send(crew.token);
}

const NOTHING_SAID = { detail: '', missingInputs: [], fields: [], isQuota: false };
const NO_TOKEN: Verdict = { kind: 'refused', status: 0, code: 'no-user-token', error: NOTHING_SAID };

function blameTheirToken(verdict: Verdict): Verdict {
  const isRefused = verdict.kind === 'refused' && verdict.code === 'unauthorized';
  return isRefused ? { ...verdict, code: 'user-token-refused' } : verdict;
}

/** Returns the token that a person has connected to a crew, or null. Rejects if that can't be looked up. */
type TokenOf = (crew: string, personId: string) => Promise<string | null>;

/** Returns the body of `POST /resume` (specification, section 2.4), which repeats all webhook settings. */
function resumeBody(call: ResumeCall, callbacks: CallbackSettings, style: Manner['names']): string {
  const names = RESUME_NAMES[style];
  return JSON.stringify({
    [names.executionId]: call.executionId,
    [names.taskId]: call.taskId,
    [names.feedback]: call.feedback.toWellFormed(),
    [names.isApprove]: call.isApprove,
    ...callbacks,
  });
}
