// The addresses that crew services call, and the proof that each caller has to give.

import { type CallbackKey, StoreUnavailable } from '../../core/ports.ts';
import type { Json } from '../../core/values/json.ts';
import { type Credentials, isRef } from '../credentials.ts';
import { readJsonBody } from '../payload.ts';
import type { WebhookAnswer, WebhookContext, WebhookReceiver } from './context.ts';
import { receiveStream } from './event-stream.ts';
import { receiveCrew, receiveStep, receiveTask } from './events.ts';
import { receiveFlow } from './flow.ts';
import { type HeaderOf, keyThatSigned, signatureIn } from './flow-signature.ts';
import { receiveHumanInput } from './human-input.ts';
import { receiveFromElsewhere } from './started-elsewhere.ts';

export interface WebhookRoute {
  /** `credentials` are checked before the body is read. For a `signature`, anybody can make us read a body first. */
  proof: 'credentials' | 'signature';
  /** Returns null if the caller isn't authenticated. Looks nothing up, so that unknown executions get the same answer. */
  authenticate(headerOf: HeaderOf): WebhookReceiver | null;
}

export interface Webhooks {
  /** @param path the decoded segments of the path. Null if no webhook has this address. */
  find(path: readonly string[]): WebhookRoute | null;
}

type Body = { value: Json; text: string };
type Receive<Sender> = (context: WebhookContext, sender: Sender, body: Body) => Promise<WebhookAnswer>;

export type NotificationKind = 'human-input' | 'events' | 'task' | 'step' | 'crew';

const RECEIVERS: Record<NotificationKind, Receive<CallbackKey>> = {
  'human-input': receiveHumanInput,
  events: (context, key, { value }) => receiveStream(context, key, value),
  task: (context, key, { value }) => receiveTask(context, key, value),
  step: (context, key, { value }) => receiveStep(context, key, value),
  crew: (context, key, { value }) => receiveCrew(context, key, value),
};

/** The routes for notifications of the crew services (specification, section 6). */
export function createWebhooks(context: WebhookContext): Webhooks {
  const metFlows = new Set<string>();
  return {
    find([top, kind, owner, ...rest]) {
      if (top !== 'webhooks' || owner === undefined) return null;
      if (kind === 'executions') return executionRoute(context, owner, rest);
      if (kind !== 'crews') return null;
      return rest.length === 1 && rest[0] === 'flow'
        ? flowRoute(context, owner, metFlows)
        : crewRoute(context, owner, rest);
    },
  };
}

function executionRoute(context: WebhookContext, ref: string, rest: string[]): WebhookRoute | null {
  const { credentials, log } = context;
  const address = executionAddress(credentials, ref, rest);
  return (
    address && {
      proof: 'credentials',
      authenticate(headerOf) {
        const hop = isRef(ref) ? address.hopOf(headerOf('authorization')) : null;
        if (hop !== null) return receiver(context, RECEIVERS[address.kind], { ref, hop });
        log.warn({ ref: isRef(ref) ? ref : null }, 'refused a notification without valid credentials');
        return null;
      },
    }
  );
}

interface ExecutionAddress {
  kind: NotificationKind;
  /** Returns the hop for which the caller has credentials; null if it has none. */
  hopOf(authorization: string | undefined): number | null;
}

/** @param rest the segments after the execution's ref. One before the last is a token, for callers without credentials. */
export function executionAddress(
  credentials: Credentials,
  ref: string,
  rest: readonly string[],
): ExecutionAddress | null {
  const [kind, token, ...more] = rest.toReversed();
  if (more.length > 0) return null;
  switch (kind) {
    case 'human-input':
      return {
        kind,
        hopOf: (authorization) =>
          token === undefined
            ? credentials.hopOfExecution(ref, authorization)
            : credentials.hopOfHumanInput(ref, token),
      };
    case 'events':
      return token === undefined
        ? { kind, hopOf: (authorization) => credentials.hopOfStream(ref, authorization) }
        : null;
    case 'task':
    case 'step':
    case 'crew':
      return token === undefined ? null : { kind, hopOf: () => credentials.hopOfPath(ref, token) };
    default:
      return null;
  }
}

/** Returns the route for executions started elsewhere, with credentials or a token in the path. */
function crewRoute(context: WebhookContext, name: string, rest: string[]): WebhookRoute | null {
  const { credentials } = context;
  const [last, token, ...more] = rest.toReversed();
  if (last !== 'human-input' || more.length > 0) return null;
  return {
    proof: 'credentials',
    authenticate(headerOf) {
      const valid =
        token === undefined
          ? credentials.isOfCrew(name, headerOf('authorization'))
          : credentials.isCrewToken(name, token);
      const crew = context.crews.find((each) => each.name === name);
      if (valid && crew) return receiver(context, receiveFromElsewhere, crew.name);
      context.log.warn({ crew: crew?.name ?? null }, 'refused a notification without valid credentials');
      return null;
    },
  };
}

/** Returns the route for flows that wait for feedback. The log tells the operator why one is refused; the sender doesn't learn it. */
function flowRoute(context: WebhookContext, name: string, met: Set<string>): WebhookRoute {
  const { crews, log } = context;
  const crew = crews.find((each) => each.name === name);
  const refuse = (why: string) => {
    log.warn({ crew: crew?.name ?? null, why }, 'refused a notification of a flow');
    return null;
  };
  return {
    proof: 'signature',
    authenticate(headerOf) {
      if (!crew) return refuse('unknown crew');
      if (crew.flowSecrets.length === 0) return refuse('the crew has no flow_secret');
      const signature = signatureIn(headerOf, Date.now());
      if (typeof signature === 'string') return refuse(signature);
      return async (body) => {
        const key = keyThatSigned(signature, body, crew.flowSecrets);
        if (key === null) return refuse('signed with another secret');
        return receiver(context, receiveFlow, {
          crew: name,
          met(shape) {
            if (met.has(name)) return;
            met.add(name);
            log.info({ crew: name, shape, header: signature.header, key }, 'a flow of this crew has notified');
          },
        })(body);
      };
    },
  };
}

function receiver<Sender>(context: WebhookContext, receive: Receive<Sender>, sender: Sender): WebhookReceiver {
  return async (bytes) => {
    const end = context.pendingRequests.begin();
    try {
      const read = readJsonBody(bytes);
      if (!read.ok) return { status: 400, body: { status: 'bad-request', message: read.refusal } };
      return await receive(context, sender, read.value);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      context.log.error({ err: error, sender }, 'a notification could not be stored');
      return UNAVAILABLE;
    } finally {
      end();
    }
  };
}

/** A notification that isn't stored must not be acknowledged. */
const UNAVAILABLE: WebhookAnswer = {
  status: 503,
  retryAfterS: 5,
  body: { status: 'unavailable', message: 'The notification could not be stored; send it again.' },
};
