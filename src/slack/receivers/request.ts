import { setTimeout as delay } from 'node:timers/promises';
import { type AckFn, type App, MultipleListenerError, type ReceiverEvent, UnknownError } from '@slack/bolt';
import type { Logger } from 'pino';
import { z } from 'zod';
import { ok, type Result, refuse } from '../../core/values/result.ts';
import type { Mask } from '../../core/values/secrets.ts';
import type { Millis } from '../../core/values/time.ts';
import { maskContent } from '../ui/masking.ts';
import type { AddToLog, LogFacts } from './log-facts.ts';

// Reads Slack's requests and hands them to the app, for both receivers: over HTTP and in Socket Mode.

/** The fate of a request. A request that wasn't handled isn't acknowledged, so that Slack shows the person an error. */
export type Handling = 'handled' | 'unknown' | 'unreadable' | 'failed';

export interface IncomingRequest {
  body: Record<string, unknown>;
  /** Acknowledges the request. The answer is what Slack shows or does. */
  ack: AckFn<object | string>;
  retry: Pick<ReceiverEvent, 'retryNum' | 'retryReason'>;
}

/** Returns what Slack says about an event that it delivers again. https://docs.slack.dev/apis/events-api/#error-handling */
export function retryOf({ number, reason }: { number: unknown; reason: unknown }): IncomingRequest['retry'] {
  return {
    ...(number !== undefined && { retryNum: Number(number) }),
    ...(reason !== undefined && { retryReason: String(reason) }),
  };
}

/**
 * Hands a request to the app. Bolt acknowledges events before their listeners run, so we do it afterwards. Never rejects: failures are
 * logged, our own faults as errors. Logs one line for each other request of a person, to which listeners add by `context.addToLog`.
 */
export async function processRequest(
  app: Pick<App, 'processEvent'>,
  { body, ack, retry }: IncomingRequest,
  { log, onFault, mask = 'known' }: Required<Pick<Watchers, 'log' | 'onFault'>> & Pick<Watchers, 'mask'>,
): Promise<Handling> {
  const kind = requestKind(body);
  if (kind === 'other') {
    logUnreadable(log, { kind, reason: 'unknown type' });
    return 'unknown';
  }
  const request = parseRequest(kind, body);
  if (!request.ok) {
    logUnreadable(log, { kind, reason: 'UnreadableRequest', fields: request.refusal });
    return 'unreadable';
  }
  const facts: Partial<LogFacts> = {};
  const addToLog: AddToLog = (more) => Object.assign(facts, more);
  const isEvent = kind === 'event';
  try {
    await app.processEvent({
      body: request.value,
      ack: isEvent ? async () => {} : (answer) => ack(answerAsShown(answer, mask)),
      customProperties: { addToLog },
      ...retry,
    });
    if (isEvent) await ack();
    if (facts.by !== undefined) log.info({ kind, ...facts }, 'answered a request');
    return 'handled';
  } catch (error) {
    for (const err of faultsIn(error)) {
      onFault(err);
      log.error({ err, kind, ...facts }, 'a listener failed');
    }
    return 'failed';
  }
}

function answerAsShown(answer: object | string | undefined, mask: Mask): object | string | undefined {
  return typeof answer === 'object' ? maskContent(answer, mask) : answer;
}

/** The reason why a request from Slack can't be read. It names no value: people may have typed it. */
interface Unreadable {
  kind: RequestKind;
  reason: string;
  fields?: string[];
}

export function logUnreadable(log: Logger, unreadable: Unreadable): void {
  log.warn(unreadable, 'could not read a request from Slack');
}

function faultsIn(error: unknown): unknown[] {
  if (error instanceof MultipleListenerError) return error.originals.flatMap(faultsIn);
  return [error instanceof UnknownError ? error.original : error];
}

/** Deeper keys are made up by the request itself. */
const DEPTH = 3;
const MOST_FIELDS = 10;

const id = z.string().min(1);
const user = z.looseObject({
  id,
  name: z.string().optional(),
  username: z.string().optional(),
  team_id: z.string().optional(),
});

