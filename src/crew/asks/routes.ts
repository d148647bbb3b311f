// The routes for programs: they ask people, fetch decisions, and cancel what they have asked.

import { createHash, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Ask } from '../../core/execution/events.ts';
import { MOST_FROM_ELSEWHERE, weightOf } from '../../core/execution/limits.ts';
import type { Crew } from '../../core/policy/crew.ts';
import {
  type AskThreads,
  type ExecutionChanges,
  type ExecutionStore,
  type HourlyCounts,
  type OutputStore,
  StoreUnavailable,
} from '../../core/ports.ts';
import { cancelAsk, replaceAsk } from '../../core/request/cancel.ts';
import { askThreadOf, type Execution, noteHeard, requestOfAsk } from '../../core/state/execution.ts';
import {
  asEarlierRound,
  type Destination,
  type EarlierRound,
  editsToSend,
  type HumanRequest,
} from '../../core/state/request.ts';
import { ok } from '../../core/values/result.ts';
import type { Millis } from '../../core/values/time.ts';
import { type Credentials, isRef, type Refs } from '../credentials.ts';
import { readJsonBody } from '../payload.ts';
import type { AddressSeal } from './askers.ts';
import { DEFAULT_LIMIT_MS } from './open-ask.ts';
import { describeAsks, MOST_WAIT_S, type REFUSAL, WAIT } from './openapi.ts';
import { type AskBody, parseAsk } from './parse-ask.ts';
import { type ASK_ANSWER, askTold } from './told-decision.ts';

interface AskContext {
  executions: Pick<ExecutionStore, 'load' | 'change'>;
  outputs: Pick<OutputStore, 'get' | 'put'>;
  askThreads: Pick<AskThreads, 'join'>;
  changes: ExecutionChanges;
  hourlyCounts: HourlyCounts;
  credentials: Pick<Credentials, 'isAsker'>;
  refs: Pick<Refs, 'askRef' | 'askRefs'>;
  addresses: AddressSeal;
  crews: readonly Crew[];
  /** Asks people, unless this ref has asked already. Throws `StoreUnavailable`. */
  ask(question: Ask): Promise<'created' | 'exists'>;
  /** Returns the id of a channel in which the bot can post, by id or name; the crew's own for null. Throws if Slack can't say. */
  channelOf(crew: string, nameOrId: string | null): Promise<string | null>;
  /** Returns the link to the card; null until it is posted. */
  linkTo(execution: Execution, request: HumanRequest): string | null;
  /** Aborted when this process begins to stop, which answers all waiting callers. */
  stopping: AbortSignal;
  /** No slash at the end. */
  publicUrl: string;
  version: string;
  log: Logger;
}

interface AskRequest {
  /** The query, without its question mark. */
  query: string;
  /** Empty for methods without one. */
  body: Buffer;
  /** Aborted when the caller goes away. */
  gone: AbortSignal;
}

export interface AskAnswer {
  status: 200 | 201 | 400 | 401 | 403 | 404 | 409 | 422 | 429 | 503;
  body: object;
  retryAfterS?: number;
}

type AskReceiver = (request: AskRequest) => Promise<AskAnswer>;

export interface AskRoute {
  methods: readonly string[];
  /** Null if the caller isn't authenticated. Looks nothing up. */
  authenticate(method: string, authorization: string | undefined): AskReceiver | null;
}

export interface AskRoutes {
  /** @param path the decoded segments of the path. Null if nothing has this address. */
  find(path: readonly string[]): AskRoute | null;
}

export function createAskRoutes(context: AskContext): AskRoutes {
  const waiting = new WaitingCallers(context);
  const authenticated = (
    methods: readonly string[],
    receive: (crew: Crew, method: string, request: AskRequest) => Promise<AskAnswer>,
  ): AskRoute => ({
    methods,
    authenticate(method, authorization) {
      // All are tried, even after a match, for constant time.
      const [crew] = context.crews.filter(({ name }) => context.credentials.isAsker(name, authorization));
      if (crew) return (request) => receive(crew, method, request).catch((error) => unavailable(context, error));
      context.log.warn('refused an ask without valid credentials');
      return null;
    },
  });
  let description: object | undefined;
  const toRead: AskRoute = {
    methods: ['GET', 'HEAD'],
    // The description has no secret, and tools that read descriptions often can't send a token.
    authenticate: () => async () => {
      description ??= describeAsks(context);
      return { status: 200, body: description };
    },
  };
  const toAsk = authenticated(['POST'], (crew, _, { body }) => receiveAsk(context, crew, body));
  return {
    find([top, ref, ...rest]) {
      if (top !== 'asks' || rest.length > 0) return null;
      if (ref === undefined) return toAsk;
      if (ref === 'openapi.json') return toRead;
      return authenticated(['GET', 'DELETE'], (crew, method, request) =>
        method === 'GET' ? fetchAsk(context, waiting, { crew, ref, ...request }) : withdrawAsk(context, { crew, ref }),
      );
    },
  };
}

