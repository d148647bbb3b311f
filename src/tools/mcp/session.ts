// What an agent asks people over the Model Context Protocol: by calls that outlast a restart of the bot.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { isRef } from '../../crew/credentials.ts';

export interface Settings {
  /** Without a slash at the end. */
  url: string;
  token: string;
  policy: string;
}

const RETRY_MS = 1_000;
/** How long an answer may take beyond the time for which it was to be held back. */
const GRACE_MS = 10_000;

/** What the tool returns. */
export const STATE = {
  ref: z.string(),
  url: z.string().nullable(),
  status: z.enum(['waiting', 'decided', 'expired', 'cancelled', 'closed']),
  decision: z.enum(['approved', 'rejected', 'expired']).optional(),
  outcome: z.string().nullish(),
  answer: z.record(z.string(), z.union([z.string(), z.number()])).nullish(),
  feedback: z.string().nullish(),
  edited_text: z.string().nullish(),
  by: z.object({ id: z.string(), name: z.string() }).nullish(),
  decided_at: z.string().optional(),
};

const ASK_STATE = z.object(STATE);

type AskState = z.infer<typeof ASK_STATE>;

/** A call of the tool. `signal`: it was cancelled, or the client is gone. `until` by `performance.now()`. */
interface ToolCall {
  signal: AbortSignal;
  until: number;
}

/** What the agent has asked, until it learns the answer. */
interface Question {
  /** The same for whoever asks the same again, so that people are asked once. */
  id: string;
  /** Null as long as nobody knows whether it was asked. */
  ref: string | null;
  /** Whether the agent can go on waiting for it later. */
  isTold: boolean;
  /** How many calls of the tool wait for it. */
  calls: number;
}

/** How long it is tried to cancel a question. Clients kill a server that takes longer to end. */
const CANCEL_MS = 1_500;

/** The questions of one agent. */
export class Session {
  readonly #calls: ReturnType<typeof callsTo>;
  /** By what was asked. */
  readonly #questions = new Map<string, Question>();
  readonly #pending = new Set<Promise<unknown>>();

  constructor(settings: Settings) {
    this.#calls = callsTo(settings);
  }

  /** Asks people, and waits for their answer. A call that is cancelled before its agent knows the ref cancels the question. */
  ask(asked: object, call: ToolCall): Promise<CallToolResult> {
    const answer = this.#ask(asked, call);
    this.#pending.add(answer);
    return answer.finally(() => this.#pending.delete(answer));
  }

  async #ask(asked: object, { signal, until }: ToolCall): Promise<CallToolResult> {
    const key = JSON.stringify(asked);
    const question = this.#questions.get(key) ?? { id: randomUUID(), ref: null, isTold: false, calls: 0 };
    this.#questions.set(key, question);
    question.calls += 1;
    try {
      // Nothing cancels this call: only its answer says what there is to cancel.
      const begun = await this.#calls.ask({ id: question.id, ...asked }, { until, stop: signal });
      if ('problem' in begun) return failed(begun.problem);
      question.ref = begun.ref;
      const result = await this.goOn(begun.ref, { signal, until });
      signal.throwIfAborted();
      question.isTold = true;
      return result;
    } finally {
      question.calls -= 1;
      if (signal.aborted && !question.isTold && question.calls === 0) {
        this.#questions.delete(key);
        await this.#cancel(asked, question);
      }
    }
  }

  /** Waits for the answer to what was asked before. */
  async goOn(ref: string, { signal, until }: ToolCall): Promise<CallToolResult> {
    // Another text would be another address, which may answer something else.
    if (!isRef(ref)) return notAsked(ref);
    const answer = await this.#calls.fetch(ref, { signal, until });
    if ('problem' in answer) return answer.isUnknown ? notAsked(ref) : failed(answer.problem, ref);
    for (const [key, question] of this.#questions)
      if (answer.status !== 'waiting' && question.ref === ref) this.#questions.delete(key);
    return toldOf(answer);
  }

  async #cancel(asked: object, { id, ref: known }: Question): Promise<void> {
    const until = performance.now() + CANCEL_MS;
    // Where nobody knows whether it was asked, asking again finds out.
    const begun = known === null ? await this.#calls.ask({ id, ...asked }, { until }) : { ref: known };
    if ('ref' in begun) await this.#calls.cancel(begun.ref, until);
  }

