import { createHash, timingSafeEqual } from 'node:crypto';
import type { Dialect } from '../dialects/dialect.ts';
import { parseFeedback } from '../dialects/parse-request.ts';
import { errorMessage } from '../error-message.ts';
import type { CrewCode } from '../executions/crew-code.ts';
import type { Executions } from '../executions/executions.ts';
import { type Caller, type FeedbackRequest, isFlow } from '../executions/run.ts';
import { isDeeperThan, type Json, parseJson } from '../json.ts';
import type { Store } from '../redis/store.ts';
import { bearerToken, challenge, NEEDS_ORGANISATION, type Revocations } from './access.ts';
import { type Answer, answerJson, messageOf, type Outcome, ok, type Problem, refuse, statusOf } from './answer.ts';
import { executionReport } from './execution-report.ts';

export type CrewRoute = 'inputs' | 'kickoff' | 'status' | 'resume' | 'executions' | 'respond';

/** A request below a crew's base URL; `id` is the variable path segment, '' for routes without one. */
export type CrewRequest = {
  readonly crew: string;
  readonly route: CrewRoute;
  readonly id: string;
  /** With which an answer to a request for feedback is taken, '' without one. */
  readonly responseToken: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whose token it came with, revoked or not; undefined for an unknown one. */
  readonly caller: Caller | undefined;
  /** Or why it can't be read. */
  readonly body: Outcome<string>;
};

type RoutesParts = {
  readonly crews: ReadonlyMap<string, CrewCode>;
  readonly dialect: Dialect;
  readonly revocations: Revocations;
  readonly executions: Executions;
  readonly store: Store;
};

/** What can be read can be asked for without its content: https://www.rfc-editor.org/rfc/rfc9110#section-9.3.2 */
const READ = ['GET', 'HEAD'];

const METHODS: Readonly<Record<CrewRoute, readonly string[]>> = {
  inputs: READ,
  kickoff: ['POST'],
  status: READ,
  resume: ['POST'],
  executions: READ,
  respond: ['POST'],
};

/** Serves section 4 of the specification, and `GET /executions/{id}` for debugging. */
export function createRoutes(parts: RoutesParts): (request: CrewRequest) => Promise<Answer> {
  const { crews, dialect, revocations } = parts;
  return async (request) => {
    const { route } = request;
    // It has a token of its own.
    if (route === 'respond') return takeFeedback(request, parts);
    const caller = await admitted(request, revocations);
    if (!caller) return unauthorized(request, dialect);
    // Only now: without a valid token, nobody learns which crews there are.
    const crew = crews.get(request.crew);
    if (!crew) return dialect.problem({ kind: 'not-found', message: `There is no crew "${request.crew}" here.` });
    return wrongMethod(request, dialect) ?? answerOf({ ...request, route }, crew, caller, parts);
  };
}

function wrongMethod({ route, method }: CrewRequest, dialect: Dialect): Answer | undefined {
  const methods = METHODS[route];
  if (methods.includes(method)) return undefined;
  const problem = dialect.problem({ kind: 'wrong-method', message: `Use ${methods[0]} here.` });
  return { ...problem, headers: { allow: methods.join(', ') } };
}

function unauthorized({ headers }: CrewRequest, dialect: Dialect): Answer {
  const problem = dialect.problem({ kind: 'unauthorized', message: 'Invalid bearer token.' });
  return { ...problem, headers: challenge(headers.authorization) };
}

/** The caller, unless their token is unknown or has been revoked. */
async function admitted({ caller, headers }: CrewRequest, revocations: Revocations): Promise<Caller | undefined> {
  if (caller?.type !== 'user') return caller;
  return (await revocations.includes(bearerToken(headers.authorization))) ? undefined : caller;
}

/** What has a token of its own is answered before. */
type AdmittedRequest = CrewRequest & { readonly route: Exclude<CrewRoute, 'respond'> };

