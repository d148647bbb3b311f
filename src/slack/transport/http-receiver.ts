import type { IncomingHttpHeaders } from 'node:http';
import type { App, Receiver } from '@slack/bolt';
import { verifySlackRequest } from '@slack/bolt';
import type { Logger } from 'pino';
import { ACK_LIMIT_MS } from '../ui/limits.ts';
import { InFlight } from './in-flight.ts';
import { logUndecodable, logUnreadable } from './log-unreadable.ts';
import { type ObserveRequest, type RequestOutcome, requestKind } from './observe-requests.ts';
import { type Payload, parseBody } from './parse-body.ts';

export interface SlackRequest {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface SlackResponse {
  status: number;
  contentType: 'application/json' | 'text/plain';
  body: string;
}

/** After the ack, a listener still makes a call or two for a modal that a person is waiting for. */
const MAX_STOP_MS = 2_000;
/** How far ahead of our clock a timestamp may be. Bolt checks only for old ones. https://docs.slack.dev/authentication/verifying-requests-from-slack */
const MAX_AHEAD_S = 5 * 60;

/**
 * Bolt's receiver for HTTP mode, on our own server instead of Bolt's. It verifies and decodes each request once, refuses signed
 * but malformed ones, and answers only after the listener's ack or after ACK_LIMIT_MS.
 */
export class HttpReceiver implements Receiver {
  readonly #signingSecret: string;
  readonly #log: Logger;
  readonly #observe: ObserveRequest;
  readonly #inFlight = new InFlight();
  #app: App | null = null;

  constructor({
    signingSecret,
    log,
    observe = () => () => {},
  }: { signingSecret: string; log: Logger; observe?: ObserveRequest }) {
    this.#signingSecret = signingSecret;
    this.#log = log;
    this.#observe = observe;
  }

  init(app: App): void {
    this.#app = app;
  }

  async start(): Promise<void> {}

  /** Resolves when the listeners have finished what they do after their acks. */
  async stop(): Promise<void> {
    await this.#inFlight.settled(MAX_STOP_MS);
  }

  /** Answers one request to `POST /slack/events`. Never throws. */
  async handle({ headers, body }: SlackRequest): Promise<SlackResponse> {
    const raw = body.toString('utf8');
    if (!this.#isFromSlack(headers, raw)) return plain(401, 'The signature is missing or wrong.');
    const parsed = parseBody(headers['content-type'], raw);
    if (!parsed.ok) {
      logUndecodable(this.#log, parsed.refusal);
      return plain(400, NO_PAYLOAD);
    }
    const payload = parsed.value;
    if ('ssl_check' in payload) return plain(200, '');
    if (payload.type === 'url_verification') return json({ challenge: payload.challenge });
    const tell = this.#observe(requestKind(payload));
    const response = await this.#dispatch(payload, headers);
    tell(outcomeOf(response));
    return response;
  }

  #isFromSlack(headers: IncomingHttpHeaders, body: string): boolean {
    const signature = headers['x-slack-signature'];
    const stamp = Number(headers['x-slack-request-timestamp']);
    if (typeof signature !== 'string' || !Number.isInteger(stamp)) return false;
    if (stamp > Date.now() / 1000 + MAX_AHEAD_S) return false;
    try {
      verifySlackRequest({
        signingSecret: this.#signingSecret,
        body,
        headers: { 'x-slack-signature': signature, 'x-slack-request-timestamp': stamp },
      });
      return true;
    } catch {
      return false;
    }
  }

  async #dispatch(payload: Payload, headers: IncomingHttpHeaders): Promise<SlackResponse> {
    const app = this.#app;
    if (!app) return plain(503, 'Not ready yet.');
    return new Promise((resolve) => {
      const watchdog = setTimeout(() => resolve(plain(503, 'Not answered in time.')), ACK_LIMIT_MS);
      const answer = (response: SlackResponse) => {
        clearTimeout(watchdog);
        resolve(response);
      };
      const ack = async (response?: unknown) => answer(acknowledged(response));
      // Without an ack, Slack shows the person an error.
      const fail = (error: unknown) =>
        answer(
          logUnreadable(this.#log, payload, error) ? plain(400, NO_PAYLOAD) : plain(500, 'Something went wrong here.'),
        );
      this.#inFlight
        .track(app.processEvent({ body: payload, ack, ...retries(headers) }))
        .then(() => answer(unanswered(payload)), fail);
    });
  }
}

const NO_PAYLOAD = 'The body is not a Slack payload.';

function outcomeOf({ status }: SlackResponse): RequestOutcome {
  if (status === 200) return 'acknowledged';
  if (status === 404) return 'unanswered';
  return status === 503 ? 'late' : 'failed';
}

/** There is a listener for all requests of the kinds that we know, so Bolt took this one for something else. */
function unanswered(payload: Payload): SlackResponse {
  return requestKind(payload) === 'other' ? plain(404, 'Nothing here answers this.') : plain(400, NO_PAYLOAD);
}

function retries(headers: IncomingHttpHeaders): { retryNum?: number; retryReason?: string } {
  const number = Number(headers['x-slack-retry-num']);
  const reason = headers['x-slack-retry-reason'];
  if (!Number.isInteger(number) || typeof reason !== 'string') return {};
  return { retryNum: number, retryReason: reason };
}

function acknowledged(response: unknown): SlackResponse {
  if (response === undefined || response === null || response === '') return plain(200, '');
  return typeof response === 'string' ? plain(200, response) : json(response);
}

function plain(status: number, body: string): SlackResponse {
  return { status, contentType: 'text/plain', body };
}

function json(value: unknown): SlackResponse {
  return { status: 200, contentType: 'application/json', body: JSON.stringify(value) };
}
