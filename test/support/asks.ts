import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { createCredentials } from '../../src/crew/credentials.ts';
import { TEST_SECRET } from './world.ts';

/** A program that asks by the rules of a crew. */
export interface AskingProgram {
  headers: { authorization: string };
  ask(body?: Record<string, unknown>): Promise<AskAnswer>;
  fetch(ref: string, waitS?: number): Promise<AskAnswer>;
  withdraw(ref: string): Promise<AskAnswer>;
}

/** The fields of an answer that tests read one by one. Others are only compared. */
const BODY = z.looseObject({
  ref: z.string().optional(),
  status: z.string(),
  decided_at: z.string().optional(),
  problems: z.array(z.string()).optional(),
});

interface AskAnswer {
  status: number;
  body: z.infer<typeof BODY>;
}

/** The ref of an ask that was accepted. Throws for a refusal. */
export function refOf({ status, body }: AskAnswer): string {
  if (body.ref === undefined) throw new Error(`The ask was refused with ${status}: ${JSON.stringify(body)}`);
  return body.ref;
}

/** @param port of the bot, which may change */
export function askingProgram(port: () => number, crew: string, secret = TEST_SECRET): AskingProgram {
  const headers = { authorization: `Bearer ${createCredentials([secret]).askToken(crew)}` };
  const call = async (method: string, path: string, body?: object): Promise<AskAnswer> => {
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`http://127.0.0.1:${port()}${path}`, sent);
    return { status: answer.status, body: BODY.parse(await answer.json()) };
  };
  return {
    headers,
    ask: (body = {}) => call('POST', '/asks', { policy: crew, title: 'Deploy 1.4', text: 'All **green**.', ...body }),
    fetch: (ref, waitS = 0) => call('GET', `/asks/${ref}?wait=${waitS}`),
    withdraw: (ref) => call('DELETE', `/asks/${ref}`),
  };
}

/** Where a program finds the bot, and by the rules of which crew it asks. */
interface Asker {
  port: number;
  crew: string;
}

/** What the environment of a program says that asks. */
export function askingEnv({ port, crew }: Asker) {
  return {
    SIGNOFF_URL: `http://127.0.0.1:${port}`,
    SIGNOFF_ASK_TOKEN: createCredentials([TEST_SECRET]).askToken(crew),
    SIGNOFF_POLICY: crew,
  };
}

interface ProgramToRun {
  program: string;
  args: readonly string[];
  cwd: string;
  env?: NodeJS.ProcessEnv;
}

/** Runs a program that asks. Resolves to what it wrote, and how it ended. */
export async function runAsker({ program, args, cwd, env = {} }: ProgramToRun, asker: Asker) {
  const child = spawn(program, args, { cwd, env: { PATH: process.env.PATH ?? '', ...env, ...askingEnv(asker) } });
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, errors, code };
}