  /** Resolves once nothing is under way any more. */
  async over(): Promise<void> {
    await Promise.allSettled(this.#pending);
  }
}

interface Problem {
  problem: string;
  /** The bot says that nothing was asked under the ref, or no longer. */
  isUnknown?: boolean;
}

function failed(problem: string, ref?: string): CallToolResult {
  const later = ref === undefined ? '' : ` To go on waiting, call this again with the ref ${ref}.`;
  return { isError: true, content: [{ type: 'text', text: `${problem}${later}` }] };
}

function notAsked(ref: string): CallToolResult {
  return failed(`Nothing was asked under the ref ${ref.slice(0, 50)}, or no longer.`);
}

function toldOf(state: AskState): CallToolResult {
  return { content: [{ type: 'text', text: sentenceOf(state) }], structuredContent: { ...state } };
}

function sentenceOf({ ref, status, url, decision, outcome, answer, feedback, by }: AskState): string {
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
        ...(answer ? [`The answer: ${JSON.stringify(answer)}`] : []),
        ...(feedback ? [`They say: ${feedback}`] : []),
      ].join(' ');
  }
}

interface Patience {
  until: number;
  /** Ends the call. */
  signal?: AbortSignal;
  /** Ends only that it is tried again. */
  stop?: AbortSignal;
}

/** Calls that outlast a restart of the bot. */
function callsTo({ url, token, policy }: Settings) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  /** Tries again until time is up, where there was no answer or only trouble that passes. */
  async function call(
    method: 'GET' | 'POST' | 'DELETE',
    path: () => string,
    { body, until, signal, stop = signal }: Patience & { body?: string },
  ): Promise<AskState | Problem> {
    for (;;) {
      const leftMs = Math.max(0, Math.ceil(until - performance.now()));
      const limit = AbortSignal.any([AbortSignal.timeout(leftMs + GRACE_MS), ...(signal ? [signal] : [])]);
      const sent = { method, headers, signal: limit, ...(body !== undefined && { body }) };
      const problem = await once(path(), sent).catch((error: unknown) => {
        signal?.throwIfAborted();
        return { problem: 'Signoff can’t be reached.', passes: error !== undefined };
      });
      if (!('passes' in problem) || !problem.passes) return problem;
      if (stop?.aborted || performance.now() + RETRY_MS >= until) return problem;
      await pause(RETRY_MS, null, stop && { signal: stop });
    }
  }

  async function once(path: string, sent: RequestInit) {
    const answer = await fetch(`${url}${path}`, sent);
    const said: unknown = await answer.json().catch(() => null);
    const state = ASK_STATE.safeParse(said);
    if (answer.ok && state.success) return state.data;
    const message = z.object({ message: z.string() }).safeParse(said).data?.message;
    return {
      problem: `Signoff refused this: ${message ?? `HTTP ${answer.status}`}`,
      passes: answer.status >= 500,
      // Without a message it isn't the bot that answers, but a proxy that may have lost it for now.
      isUnknown: answer.status === 404 && message !== undefined,
    };
  }

  return {
    /** What is sent again under the same id is asked once. */
    ask: (asked: object, patience: Patience) =>
      call('POST', () => '/asks', { body: JSON.stringify({ policy, ...asked }), ...patience }),
    fetch(ref: string, patience: Patience) {
      const left = () => Math.max(0, Math.floor((patience.until - performance.now()) / 1_000));
      return call('GET', () => `/asks/${encodeURIComponent(ref)}?wait=${left()}`, patience);
    },
    cancel: (ref: string, until: number) => call('DELETE', () => `/asks/${encodeURIComponent(ref)}`, { until }),
  };
}