const value = z.looseObject({
  type: z.string().default(''),
  value: z.string().nullish(),
  selected_date: z.string().nullish(),
  selected_user: z.string().nullish(),
  selected_conversation: z.string().nullish(),
  selected_option: z.looseObject({ value: z.string() }).nullish(),
  selected_options: z.array(z.looseObject({ value: z.string() })).nullish(),
});
const nullable = z
  .string()
  .nullish()
  .transform((each) => each ?? null);
const state = z.looseObject({ values: z.record(z.string(), z.record(z.string(), value)).default({}) });

/** https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload */
const view = z.looseObject({
  type: z.string().default('modal'),
  id,
  hash: z.string().default(''),
  callback_id: z.string().default(''),
  private_metadata: z.string().default(''),
  previous_view_id: nullable,
  root_view_id: nullable,
  state: state.nullish().transform((each) => each ?? { values: {} }),
});

const action = z.looseObject({
  action_id: id,
  value: z.string().optional(),
  url: z.string().optional(),
  selected_option: z.looseObject({ value: z.string() }).nullish(),
});

const message = z.looseObject({ ts: id, thread_ts: z.string().optional() });
const channel = z.looseObject({ id });

/** https://docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload */
const shortcut = z.looseObject({
  callback_id: id,
  user,
  trigger_id: z.string().default(''),
  channel: channel.nullish(),
  message: message.nullish(),
});

/** https://docs.slack.dev/reference/events/function_executed */
const STEP = z.looseObject({
  function_execution_id: id.max(255),
  workflow_execution_id: id.max(255).nullish(),
  function: z.looseObject({ callback_id: id }),
  inputs: z.record(z.string(), z.unknown()).nullish(),
});

/** The fields that all requests of a kind have, and those that our listeners and Bolt read. */
const SCHEMAS: Record<KnownKind, z.ZodType<Record<string, unknown>>> = {
  /** https://docs.slack.dev/interactivity/implementing-slash-commands#app_command_handling */
  command: z.looseObject({
    text: z.string().default(''),
    channel_id: id,
    user_id: id,
    user_name: z.string().optional(),
    team_id: z.string().optional(),
    trigger_id: id,
    response_url: z.string().optional(),
  }),
  /** https://docs.slack.dev/reference/interaction-payloads/block_actions-payload */
  block_actions: z.looseObject({
    user,
    trigger_id: z.string().default(''),
    actions: z.array(action).min(1),
    channel: channel.optional(),
    message: z.looseObject({ ts: z.string(), thread_ts: z.string().optional() }).nullish(),
    container: z
      .looseObject({
        channel_id: z.string().optional(),
        message_ts: z.string().optional(),
        thread_ts: z.string().optional(),
      })
      .nullish(),
    view: view.nullish(),
  }),
  view_submission: z.looseObject({
    user,
    view,
    trigger_id: z.string().default(''),
    response_urls: z
      .array(z.looseObject({ response_url: z.string() }))
      .optional()
      .catch(undefined),
  }),
  view_closed: z.looseObject({ user, view }),
  block_suggestion: z.looseObject({ user, channel: channel.optional().catch(undefined) }),
  shortcut,
  message_action: shortcut,
  /** https://docs.slack.dev/reference/events */
  event: z.looseObject({
    event: z
      .looseObject({ type: z.string().default('') })
      .refine((event) => event.type !== 'function_executed' || STEP.safeParse(event).success)
      .transform(withoutOddParts),
    authorizations: z.array(z.looseObject({})).optional().catch(undefined),
  }),
};

/**
 * The only kinds whose requests may have these fields. Bolt recognises requests by them, whatever their type, or looks into them.
 * https://github.com/slackapi/bolt-js/blob/main/src/helpers.ts
 */
const ONLY_IN: Record<string, readonly KnownKind[]> = {
  event: ['event'],
  command: ['command'],
  name: [],
  actions: ['block_actions'],
  view: ['block_actions', 'view_submission', 'view_closed'],
  response_urls: ['view_submission'],
};

/**
 * Returns a request that Bolt and our listeners can rely on: with all fields of its kind, and without fields that would confuse Bolt. The
 * refusal names the fields that are missing or of the wrong type, never a value: people may have typed it.
 */
