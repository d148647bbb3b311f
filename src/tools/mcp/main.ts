// `npm run --silent mcp`: a server of the Model Context Protocol by which an agent asks people. It only passes on what is asked and what was
// decided. https://modelcontextprotocol.io/specification/2025-06-18/server/tools
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { whyNotHttpAddress, withoutTrailingSlash } from '../../config/fields.ts';
import { parseOptions, readCommandLine } from '../../setup/usage.mjs';

interface Settings {
  /** Without a slash at the end. */
  url: string;
  token: string;
  policy: string;
}

/** Common clients give up after a minute. */
const MOST_WAIT_S = 50;
const RETRY_MS = 1_000;
/** How long an answer may take beyond the time for which it was to be held back. */
const GRACE_MS = 10_000;

const STATE = {
  ref: z.string(),
  url: z.string().nullable(),
  status: z.enum(['waiting', 'decided', 'expired', 'cancelled', 'closed']),
  decision: z.enum(['approved', 'rejected', 'expired']).optional(),
  outcome: z.string().nullish(),
  feedback: z.string().nullish(),
  by: z.object({ id: z.string(), name: z.string() }).nullish(),
  decided_at: z.string().optional(),
};

const ASK_STATE = z.object(STATE);

type AskState = z.infer<typeof ASK_STATE>;

const INPUTS = {
  title: z.string().optional().describe('What it is about, in one line of at most 150 characters.'),
  text: z.string().optional().describe('Everything that people need to decide, as Markdown.'),
  outcomes: z
    .array(z.string())
    .optional()
    .describe('Two to five answers to choose from. Without them, people approve or reject.'),
  wait: z
    .number()
    .int()
    .min(0)
    .max(MOST_WAIT_S)
    .optional()
    .describe(`For how many seconds to wait for the answer (default and most: ${MOST_WAIT_S}).`),
  ref: z
    .string()
    .optional()
    .describe('Instead of all that: what an earlier call has returned, to go on waiting for its answer.'),
};

readCommandLine('dist/mcp.js', (args) => parseOptions(args, {}));
const { settings, problems } = readSettings(process.env);
if (settings) {
  await serverFor(settings).connect(new StdioServerTransport());
} else {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}

function readSettings(env: NodeJS.ProcessEnv): { settings: Settings | null; problems: string[] } {
  const { SIGNOFF_URL: url = '', SIGNOFF_ASK_TOKEN: token = '', SIGNOFF_POLICY: policy = '' } = env;
  const wrong = url === '' ? null : whyNotHttpAddress(url);
  const problems = [
    ...(url === '' ? ['SIGNOFF_URL is missing: the address of the bot, its PUBLIC_URL.'] : []),
    ...(wrong === null ? [] : [`SIGNOFF_URL ${wrong}.`]),
    ...(token === ''
      ? ['SIGNOFF_ASK_TOKEN is missing: `npm run webhook -- CREW` prints it where the bot is set up.']
      : []),
    ...(policy === '' ? ['SIGNOFF_POLICY is missing: the name of the crew whose rules say who decides.'] : []),
  ];
  return { settings: problems.length > 0 ? null : { url: withoutTrailingSlash(url), token, policy }, problems };
}

function serverFor(settings: Settings): McpServer {
  const server = new McpServer({ name: 'signoff', version: '1' });
  server.registerTool(
    'ask_a_human',
    {
      title: 'Ask a human',
      description:
        'Asks people in Slack to approve, reject or choose, and waits for their answer. People may take hours: if nobody has ' +
        'decided yet, this returns a ref. Call it again with that ref alone; never ask the same thing anew.',
      inputSchema: INPUTS,
      outputSchema: STATE,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    },
    async ({ ref, wait = MOST_WAIT_S, ...asked }, { signal }) => {
      const until = performance.now() + wait * 1_000;
      const calls = callsTo(settings, signal);
      const begun = ref === undefined ? await calls.ask(asked, until) : ref;
      if (typeof begun !== 'string') return failed(begun.problem);
      const answer = await calls.fetch(begun, until);
      return 'problem' in answer ? failed(answer.problem, begun) : toldOf(answer);
    },
  );
  return server;
}

interface Problem {
  problem: string;
}

function failed(problem: string, ref?: string): CallToolResult {
  const later = ref === undefined ? '' : ` What was asked goes on under the ref ${ref}.`;
  return { isError: true, content: [{ type: 'text', text: `${problem}${later}` }] };
}

function toldOf(state: AskState): CallToolResult {
  return { content: [{ type: 'text', text: sentenceOf(state) }], structuredContent: { ...state } };
}

function sentenceOf({ ref, status, url, decision, outcome, feedback, by }: AskState): string {
  switch (status) {
    case 'waiting':
      return `Not decided yet: people have been asked${url ? ` (${url})` : ''}. Call this again with the ref ${ref}.`;
    case 'expired':
      return 'Nobody decided in time. That is no approval.';
    case 'cancelled':
    case 'closed':
      return 'It was closed without a decision. That is no approval.';
    case 'decided':
      return [
        `${by?.name ?? 'Somebody'} ${decision}${outcome ? `, and chose “${outcome}”` : ''}.`,
        ...(feedback ? [`They say: ${feedback}`] : []),
      ].join(' ');
  }
}

/** Calls that outlast a restart of the bot. `until` by `performance.now()`. */
function callsTo({ url, token, policy }: Settings, signal: AbortSignal) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  /** Tries again until time is up, where there was no answer or only trouble that passes. */
  async function call(path: () => string, init: { body?: string }, until: number): Promise<AskState | Problem> {
    for (;;) {
      const leftMs = Math.max(0, Math.ceil(until - performance.now()));
      const problem = await once(path(), init, leftMs + GRACE_MS).catch((error: unknown) => {
        signal.throwIfAborted();
        return { problem: 'Signoff can’t be reached.', passes: error !== undefined };
      });
      if (!('passes' in problem) || !problem.passes || performance.now() + RETRY_MS >= until) return problem;
      await pause(RETRY_MS, null, { signal });
    }
  }

  async function once(path: string, { body }: { body?: string }, mostMs: number) {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(mostMs)]);
    const method = body === undefined ? 'GET' : 'POST';
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      signal: limit,
      ...(body !== undefined && { body }),
    });
    const said: unknown = await answer.json().catch(() => null);
    const state = ASK_STATE.safeParse(said);
    if (answer.ok && state.success) return state.data;
    const message = z.object({ message: z.string() }).safeParse(said).data?.message ?? `HTTP ${answer.status}`;
    return { problem: `Signoff refused this: ${message}`, passes: answer.status >= 500 };
  }

  return {
    async ask(asked: object, until: number): Promise<string | Problem> {
      // The id has what is sent again asked once.
      const body = JSON.stringify({ policy, id: randomUUID(), ...asked });
      const answer = await call(() => '/asks', { body }, until);
      return 'problem' in answer ? answer : answer.ref;
    },
    async fetch(ref: string, until: number): Promise<AskState | Problem> {
      const left = () => Math.max(0, Math.floor((until - performance.now()) / 1_000));
      return call(() => `/asks/${encodeURIComponent(ref)}?wait=${left()}`, {}, until);
    },
  };
}
