import { z } from 'zod';
import { identify, type Tokens } from '../http/access.ts';
import { type Answer, answerJson } from '../http/answer.ts';
import type { SandboxRequest } from '../http/server.ts';
import { type Json, parseJson } from '../json.ts';
import type { CrewSandbox } from './crew-sandbox.ts';
import { script } from './scripted-crew.ts';

const DONE = answerJson(200, { ok: true });
const gateChange = z.strictObject({ open: z.boolean() });

/**
 * The sandbox over HTTP, below `/_sandbox/`, for tests in another process. It is no part of the specification, needs the
 * organisation's token, and exists only where the service was started with it.
 */
export function createSandboxDoor(sandbox: CrewSandbox, tokens: Tokens): (request: SandboxRequest) => Promise<Answer> {
  return async (request) => {
    const caller = identify(request.authorization, tokens);
    if (caller?.type !== 'organisation')
      return answerJson(401, { error: 'The sandbox needs the token of the organisation.' });
    try {
      return await carryOut(request, sandbox);
    } catch (error) {
      if (error instanceof z.ZodError) return answerJson(400, { error: z.prettifyError(error) });
      if (error instanceof SyntaxError) return answerJson(400, { error: `The body is not JSON: ${error.message}` });
      throw error;
    }
  };
}

async function carryOut({ method, path, body }: SandboxRequest, sandbox: CrewSandbox): Promise<Answer> {
  const [, thing, name = '', part] = path.split('/').map(decodeURIComponent);
  const asked = [method, thing, part].filter((one) => one !== undefined).join(' ');
  switch (asked) {
    case 'PUT crews script':
      await sandbox.setScript(name, script.parse(parseJson(body)));
      return DONE;
    case 'PUT gates':
      await (gateChange.parse(parseJson(body)).open ? sandbox.openGate(name) : sandbox.shutGate(name));
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
      return answerJson(404, { error: `The sandbox has no ${asked}.` });
  }
}

function list(entries: readonly object[]): Answer {
  const json: Json = JSON.parse(JSON.stringify(entries));
  return answerJson(200, json);
}
