import type { Json } from '../../core/json.ts';
import { type CallbackKey, StoreUnavailable } from '../../core/ports.ts';
import { isRef } from '../credentials.ts';
import { parseJsonBody } from '../payload.ts';
import type { WebhookAnswer, WebhookContext, WebhookReceiver } from './context.ts';
import { receiveCrew, receiveStep, receiveTask } from './events.ts';
import { receiveHumanInput } from './human-input.ts';
import { receiveFromElsewhere } from './started-elsewhere.ts';

/** An address that a crew service may call. */
export interface WebhookRoute {
  /** Null if the caller isn't authenticated. Looks nothing up: an unknown execution is answered the same way. */
  authenticate(authorization: string | undefined): WebhookReceiver | null;
}

export interface Webhooks {
  /** @param path the decoded segments of the path. Null if no webhook has this address. */
  find(path: readonly string[]): WebhookRoute | null;
}

type Body = { value: Json; text: string };
type Receive<Sender> = (context: WebhookContext, sender: Sender, body: Body) => Promise<WebhookAnswer>;

const EVENTS = new Map<string, Receive<CallbackKey>>([
  ['task', (context, key, { value }) => receiveTask(context, key, value)],
  ['step', (context, key, { value }) => receiveStep(context, key, value)],
  ['crew', (context, key, { value }) => receiveCrew(context, key, value)],
]);

/** The routes for notifications of the crew services (specification, section 6). */
export function createWebhooks(context: WebhookContext): Webhooks {
  return {
    find([top, kind, owner, ...rest]) {
      if (top !== 'webhooks' || owner === undefined) return null;
      if (kind === 'executions') return executionRoute(context, owner, rest);
      return kind === 'crews' ? crewRoute(context, owner, rest) : null;
    },
  };
}

function executionRoute(context: WebhookContext, ref: string, rest: string[]): WebhookRoute | null {
  const { credentials, log } = context;
  const route = (receive: Receive<CallbackKey>, hopOf: (authorization: string | undefined) => number | null) => ({
    authenticate(authorization: string | undefined) {
      const hop = isRef(ref) ? hopOf(authorization) : null;
      if (hop !== null) return receiver(context, receive, { ref, hop });
      log.warn({ ref: isRef(ref) ? ref : null }, 'refused a notification without valid credentials');
      return null;
    },
  });
  const [first = '', second = ''] = rest;
  if (rest.length === 1 && first === 'human-input') {
    return route(receiveHumanInput, (authorization) => credentials.hopOfExecution(ref, authorization));
  }
  if (rest.length === 2 && second === 'human-input') {
    return route(receiveHumanInput, () => credentials.hopOfHumanInput(ref, first));
  }
  const receive = rest.length === 2 ? EVENTS.get(second) : undefined;
  return receive ? route(receive, () => credentials.hopOfPath(ref, first)) : null;
}

/** For executions started elsewhere: with credentials, or with a token in the path. */
function crewRoute(context: WebhookContext, name: string, rest: string[]): WebhookRoute | null {
  const { credentials } = context;
  const [last, token, ...more] = rest.toReversed();
  if (last !== 'human-input' || more.length > 0) return null;
  return {
    authenticate(authorization) {
      const valid =
        token === undefined ? credentials.isOfCrew(name, authorization) : credentials.isCrewToken(name, token);
      const crew = context.crews.find((each) => each.name === name);
      if (valid && crew) return receiver(context, receiveFromElsewhere, crew.name);
      context.log.warn({ crew: crew?.name ?? null }, 'refused a notification without valid credentials');
      return null;
    },
  };
}

function receiver<Sender>(context: WebhookContext, receive: Receive<Sender>, sender: Sender): WebhookReceiver {
  return async (bytes) => {
    const text = bytes.toString('utf8');
    const parsed = parseJsonBody(text);
    if (!parsed) return NOT_JSON;
    try {
      return await receive(context, sender, { value: parsed.value, text });
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      context.log.error({ err: error, sender }, 'a notification could not be stored');
      return UNAVAILABLE;
    }
  };
}

const NOT_JSON: WebhookAnswer = { status: 400, body: { status: 'bad-request', message: 'The body is not JSON.' } };

/** What isn't stored must not be acknowledged. */
const UNAVAILABLE: WebhookAnswer = {
  status: 503,
  retryAfterS: 5,
  body: { status: 'unavailable', message: 'The notification could not be stored; send it again.' },
};
