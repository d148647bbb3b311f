import { isUtf8 } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { App, Receiver } from '@slack/bolt';
import { ok, type Result, refuse } from '../../core/values/result.ts';
import type { Millis } from '../../core/values/time.ts';
import { ACK_LIMIT_MS } from '../ui/limits.ts';
import {
  beginRequest,
  type Handling,
  type IncomingRequest,
  InFlight,
  logUnreadable,
  MAX_STOP_MS,
  processRequest,
  type RequestOutcome,
  requestKind,
  retryOf,
  UNWATCHED,
  type Watchers,
} from './request.ts';

// The receiver of HTTP mode: verifies Slack's signature and answers with what the listeners acknowledge.

interface SlackRequest {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

interface SlackResponse {
  status: number;
  contentType: 'application/json' | 'text/plain';
  body: string;
}

/**
 * The reason why a request isn't accepted as Slack's. `unsigned`: it has no signature. `signature`: it was signed with another secret. `clock`: Slack
 * signed it, but more than five minutes ago or ahead by our clock.
 */
export const REFUSAL_REASONS = ['unsigned', 'signature', 'clock'] as const;

type Refusal = { reason: 'unsigned' | 'signature' } | { reason: 'clock'; aheadOfSlackS: number };

export interface HttpReceiverOptions extends Watchers {
  signingSecret: string;
  onRefused?: (reason: Refusal['reason']) => void;
  now?: () => Millis;
  /** The time within which a request is answered, for a test workspace that waits longer than Slack. */
  ackLimitMs?: Millis;
}

/**
 * Receives requests in HTTP mode, from our own server. Verifies and decodes each request once, refuses signed but malformed ones, and
 * answers only after the listener's ack, or after `ackLimitMs`.
 */
export class HttpReceiver implements Receiver {
  readonly #options: Required<HttpReceiverOptions>;
  readonly #inFlight = new InFlight();
  /** Times of the next log line for each reason, so that many refusals don't fill the log. */
  readonly #quietUntil = new Map<Refusal['reason'], Millis>();
  #app: App | null = null;

  constructor(options: HttpReceiverOptions) {
    this.#options = {
      ...UNWATCHED,
      ackLimitMs: ACK_LIMIT_MS,
      onRefused: () => {},
      now: () => performance.now(),
      ...options,
    };
  }

  init(app: App): void {
    this.#app = app;
  }

  /** The server has its own start. */
  async start(): Promise<void> {}

  async stop(): Promise<void> {
    await this.#inFlight.settled(MAX_STOP_MS);
  }

  isConnected(): boolean {
    return true;
  }

  trouble(): null {
    return null;
  }

  /** Returns the answer to a request whose signature can't be right, whatever its body; null if the body has to be read. */
  refuse(headers: IncomingHttpHeaders): SlackResponse | null {
    return signatureIn(headers) ? null : this.#refused({ reason: 'unsigned' });
  }

  #refused(refusal: Refusal): SlackResponse {
    const { log, onRefused, now } = this.#options;
    const { reason } = refusal;
    onRefused(reason);
    if (now() >= (this.#quietUntil.get(reason) ?? 0)) {
      this.#quietUntil.set(reason, now() + QUIET_MS);
      log.warn(refusal, 'refused a request that should be from Slack');
    }
    return UNSIGNED;
  }

