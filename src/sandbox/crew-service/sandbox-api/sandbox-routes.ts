import { z } from 'zod';
import { bearerToken, callersBy, type Tokens } from '../http/access.ts';
import { type Answer, answerJson } from '../http/answer.ts';
import { challenge } from '../http/challenge.ts';
import { messageOf, statusOf } from '../http/problem.ts';
import type { SandboxRequest } from '../http/server.ts';
import { type Json, parseJson } from '../json.ts';
import type { CrewSandbox } from './crew-sandbox.ts';
import { script } from './scripted-crew.ts';

const DONE = answerJson(200, { ok: true });
const revocation = z.strictObject({ token: z.string().min(1) });
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