function unavailable({ log }: AskContext, error: unknown): AskAnswer {
  if (!(error instanceof StoreUnavailable)) throw error;
  log.error({ err: error }, 'what a program asked could not be stored or found');
  return { ...refused(503, 'This could not be stored or looked up; send it again.'), retryAfterS: 5 };
}

function refused(status: AskAnswer['status'], message: string, problems?: string[]): AskAnswer {
  const body: z.infer<typeof REFUSAL> = { status: 'refused', message, ...(problems && { problems }) };
  return { status, body };
}

async function receiveAsk(context: AskContext, crew: Crew, bytes: Buffer): Promise<AskAnswer> {
  const read = readJsonBody(bytes);
  if (!read.ok) return refused(400, read.refusal);
  const parsed = parseAsk(read.value.value, crew);
  if (!parsed.ok) return refused(422, parsed.refusal.join(' '), parsed.refusal);
  const body = parsed.value;
  if (body.policy !== crew.name) return refused(401, 'The token is not that of the crew that policy names.');
  if (crew.startedElsewhere === 'refused')
    return refused(403, 'This crew is set to refuse what was not started in Slack.');
  const weight = weightOf(read.value.text);
  const { count, endsInMs } = await context.hourlyCounts.add('elsewhere', crew.name, weight);
  if (count > MOST_FROM_ELSEWHERE)
    return { ...refused(429, 'Too much within an hour.'), retryAfterS: Math.max(1, Math.ceil(endsInMs / 1_000)) };
  let channel: string | null;
  try {
    channel = await context.channelOf(crew.name, body.channel);
  } catch (error) {
    context.log.warn({ crew: crew.name, err: error }, 'could not find the channel in which a program asks');
    return { ...refused(503, 'Slack can’t say right now which channel this is; send it again.'), retryAfterS: 5 };
  }
  if (channel === null)
    return refused(422, body.channel === null ? NO_CHANNEL : 'channel is none that the bot can post in.');
  return askOnce(context, { crew, channel, body });
}

const NO_CHANNEL = 'channel is missing: the crew has none in the crews file.';

/** An ask after its checks. */
interface NewAsk {
  crew: Crew;
  channel: string;
  body: AskBody;
}

async function askOnce(context: AskContext, newAsk: NewAsk): Promise<AskAnswer> {
  const { refs, log } = context;
  const { channel, body } = newAsk;
  const { name: crew, askedBy: name } = newAsk.crew;
  const { title, text, why, outcomes, fields, callback, inputs, limitMs, id, thread } = body;
  for (const older of id === null ? [] : refs.askRefs(crew, id)) {
    const earlier = await findAsk(context, { crew, ref: older });
    if (earlier) return repeated(context, earlier, newAsk);
  }
  const ref = refs.askRef(crew, id ?? randomUUID());
  const placed = thread === null ? null : await enterThread(context, newAsk, { ref, thread });
  if (placed && 'status' in placed) return placed;
  const destination: Destination =
    callback === null ? { kind: 'poll' } : { kind: 'callback', sealedUrl: context.addresses.seal(callback, ref) };
  const asker = { kind: 'program', name } as const;
  const question = { title, text, inputs, why, outcomes, fields, destination, limitMs, requestId: id, thread: placed };
  const created = await context.ask({ ref, crew, channel, asker, by: null, ...question });
  const stored = await findAsk(context, { crew, ref });
  if (!stored) throw new StoreUnavailable('What was asked a moment ago is gone.');
  if (created === 'exists') return repeated(context, stored, newAsk);
  log.info({ crew, ref }, 'a program asks');
  return { status: 201, body: await tellAsk(context, stored) };
}

/**
 * Announces an ask in its thread, and closes the one that it replaces. All of it may be repeated until the ask is stored; an announced
 * ask that never gets stored is passed over. Resolves to an answer if it can't be asked.
 */