async function answerOf(request: AdmittedRequest, crew: CrewCode, caller: Caller, parts: RoutesParts): Promise<Answer> {
  const { dialect, executions } = parts;
  switch (request.route) {
    case 'inputs':
      return answerJson(200, { inputs: crew.inputNames });
    case 'kickoff': {
      const started = await andThen(andThen(readJson(request), dialect.parseKickoff), (kickoff) =>
        executions.kickoff(crew, caller, kickoff),
      );
      return started.ok ? answerJson(200, { kickoff_id: started.value.id }) : dialect.problem(started.problem);
    }
    case 'status':
      return dialect.status(await executions.find(crew.name, caller, request.id), request.id);
    case 'resume': {
      if (isFlow(crew.tasks)) return dialect.problem({ kind: 'not-found', message: 'Not Found' });
      const parsed = andThen(readJson(request), dialect.parseResume);
      if (!parsed.ok) return dialect.problem(parsed.problem);
      const resumed = await executions.resume(crew.name, caller, parsed.value);
      return resumed.ok ? dialect.resumed(resumed.value, parsed.value) : dialect.problem(resumed.problem);
    }
    case 'executions':
      return reportOf(request, crew.name, caller, parts);
  }
}

/**
 * Takes the answer to a flow's request for feedback, in the words of deployed services. Its token serves one answer: after
 * that it is invalid, and 409 is for whoever was overtaken by the dashboard.
 */
async function takeFeedback(request: CrewRequest, { dialect, executions }: RoutesParts): Promise<Answer> {
  const run = await executions.askedIn(request.id);
  const asked = run?.crew === request.crew ? run.requests?.find(({ id }) => id === request.id) : undefined;
  if (!asked) return answerJson(404, { error: 'not_found', message: 'Human feedback request not found' });
  const refused = wrongMethod(request, dialect);
  if (refused) return refused;
  if (asked.answer?.via === 'callback' || !isSame(request.responseToken, asked.token)) return INVALID_TOKEN;
  const parsed = andThen(readJson(request), parseFeedback);
  if (!parsed.ok) {
    const { problem } = parsed;
    return answerJson(statusOf(problem), { error: problem.kind.replaceAll('-', '_'), message: messageOf(problem) });
  }
  const answered = await executions.answer(asked.id, { ...parsed.value, via: 'callback' });
  if (answered) return answerJson(200, acceptedFeedback(answered));
  const latest = (await executions.askedIn(asked.id))?.requests?.find(({ id }) => id === asked.id)?.answer;
  if (latest?.via !== 'dashboard') return INVALID_TOKEN;
  const message = `Feedback already provided via dashboard at ${new Date(latest.at).toISOString()}`;
  return answerJson(409, { error: 'already_responded', message });
}

const INVALID_TOKEN = answerJson(401, { error: 'unauthorized', message: 'Invalid response token' });

/** In constant time. */
function isSame(given: string, token: string): boolean {
  const [one, other] = [given, token].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

function acceptedFeedback({ id, answer }: FeedbackRequest): Json {
  const { feedback = '', outcome = null, source = null, at = 0 } = answer ?? {};
  const responded = { responded_at: new Date(at).toISOString(), responded_via: source ?? 'api' };
  return { status: 'accepted', request: { id, status: 'responded', feedback, outcome, ...responded } };
}

async function reportOf(
  { id }: CrewRequest,
  crew: string,
  caller: Caller,
  { dialect, executions, store }: RoutesParts,
): Promise<Answer> {
  if (caller.type !== 'organisation') {
    const problem = dialect.problem({ kind: 'forbidden', message: 'This needs the token of the organisation.' });
    return { ...problem, headers: NEEDS_ORGANISATION };
  }
  const run = await executions.find(crew, caller, id);
  if (!run) return dialect.problem({ kind: 'not-found', message: `There is no execution ${id}.` });
  const [runs, deliveries] = await Promise.all([store.runsOf(run.executionId), store.deliveriesOf(run.executionId)]);
  return answerJson(200, executionReport(runs, deliveries));
}

/** More than any inputs need, far less than what overflows the stack. */
const DEEPEST_BODY = 100;

function readJson({ headers, body }: CrewRequest): Outcome<Json> {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') return malformed('The Content-Type must be application/json.');
  if (!body.ok) return body;
  try {
    const json = parseJson(body.value);
    return isDeeperThan(json, DEEPEST_BODY) ? malformed('The body is nested too deeply.') : ok(json);
  } catch (error) {
    return malformed(`The body is not JSON: ${errorMessage(error)}`);
  }
}

function malformed(message: string): { readonly ok: false; readonly problem: Problem } {
  return refuse({ kind: 'malformed', message });
}

function andThen<In, Out>(
  outcome: Outcome<In>,
  next: (value: In) => Out,
): Out | { readonly ok: false; readonly problem: Problem } {
  return outcome.ok ? next(outcome.value) : outcome;
}
