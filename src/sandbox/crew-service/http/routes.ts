import type { Crew } from '../define-crew.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Executions } from '../executions/executions.ts';
import type { Caller } from '../executions/run.ts';
import { isDeeperThan, type Json, parseJson } from '../json.ts';
import type { Store } from '../redis/store.ts';
import type { Revocations } from '../sandbox-api/revocations.ts';
import type { ScriptedCrew } from '../sandbox-api/scripted-crew.ts';
import { bearerToken } from './access.ts';
import { type Answer, answerJson } from './answer.ts';
import { executionReport } from './execution-report.ts';
import { type Outcome, ok, type Problem, refuse } from './problem.ts';

export type CrewRoute = 'inputs' | 'kickoff' | 'status' | 'resume' | 'executions';

/** A request below a crew's base URL; `id` is the last path segment, '' for routes without one. */
export type CrewRequest = {
  readonly crew: string;
  readonly route: CrewRoute;
  readonly id: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whose token it came with, revoked or not; undefined for an unknown one. */
  readonly caller: Caller | undefined;
  /** undefined if too large. */
  readonly body: string | undefined;
};

type RoutesParts = {
  readonly crews: ReadonlyMap<string, Crew | ScriptedCrew>;
  readonly dialect: Dialect;
  readonly revocations: Revocations;
  readonly executions: Executions;
  readonly store: Store;
};

const METHODS: Readonly<Record<CrewRoute, string>> = {
  inputs: 'GET',
  kickoff: 'POST',
  status: 'GET',
  resume: 'POST',
  executions: 'GET',
};

/** Serves section 4 of the specification, and `GET /executions/{id}` for debugging. */
export function createRoutes(parts: RoutesParts): (request: CrewRequest) => Promise<Answer> {
  const { crews, dialect, revocations } = parts;
  return async (request) => {
    const crew = crews.get(request.crew);
    if (!crew) return dialect.problem({ kind: 'not-found', message: `There is no crew "${request.crew}" here.` });
    const caller = await admitted(request, revocations);
    if (!caller) return dialect.problem({ kind: 'unauthorized', message: 'Invalid bearer token.' });
    const allow = METHODS[request.route];
    if (request.method !== allow) {
      return { ...dialect.problem({ kind: 'wrong-method', message: `Use ${allow} here.` }), headers: { allow } };
    }
    return answerOf(request, crew, caller, parts);
  };
}

/** The caller, unless their token is unknown or has been revoked. */
async function admitted({ caller, headers }: CrewRequest, revocations: Revocations): Promise<Caller | undefined> {
  if (caller?.type !== 'user') return caller;
  return (await revocations.includes(bearerToken(headers.authorization))) ? undefined : caller;
}

async function answerOf(
  request: CrewRequest,
  crew: Crew | ScriptedCrew,
  caller: Caller,
  parts: RoutesParts,
): Promise<Answer> {
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
      const parsed = andThen(readJson(request), dialect.parseResume);
      if (!parsed.ok) return dialect.problem(parsed.problem);
      const resumed = await executions.resume(crew.name, caller, parsed.value);
      return resumed.ok ? dialect.resumed(resumed.value, parsed.value) : dialect.problem(resumed.problem);
    }
    case 'executions':
      return reportOf(request, crew.name, caller, parts);
  }
}

async function reportOf(
  { id }: CrewRequest,
  crew: string,
  caller: Caller,
  { dialect, executions, store }: RoutesParts,
): Promise<Answer> {
  if (caller.type !== 'organisation')
    return dialect.problem({ kind: 'unauthorized', message: 'This needs the token of the organisation.' });
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
  if (body === undefined) return refuse({ kind: 'too-large', message: 'The body is too large.' });
  try {
    const json = parseJson(body);
    return isDeeperThan(json, DEEPEST_BODY) ? malformed('The body is nested too deeply.') : ok(json);
  } catch (error) {
    return malformed(`The body is not JSON: ${error instanceof Error ? error.message : String(error)}`);
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
