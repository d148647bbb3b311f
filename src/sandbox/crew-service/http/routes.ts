import { z } from 'zod';
import type { Dialect } from '../dialects/dialect.ts';
import type { CrewCode } from '../executions/crew-code.ts';
import type { Executions } from '../executions/executions.ts';
import { type Caller, isFlow } from '../executions/run.ts';
import type { Store } from '../redis/store.ts';
import { bearerToken, challenge, NEEDS_ORGANISATION, type Revocations } from './access.ts';
import { type Answer, andThen, answerJson } from './answer.ts';
import { executionReport } from './execution-report.ts';
import { takeFeedback } from './feedback-callback.ts';
import { readIdempotency } from './idempotency.ts';
import { type JsonRequest, readJson } from './json-request.ts';

export type CrewRoute = 'inputs' | 'kickoff' | 'status' | 'resume' | 'executions' | 'respond';

/** A request below a crew's base URL; `id` is the variable path segment, '' for routes without one. */
export type CrewRequest = JsonRequest & {
  readonly crew: string;
  readonly route: CrewRoute;
  readonly id: string;
  /** The token with which an answer to a request for feedback is taken, '' without one. */
  readonly responseToken: string;
  readonly method: string;
  /** Whose token it came with, revoked or not; undefined for an unknown one. */
  readonly caller: Caller | undefined;
};

type RoutesParts = {
  readonly crews: ReadonlyMap<string, CrewCode>;
  readonly dialect: Dialect;
  readonly revocations: Revocations;
  readonly executions: Executions;
  readonly store: Store;
};

/** Every readable resource can be asked for without its content: https://www.rfc-editor.org/rfc/rfc9110#section-9.3.2 */
export const READ: readonly string[] = ['GET', 'HEAD'];

const METHODS: Readonly<Record<CrewRoute, readonly string[]>> = {
  inputs: READ,
  kickoff: ['POST'],
  status: READ,
  resume: ['POST'],
  executions: READ,
  respond: ['POST'],
};

export const INPUTS = z.object({ inputs: z.array(z.string()).readonly() });
export const STARTED = z.object({ kickoff_id: z.string() });

/** Serves section 4 of the specification, and `GET /executions/{id}` for debugging. */
export function createRoutes(parts: RoutesParts): (request: CrewRequest) => Promise<Answer> {
  const { crews, dialect, revocations, executions } = parts;
  return async (request) => {
    const { route } = request;
    // It has a token of its own.
    if (route === 'respond')
      return wrongMethod(request.method, METHODS.respond, dialect) ?? takeFeedback(request, executions);
    const caller = await admitted(request, revocations);
    if (!caller) return unauthorized(request, dialect);
    // Only now: without a valid token, nobody learns which crews there are.
    const crew = crews.get(request.crew);
    if (!crew) return dialect.problem({ kind: 'not-found', message: `There is no crew "${request.crew}" here.` });
    return wrongMethod(request.method, METHODS[route], dialect) ?? answerOf({ ...request, route }, crew, caller, parts);
  };
}

/** The answer to a request whose method isn't one of these; undefined if it is. */
export function wrongMethod(method: string, methods: readonly string[], dialect: Dialect): Answer | undefined {
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

/** Requests with a token of their own are answered before. */
type AdmittedRequest = CrewRequest & { readonly route: Exclude<CrewRoute, 'respond'> };

async function answerOf(request: AdmittedRequest, crew: CrewCode, caller: Caller, parts: RoutesParts): Promise<Answer> {
  const { dialect, executions } = parts;
  switch (request.route) {
    case 'inputs':
      return answerJson(200, { inputs: crew.inputNames } satisfies z.infer<typeof INPUTS>);
    case 'kickoff': {
      const started = await andThen(readJson(request), (body) =>
        andThen(dialect.parseKickoff(body), (kickoff) =>
          andThen(readIdempotency({ ...request, crew: crew.name, caller, body }), (idempotency) =>
            executions.kickoff(crew, caller, { ...kickoff, idempotency }),
          ),
        ),
      );
      if (!started.ok) return dialect.problem(started.problem);
      return answerJson(200, { kickoff_id: started.value.id } satisfies z.infer<typeof STARTED>);
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
