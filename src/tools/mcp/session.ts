// The questions of an agent over the Model Context Protocol, and calls to the bot that survive its restart.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { isRef } from '../../crew/credentials.ts';

export interface Settings {
  /** Address without a trailing slash. */
  url: string;
  token: string;
  policy: string;
}

const RETRY_MS = 1_000;
/** Time for an answer beyond the time for which the bot may hold it back. */
const GRACE_MS = 10_000;

/** Result of the tool. */
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

/** A call of the tool. `signal` aborts when it is cancelled or the client is gone. `until` by `performance.now()`. */
interface ToolCall {
  signal: AbortSignal;
  until: number;
}

/** A question of the agent, until it learns the answer. */
interface Question {
  /** A repeated question keeps its id, so that people are asked once. */
  id: string;
  /** Null until it is known that the bot has it. */
  ref: string | null;
  /** True once the agent knows the ref, so that it can wait again later. */
  isTold: boolean;
  /** Number of calls of the tool that wait for it. */
  calls: number;
}

/** Time for cancelling a question. Clients kill a server that takes longer to end. */
const CANCEL_MS = 1_500;

/** The questions of one agent. */
export class Session {
  readonly #calls: ReturnType<typeof callsTo>;
  /** Questions by their JSON. */
  readonly #questions = new Map<string, Question>();
  readonly #pending = new Set<Promise<unknown>>();

  constructor(settings: Settings) {
    this.#calls = callsTo(settings);
  }

  /** Asks people, and waits for their answer. A call that is cancelled before its agent knows the ref cancels the question. */
  ask(question: object, call: ToolCall): Promise<CallToolResult> {
    const answer = this.#ask(question, call);
    this.#pending.add(answer);
    return answer.finally(() => this.#pending.delete(answer));
  }

  async #ask(content: object, { signal, until }: ToolCall): Promise<CallToolResult> {
    const key = JSON.stringify(content);
    const question = this.#questions.get(key) ?? { id: randomUUID(), ref: null, isTold: false, calls: 0 };
    this.#questions.set(key, question);
    question.calls += 1;
    try {
      // This call can't be cancelled: only its answer says what there is to cancel.
      const begun = await this.#calls.ask({ id: question.id, ...content }, { until, stop: signal });
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
        await this.#cancel(content, question);
      }
    }
  }

  /** Waits for the answer to an earlier question. */
  async goOn(ref: string, { signal, until }: ToolCall): Promise<CallToolResult> {
    // Any other text would lead to another address, which may answer something else.
    if (!isRef(ref)) return notAsked(ref);
    const answer = await this.#calls.fetch(ref, { signal, until });
    if ('problem' in answer) return answer.isUnknown ? notAsked(ref) : failed(answer.problem, ref);
    for (const [key, question] of this.#questions)
      if (answer.status !== 'waiting' && question.ref === ref) this.#questions.delete(key);
    return resultOf(answer);
  }

  async #cancel(content: object, { id, ref: knownRef }: Question): Promise<void> {
    const until = performance.now() + CANCEL_MS;
    // Asking again finds out whether the bot has the question.
    const begun = knownRef === null ? await this.#calls.ask({ id, ...content }, { until }) : { ref: knownRef };
    if ('ref' in begun) await this.#calls.cancel(begun.ref, until);
  }

  /** Resolves once no call is under way any more. */
  async over(): Promise<void> {
    await Promise.allSettled(this.#pending);
  }
}

interface Problem {
  problem: string;
  /** True if the bot knows no question with this ref, or no longer. */
  isUnknown?: boolean;
}

function failed(problem: string, ref?: string): CallToolResult {
  const later = ref === undefined ? '' : ` To go on waiting, call this again with the ref ${ref}.`;
  return { isError: true, content: [{ type: 'text', text: `${problem}${later}` }] };
}

function notAsked(ref: string): CallToolResult {
  return failed(`Nothing was asked under the ref ${ref.slice(0, 50)}, or no longer.`);
}

function resultOf(state: AskState): CallToolResult {
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
  /** Ends only the retries. */
  stop?: AbortSignal;
}

/** Returns calls to the bot that survive its restart. */
function callsTo({ url, token, policy }: Settings) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  /** Retries until time is up, if there was no answer or only trouble that passes. */
  async function call(
    method: 'GET' | 'POST' | 'DELETE',
    path: () => string,
    { body, until, signal, stop = signal }: Patience & { body?: string },
  ): Promise<AskState | Problem> {
    for (;;) {
      const leftMs = Math.max(0, Math.ceil(until - performance.now()));
      const limit = AbortSignal.any([AbortSignal.timeout(leftMs + GRACE_MS), ...(signal ? [signal] : [])]);
      const request = { method, headers, signal: limit, ...(body !== undefined && { body }) };
      const problem = await once(path(), request).catch((error: unknown) => {
        signal?.throwIfAborted();
        return { problem: 'Signoff can’t be reached.', passes: error !== undefined };
      });
      if (!('passes' in problem) || !problem.passes) return problem;
      if (stop?.aborted || performance.now() + RETRY_MS >= until) return problem;
      await pause(RETRY_MS, null, stop && { signal: stop });
    }
  }

  async function once(path: string, request: RequestInit) {
    const answer = await fetch(`${url}${path}`, request);
    const said: unknown = await answer.json().catch(() => null);
    const state = ASK_STATE.safeParse(said);
    if (answer.ok && state.success) return state.data;
    const message = z.object({ message: z.string() }).safeParse(said).data?.message;
    return {
      problem: `Signoff refused this: ${message ?? `HTTP ${answer.status}`}`,
      passes: answer.status >= 500,
      // An answer without a message comes from a proxy, which may have lost the bot for now.
      isUnknown: answer.status === 404 && message !== undefined,
    };
  }

  return {
    /** Asks people. A repeated id is asked once. */
    ask: (question: object, patience: Patience) =>
      call('POST', () => '/asks', { body: JSON.stringify({ policy, ...question }), ...patience }),
    fetch(ref: string, patience: Patience) {
      const left = () => Math.max(0, Math.floor((patience.until - performance.now()) / 1_000));
      return call('GET', () => `/asks/${encodeURIComponent(ref)}?wait=${left()}`, patience);
    },
    cancel: (ref: string, until: number) => call('DELETE', () => `/asks/${encodeURIComponent(ref)}`, { until }),
  };
}
