// The sandbox for tests in other processes: its routes, and a client of them.
import { request } from 'undici';
import { z } from 'zod';
import { bearerToken, callersBy, challenge, type Tokens } from '../http/access.ts';
import { type Answer, answerJson, messageOf, statusOf } from '../http/answer.ts';
import type { SandboxRequest } from '../http/server.ts';
import { type Json, parseJson } from '../json.ts';
import { type CrewSandbox, NothingToAnswer } from './crew-sandbox.ts';
import { script } from './scripted-crew.ts';

const DONE = answerJson(200, { ok: true });
const revocation = z.strictObject({ token: z.string().min(1) });
const dashboardAnswer = z.strictObject({ feedback: z.string().min(1) });
const gateChange = z.strictObject({ open: z.boolean() });

/**
 * Serves the sandbox API below `/_sandbox/`, for tests in other processes. Not part of the specification; needs the
 * organisation's token.
 */
export function createSandboxRoutes(
  sandbox: CrewSandbox,
  tokens: Tokens,
): (request: SandboxRequest) => Promise<Answer> {
  const callerWith = callersBy(tokens);
  return async ({ method, segments, authorization, body }) => {
    const caller = callerWith(bearerToken(authorization));
    if (caller?.type !== 'organisation')
      return {
        ...answerJson(401, { error: "The sandbox needs the organisation's token." }),
        headers: challenge(authorization),
      };
    if (!body.ok) return answerJson(statusOf(body.problem), { error: messageOf(body.problem) });
    try {
      return await handle({ method, segments, body: body.value }, sandbox);
    } catch (error) {
      if (error instanceof z.ZodError) return answerJson(400, { error: z.prettifyError(error) });
      if (error instanceof NothingToAnswer) return answerJson(409, { error: error.message });
      if (error instanceof SyntaxError) return answerJson(400, { error: `The body is not JSON: ${error.message}` });
      throw error;
    }
  };
}

type Call = Pick<SandboxRequest, 'method' | 'segments'> & { readonly body: string };

async function handle({ method, segments, body }: Call, sandbox: CrewSandbox): Promise<Answer> {
  const [resource, name = '', part] = segments;
  const route = [method, resource, part].filter((one) => one !== undefined).join(' ');
  switch (route) {
    case 'PUT crews script':
      await sandbox.setScript(name, script.parse(parseJson(body)));
      return DONE;
    case 'PUT gates':
      await (gateChange.parse(parseJson(body)).open ? sandbox.openGate(name) : sandbox.shutGate(name));
      return DONE;
    case 'POST revoked-tokens':
      await sandbox.revokeUserToken(revocation.parse(parseJson(body)).token);
      return DONE;
    case 'PUT dashboard':
      await sandbox.setDashboard(JSON.parse(body));
      return DONE;
    case 'GET feedback-requests':
      return list(await sandbox.feedbackRequests());
    case 'POST feedback-requests answer':
      await sandbox.answerInDashboard(name, dashboardAnswer.parse(parseJson(body)).feedback);
      return DONE;
    case 'POST faults':
      await sandbox.addFault(JSON.parse(body));
      return DONE;
    case 'DELETE faults':
      await sandbox.clearFaults();
      return DONE;
    case 'DELETE records':
      await sandbox.clearRecords();
      return DONE;
    case 'GET requests':
      return list(await sandbox.requests());
    case 'GET webhooks':
      return list(await sandbox.webhooks());
    case 'GET runs':
      return list(await sandbox.runs());
    default:
      return answerJson(404, { error: `The sandbox has no ${route}.` });
  }
}

function list(entries: readonly object[]): Answer {
  const json: Json = JSON.parse(JSON.stringify(entries));
  return answerJson(200, json);
}

/** The sandbox API refused a call. */
class SandboxError extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(`The crew service's sandbox answered ${status}: ${text}`);
    this.name = 'SandboxError';
    this.status = status;
  }
}

/**
 * Controls a crew service in another process that was started with `--sandbox`.
 * Calls reject with `SandboxError` if the service refuses them, or with undici's error if it can't be reached.
 * @param origin such as `http://127.0.0.1:4100`
 * @param token the organisation's token
 */
export function connectCrewSandbox({ origin, token }: { origin: string; token: string }): CrewSandbox {
  async function call(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: readonly string[], body?: unknown) {
    const answer = await request(`${origin}/_sandbox/${path.map(encodeURIComponent).join('/')}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new SandboxError(answer.statusCode, text);
    return JSON.parse(text);
  }

  return {
    setScript: (crew, tasks) => call('PUT', ['crews', crew, 'script'], tasks),
    openGate: (gate) => call('PUT', ['gates', gate], { open: true }),
    shutGate: (gate) => call('PUT', ['gates', gate], { open: false }),
    revokeUserToken: (token) => call('POST', ['revoked-tokens'], { token }),
    setDashboard: (settings) => call('PUT', ['dashboard'], settings),
    feedbackRequests: () => call('GET', ['feedback-requests']),
    answerInDashboard: (id, feedback) => call('POST', ['feedback-requests', id, 'answer'], { feedback }),
    addFault: (rule) => call('POST', ['faults'], rule),
    clearFaults: () => call('DELETE', ['faults']),
    requests: () => call('GET', ['requests']),
    webhooks: () => call('GET', ['webhooks']),
    clearRecords: () => call('DELETE', ['records']),
    runs: () => call('GET', ['runs']),
  };
}