async function enterThread(
  context: AskContext,
  { crew: { name: crew }, channel, body: { replaces, limitMs } }: NewAsk,
  { ref, thread }: { ref: string; thread: string },
): Promise<NonNullable<Ask['thread']> | AskAnswer> {
  const waitMs = limitMs ?? DEFAULT_LIMIT_MS;
  const joined = await context.askThreads.join({ crew, thread }, { ref, channel, waitMs });
  if (joined.kind === 'other-channel')
    return refused(409, 'This thread is in another channel: give that channel, or another thread.');
  const refusal = replaces === null ? null : await replace(context, { crew, ref: replaces }, { thread, by: ref });
  return refusal ?? { name: thread, replaces, before: await findBefore(context, { crew, ref }, joined.earlier) };
}

const NOT_IN_THREAD = refused(422, 'replaces is the ref of nothing that was asked in this thread.');

/** Closes an ask that waits. Resolves to null, or to the answer if it can't be replaced. */
async function replace(
  context: AskContext,
  { crew, ref }: AskKey,
  { thread, by }: { thread: string; by: string },
): Promise<AskAnswer | null> {
  const replaced = await findAsk(context, { crew, ref });
  if (!replaced || askThreadOf(replaced.execution)?.name !== thread) return NOT_IN_THREAD;
  const changed = await context.executions.change(ref, (execution, now) => replaceAsk(execution, by, now));
  if (changed.kind === 'changed') context.log.info({ crew, ref, by }, 'a program replaced what it had asked');
  if (changed.kind !== 'refused') return changed.kind === 'absent' ? NOT_IN_THREAD : null;
  const { execution } = changed;
  const request = requestOfAsk(execution) ?? replaced.asked;
  return { status: 409, body: await tellAsk(context, { execution, asked: request }) };
}

/** Number of earlier asks among which to look for the last stored one. */
const MOST_BEFORE = 10;

/** Finds the last ask before this one. Its text is stored beside this one as well, since people compare them. */
async function findBefore(
  context: AskContext,
  { crew, ref }: AskKey,
  earlier: readonly string[],
): Promise<EarlierRound | null> {
  const { outputs } = context;
  for (const each of earlier.slice(0, MOST_BEFORE)) {
    const ask = await findAsk(context, { crew, ref: each });
    if (!ask) continue;
    const before = asEarlierRound(ask.asked);
    const text = await outputs.get(each, before.text.hash);
    if (text !== null) await outputs.put(ref, text);
    return before;
  }
  return null;
}

/** Answers an ask whose id was used before: the same question gets its state, another one a refusal. */
async function repeated(context: AskContext, earlier: FoundAsk, { channel, body }: NewAsk): Promise<AskAnswer> {
  const { execution, asked } = earlier;
  const thread = askThreadOf(execution);
  const before = {
    channel: execution.channel,
    title: asked.question.taskName,
    hash: asked.question.output.hash,
    why: asked.question.why,
    outcomes: asked.question.outcomes,
    fields: asked.question.fields,
    callback: addressOf(context, earlier),
    inputs: execution.inputs,
    limitMs: body.limitMs === null && asked.question.limitMs === DEFAULT_LIMIT_MS ? null : asked.question.limitMs,
    thread: thread?.name ?? null,
    replaces: thread?.replaces ?? null,
  };
  const { title, why, outcomes, fields, callback, inputs, limitMs, replaces } = body;
  const hash = createHash('sha256').update(body.text).digest('hex');
  const question = { title, hash, why, outcomes, fields, callback, inputs: { ...inputs }, limitMs };
  return isDeepStrictEqual(before, { channel, ...question, thread: body.thread, replaces })
    ? { status: 200, body: await tellAsk(context, earlier) }
    : refused(409, 'Something else was asked under this id.');
}

function addressOf(
  { addresses }: AskContext,
  {
    execution,
    asked: {
      question: { destination },
    },
  }: FoundAsk,
): string | null {
  return destination?.kind === 'callback' ? addresses.open(destination.sealedUrl, execution.ref) : null;
}

interface AskKey {
  crew: string;
  ref: string;
}

interface FoundAsk {
  execution: Execution;
  asked: HumanRequest;
}

/** Finds an ask of a program by the rules of this crew. */
async function findAsk({ executions }: AskContext, { crew, ref }: AskKey): Promise<FoundAsk | null> {
  const stored = isRef(ref) ? await executions.load(ref) : null;
  return stored && askIn(stored.execution, crew);
}

function askIn(execution: Execution, crew: string): FoundAsk | null {
  const { origin } = execution;
  const request = requestOfAsk(execution);
  // Programs fetch their own asks, but nobody fetches the asks of workflows.
  const isOfProgram = origin.kind === 'ask' && origin.asker.kind === 'program';
  return request && isOfProgram && execution.crew === crew ? { execution, asked: request } : null;
}

