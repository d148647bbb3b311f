import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import { ACK_LIMIT_MS } from '../ui/limits.ts';
import { InFlight } from './in-flight.ts';
import { logUnreadable } from './log-unreadable.ts';
import { type ObserveRequest, type RequestOutcome, requestKind } from './observe-requests.ts';
import { type Payload, parseBody } from './parse-body.ts';
import type { HandleRequest, Handling } from './request-handler.ts';
import { isFromSlack } from './verify-signature.ts';

export interface SlackRequest {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface SlackResponse {
  status: number;
  contentType: 'application/json' | 'text/plain';
  body: string;
}

interface HttpReceiverOptions {
  signingSecret: string;
  handle: HandleRequest;
  log: Logger;
  observe?: ObserveRequest;
}

/** After the ack, a listener still makes a call or two for a modal that a person is waiting for. */
const MAX_STOP_MS = 1_500;

/**
 * Receives requests in HTTP mode, from our own server. It verifies and decodes each request once, refuses signed but malformed
 * ones, and answers only after the listener's ack or after ACK_LIMIT_MS.
 */
export class HttpReceiver {
  readonly #options: Required<HttpReceiverOptions>;
  readonly #inFlight = new InFlight();

  constructor(options: HttpReceiverOptions) {
    this.#options = { observe: () => () => {}, ...options };
  }

  /** Resolves when the listeners have finished what they do after their acks. */
  async stop(): Promise<void> {
    await this.#inFlight.settled(MAX_STOP_MS);
  }

  /** Answers one request to `POST /slack/events`. Never throws. */
  async receive(request: SlackRequest): Promise<SlackResponse> {
    const { signingSecret, log, observe } = this.#options;
    if (!isFromSlack(request, signingSecret)) return plain(401, 'The signature is missing or wrong.');
    const parsed = parseBody(request.headers['content-type'], request.body);
    if (!parsed.ok) {
      logUnreadable(log, { kind: 'other', reason: parsed.refusal });
      return NO_PAYLOAD;
    }
    const payload = parsed.value;
    if ('ssl_check' in payload) return plain(200, '');
    if (payload.type === 'url_verification') return json({ challenge: payload.challenge });
    const tell = observe(requestKind(payload));
    const response = await this.#handle(payload);
    tell(outcomeOf(response));
    return response;
  }

  #handle(payload: Payload): Promise<SlackResponse> {
    return new Promise((resolve) => {
      const watchdog = setTimeout(() => resolve(plain(503, 'Not answered in time.')), ACK_LIMIT_MS);
      const answer = (response: SlackResponse) => {
        clearTimeout(watchdog);
        resolve(response);
      };
      const handling = this.#options.handle(payload, async (body) => answer(body ? json(body) : plain(200, '')));
      void this.#inFlight.track(handling).then((what) => answer(WITHOUT_ACK[what]));
    });
  }
}

const NO_PAYLOAD = plain(400, 'The body is not a Slack payload.');
const NOT_ANSWERED = plain(404, 'Nothing here answers this.');

/** Without an ack, Slack shows the person an error. */
const WITHOUT_ACK: Record<Handling, SlackResponse> = {
  handled: NOT_ANSWERED,
  unknown: NOT_ANSWERED,
  unreadable: NO_PAYLOAD,
  failed: plain(500, 'Something went wrong here.'),
};

function outcomeOf({ status }: SlackResponse): RequestOutcome {
  if (status === 200) return 'acknowledged';
  if (status === 404) return 'unanswered';
  return status === 503 ? 'late' : 'failed';
}

function plain(status: number, body: string): SlackResponse {
  return { status, contentType: 'text/plain', body };
}

function json(value: unknown): SlackResponse {
  return { status: 200, contentType: 'application/json', body: JSON.stringify(value) };
}