export function parseRequest(
  kind: KnownKind,
  body: Record<string, unknown>,
): Result<Record<string, unknown>, string[]> {
  const { success, data, error } = SCHEMAS[kind].safeParse(body);
  if (!success) {
    const bad = error.issues.map(({ path }) => path.slice(0, DEPTH).join('.'));
    return refuse([...new Set(bad)].slice(0, MOST_FIELDS));
  }
  const fields = Object.entries(data).filter(
    ([name, part]) => part !== null && (!Object.hasOwn(ONLY_IN, name) || ONLY_IN[name]?.includes(kind)),
  );
  return ok(Object.fromEntries(fields));
}

/**
 * Removes parts that Bolt can't read: it looks into these parts of each event before any listener does.
 * https://github.com/slackapi/bolt-js/blob/main/src/App.ts
 */
function withoutOddParts(event: Record<string, unknown>): Record<string, unknown> {
  const isOdd = (name: string, part: unknown) => {
    if (part === null) return true;
    if (name === 'channel') return typeof part !== 'string' && typeof part !== 'object';
    return name === 'item' && typeof part !== 'object';
  };
  return Object.fromEntries(Object.entries(event).filter(([name, part]) => !isOdd(name, part)));
}

export type RequestOutcome = 'acknowledged' | 'unanswered' | 'failed' | 'late';

export interface ObservedRequest {
  kind: RequestKind;
  outcome: RequestOutcome;
  durationMs: Millis;
}

/** Called for each request from Slack, on a later turn of the event loop than its answer. */
export type ObserveRequest = (request: ObservedRequest) => void;

/** Counts the requests that wait for their answer. The bot's other work goes after them. */
export interface PendingCount {
  /** Counts a request. The function that it returns must be called once, when the request is answered. */
  begin(): () => void;
}

export interface Watchers {
  log: Logger;
  pendingRequests?: PendingCount;
  observe?: ObserveRequest;
  /** Tells what to mask in answers, which may be views. Default: secrets of known shapes. */
  mask?: Mask;
  /** Called for each failure of a listener, for metrics. */
  onFault?: (error: unknown) => void;
}

export const UNWATCHED: Required<Omit<Watchers, 'log'>> = {
  mask: 'known',
  pendingRequests: { begin: () => () => {} },
  observe: () => {},
  onFault: () => {},
};

/** Counts and times a request that has fully arrived. Returns what to call with its outcome; only the first call counts. */
export function beginRequest(
  kind: RequestKind,
  { pendingRequests, observe }: { pendingRequests: PendingCount; observe: ObserveRequest },
): (outcome: RequestOutcome) => void {
  const end = pendingRequests.begin();
  const beganAt = performance.now();
  let isAnswered = false;
  return (outcome) => {
    if (isAnswered) return;
    isAnswered = true;
    end();
    const durationMs = performance.now() - beganAt;
    setImmediate(() => observe({ kind, outcome, durationMs }));
  };
}

const INTERACTIONS = [
  'block_actions',
  'view_submission',
  'view_closed',
  'block_suggestion',
  'shortcut',
  'message_action',
] as const;

export type KnownKind = (typeof INTERACTIONS)[number] | 'command' | 'event';
export type RequestKind = KnownKind | 'other';

/** Returns the kind of a request. https://docs.slack.dev/reference/interaction-payloads */
export function requestKind({ type, command }: Record<string, unknown>): RequestKind {
  if (typeof command === 'string') return 'command';
  if (type === 'event_callback') return 'event';
  return INTERACTIONS.find((each) => each === type) ?? 'other';
}

/** The longest wait of a stop: after the ack, a listener still makes a call or two for a modal that a person waits for. */
export const MAX_STOP_MS = 1_500;

/** Work in progress, so that a stop can wait for it. */
export class InFlight {
  readonly #work = new Set<Promise<unknown>>();

  track<Value>(work: Promise<Value>): Promise<Value> {
    const forget = () => this.#work.delete(work);
    this.#work.add(work);
    work.then(forget, forget);
    return work;
  }

  /** Resolves when no work is in progress, or after `mostMs`. */
  async settled(mostMs: number): Promise<void> {
    const deadline = performance.now() + mostMs;
    while (this.#work.size > 0 && performance.now() < deadline) {
      const late = new AbortController();
      const limit = delay(Math.max(1, deadline - performance.now()), null, { signal: late.signal }).catch(() => {});
      await Promise.race([Promise.allSettled(this.#work), limit]);
      late.abort();
    }
  }
}