  /** Answers one request to `POST /slack/events`. Never throws. */
  async receive({ headers, body }: SlackRequest): Promise<SlackResponse> {
    const { signingSecret, log } = this.#options;
    const refusal = refusalOf({ headers, body }, signingSecret);
    if (refusal !== null) return this.#refused(refusal);
    const parsed = parseBody(headers['content-type'], body);
    if (!parsed.ok) {
      logUnreadable(log, { kind: 'other', reason: parsed.refusal });
      return NO_PAYLOAD;
    }
    const payload = parsed.value;
    if ('ssl_check' in payload) return plain(200, '');
    if (payload.type === 'url_verification') return json({ challenge: payload.challenge });
    const end = beginRequest(requestKind(payload), this.#options);
    const { 'x-slack-retry-num': number, 'x-slack-retry-reason': reason } = headers;
    const response = await this.#process(payload, retryOf({ number, reason }));
    end(outcomeOf(response));
    return response;
  }

  #process(body: IncomingRequest['body'], retry: IncomingRequest['retry']): Promise<SlackResponse> {
    return new Promise((resolve) => {
      const watchdog = setTimeout(() => resolve(plain(503, 'Not answered in time.')), this.#options.ackLimitMs);
      const answer = (response: SlackResponse) => {
        clearTimeout(watchdog);
        resolve(response);
      };
      const ack: IncomingRequest['ack'] = async (content = '') =>
        answer(typeof content === 'string' ? plain(200, content) : json(content));
      const handling = this.#app
        ? processRequest(this.#app, { body, ack, retry }, this.#options)
        : Promise.resolve<Handling>('unknown');
      void this.#inFlight.track(handling).then((what) => answer(WITHOUT_ACK[what]));
    });
  }
}

const QUIET_MS = 60_000;

const UNSIGNED = plain(401, 'The signature is missing or wrong.');
const NO_PAYLOAD = plain(400, 'The body is not a Slack payload.');
const NOT_ANSWERED = plain(404, 'Nothing here answers this.');

/** Answers to requests that weren't acknowledged, for which Slack shows the person an error. */
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

type Payload = Record<string, unknown>;

type BodyProblem = 'content type' | 'encoding' | 'NUL byte' | 'unknown form' | 'JSON';

/** Slack sends one JSON object, bare or as the `payload` of a form, or a command as a form. */
export function parseBody(contentType: string | undefined, body: Buffer): Result<Payload, BodyProblem> {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return parseObject(body.toString());
  if (type !== 'application/x-www-form-urlencoded') return refuse('content type');
  const fields = formFields(body);
  if (fields === null) return refuse('encoding');
  if (body.includes(0) || body.includes('%00')) return refuse('NUL byte');
  const payload = fields.get('payload');
  if (payload !== undefined) return parseObject(payload);
  return fields.has('command') || fields.has('ssl_check') ? ok(Object.fromEntries(fields)) : refuse('unknown form');
}

const PERCENT = 0x25;
const AMPERSAND = 0x26;
const PLUS = 0x2b;
const EQUALS = 0x3d;
const SPACE = 0x20;

/** Values of the bytes that are hexadecimal digits. */
const DIGITS = Float64Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return /[\da-f]/i.test(character) ? Number.parseInt(character, 16) : Number.NaN;
});

/**
 * Returns the fields of a form; null if a `%` is broken or bytes aren't UTF-8, which URLSearchParams would accept. Each click is a form,
 * for which `decodeURIComponent` takes twice as long. https://url.spec.whatwg.org/#urlencoded-parsing
 */
function formFields(form: Buffer): Map<string, string> | null {
  const fields = new Map<string, string>();
  const decoded = Buffer.allocUnsafe(form.length);
  let start = 0;
  let length = 0;
  let name: string | null = null;
  for (let i = 0; i <= form.length; i++) {
    const byte = i < form.length ? (form[i] ?? 0) : AMPERSAND;
    if (byte === PERCENT) {
      const value = 16 * (DIGITS[form[i + 1] ?? 0] ?? 0) + (DIGITS[form[i + 2] ?? 0] ?? 0);
      if (Number.isNaN(value)) return null;
      decoded[length++] = value;
      i += 2;
      continue;
    }
    if (byte !== AMPERSAND && (byte !== EQUALS || name !== null)) {
      decoded[length++] = byte === PLUS ? SPACE : byte;
      continue;
    }
    const part = decoded.subarray(start, length);
    if (!isUtf8(part)) return null;
    start = length;
    const text = part.toString();
    if (byte === EQUALS) name = text;
    else if (name !== null || text !== '') {
      fields.set(name ?? text, name === null ? '' : text);
      name = null;
    }
  }
  return fields;
}

function parseObject(text: string): Result<Payload, BodyProblem> {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? ok({ ...value }) : refuse('JSON');
  } catch {
    return refuse('JSON');
  }
}

const TOLERANCE_S = 5 * 60;
const SIGNATURE = /^v0=([0-9a-f]{64})$/;

interface Signature {
  stamp: string;
  /** The hash in hex. */
  mac: string;
}

/** Returns null if Slack signed a request within five minutes of our clock. https://docs.slack.dev/authentication/verifying-requests-from-slack */
function refusalOf({ headers, body }: SlackRequest, signingSecret: string): Refusal | null {
  const signature = signatureIn(headers);
  if (!signature) return { reason: 'unsigned' };
  const { stamp, mac } = signature;
  const expected = createHmac('sha256', signingSecret).update(`v0:${stamp}:`).update(body).digest();
  // Slack signs text only.
  if (!isUtf8(body) || !timingSafeEqual(Buffer.from(mac, 'hex'), expected)) return { reason: 'signature' };
  const aheadS = Date.now() / 1000 - Number(stamp);
  return Math.abs(aheadS) <= TOLERANCE_S ? null : { reason: 'clock', aheadOfSlackS: Math.round(aheadS) };
}

/** Returns the signature that a request claims to have; null if its form is wrong. */
function signatureIn(headers: IncomingHttpHeaders): Signature | null {
  const { 'x-slack-signature': signature, 'x-slack-request-timestamp': stamp } = headers;
  if (typeof signature !== 'string' || typeof stamp !== 'string') return null;
  const [, mac] = SIGNATURE.exec(signature) ?? [];
  return mac === undefined || !/^\d{1,15}$/.test(stamp) ? null : { stamp, mac };
}