/** Returns the state of an ask, and notes for people that the program has fetched the decision, unless that can't be stored. */
async function tellAsk(
  { linkTo, executions, outputs, log }: AskContext,
  { execution, asked }: FoundAsk,
): Promise<z.infer<typeof ASK_ANSWER>> {
  const { ref } = execution;
  const edits = editsToSend(asked);
  const text = edits && (await outputs.get(ref, edits.hash));
  if (edits && text === null) throw new RangeError('the edited text is no longer stored');
  const state = askTold(ref, asked, text);
  if ('decision' in state && noteHeard(execution, 0) !== execution)
    await executions
      .change<never>(ref, (each, now) => ok(noteHeard(each, now)))
      .catch((err) => log.warn({ err, ref }, 'could not note that a program has fetched a decision'));
  return { url: linkTo(execution, asked), ...state };
}

const UNKNOWN = refused(404, 'Nothing was asked under this ref, or no longer.');

async function fetchAsk(
  context: AskContext,
  waiting: WaitingCallers,
  { crew, ref, query, gone }: { crew: Crew; ref: string; query: string; gone: AbortSignal },
): Promise<AskAnswer> {
  const wait = WAIT.safeParse(new URLSearchParams(query).get('wait') ?? undefined);
  if (!wait.success) return refused(422, 'wait must be a number of seconds.');
  const waitMs = Math.min(wait.data, MOST_WAIT_S) * 1_000;
  const find = () => findAsk(context, { crew: crew.name, ref });
  const ask = await waiting.until((each) => each === null || askTold(ref, each.asked, null).status !== 'waiting', {
    find,
    ref,
    waitMs,
    gone,
  });
  return ask ? { status: 200, body: await tellAsk(context, ask) } : UNKNOWN;
}

async function withdrawAsk(context: AskContext, { crew, ref }: { crew: Crew; ref: string }): Promise<AskAnswer> {
  if (!(await findAsk(context, { crew: crew.name, ref }))) return UNKNOWN;
  const changed = await context.executions.change(ref, cancelAsk);
  if (changed.kind === 'absent') return UNKNOWN;
  const ask = askIn(changed.kind === 'changed' ? changed.after : changed.execution, crew.name);
  if (!ask) return UNKNOWN;
  if (changed.kind === 'changed') {
    context.log.info({ crew: crew.name, ref }, 'a program took back what it had asked');
  }
  const state = await tellAsk(context, ask);
  return { status: state.status === 'cancelled' ? 200 : 409, body: state };
}

/** Further callers get an answer at once, since each holds a connection. */
const MOST_WAITING = 500;
/** Interval for looking at the store, since changes of other processes may not be announced here. */
const LOOK_MS = 2_000;

/** Callers who wait for a decision. */
class WaitingCallers {
  readonly #context: Pick<AskContext, 'changes' | 'stopping'>;
  #count = 0;

  constructor(context: Pick<AskContext, 'changes' | 'stopping'>) {
    this.#context = context;
  }

  /** Resolves to the result of `find` once `isSo`, or when time is up, the caller has gone or this process stops. */
  async until<Found>(
    isSo: (result: Found) => boolean,
    { find, ref, waitMs, gone }: { find: () => Promise<Found>; ref: string; waitMs: Millis; gone: AbortSignal },
  ): Promise<Found> {
    const { changes, stopping } = this.#context;
    if (waitMs === 0 || this.#count >= MOST_WAITING) return find();
    const until = performance.now() + waitMs;
    const hasEnded = () => gone.aborted || stopping.aborted || performance.now() >= until;
    let nudge = () => {};
    const onChange = () => nudge();
    const stopWatching = changes.watch(ref, onChange);
    for (const signal of [gone, stopping]) signal.addEventListener('abort', onChange);
    this.#count += 1;
    try {
      for (;;) {
        // Listens before it looks, so that no change falls in between.
        const nudged = new Promise<void>((resolve) => {
          nudge = resolve;
        });
        const result = await find();
        if (isSo(result) || hasEnded()) return result;
        const late = setTimeout(nudge, Math.min(until - performance.now(), LOOK_MS));
        await nudged;
        clearTimeout(late);
      }
    } finally {
      this.#count -= 1;
      stopWatching();
      for (const signal of [gone, stopping]) signal.removeEventListener('abort', onChange);
    }
  }
}
