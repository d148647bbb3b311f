// Everything derived from the operator's secrets: credentials and addresses for crews and programs, references of executions, and keys.

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { CallbackKey } from '../core/ports.ts';

/** The credentials of a service at our addresses (specification, section 2.3). */
export type Authentication =
  | { strategy: 'bearer'; token: string }
  | { strategy: 'basic'; username: string; password: string };

export type AuthStrategy = Authentication['strategy'];

export type Credentials = ReturnType<typeof createCredentials>;

/**
 * Makes and checks the credentials of crew services, recomputed from the secrets and never stored. Both strategies are always
 * accepted, so that changing the setting locks out no running execution. Credentials of an execution carry the hop.
 * @param secrets the newest first: it makes credentials, and all of them check, in constant time
 */
export function createCredentials(secrets: readonly string[]) {
  const execution = sealsFor(secrets, 'human-input');
  const stream = sealsFor(secrets, 'event-stream');
  const path = sealsFor(secrets, 'event-path');
  const humanInputPath = sealsFor(secrets, 'human-input-path');
  const crews = sealsFor(secrets, 'crew-human-input');
  const crewPath = sealsFor(secrets, 'crew-human-input-path');
  const asks = sealsFor(secrets, 'ask');
  return {
    /** Credentials for the human-input notifications of one execution. */
    ofExecution: ({ ref, hop }: CallbackKey, strategy: AuthStrategy) =>
      authentication({ hop, mac: execution.make(ref, hop) }, strategy),
    /** Bearer token for the event stream of one execution. */
    ofStream: ({ ref, hop }: CallbackKey) => tokenText({ hop, mac: stream.make(ref, hop) }),
    /** Credentials for notifications of executions started elsewhere. */
    ofCrew: (crew: string, strategy: AuthStrategy) => authentication({ hop: 0, mac: crews.make(crew, 0) }, strategy),
    /** Unguessable part of the address of events, which carry no credentials. */
    pathToken: ({ ref, hop }: CallbackKey) => tokenText({ hop, mac: path.make(ref, hop) }),
    humanInputToken: ({ ref, hop }: CallbackKey) => tokenText({ hop, mac: humanInputPath.make(ref, hop) }),
    crewToken: (crew: string) => tokenText({ hop: 0, mac: crewPath.make(crew, 0) }),
    /** Token of programs that ask people by the crew's rules. */
    askToken: (crew: string) => tokenText({ hop: 0, mac: asks.make(crew, 0) }),
    /** Returns the hop of an `Authorization` header; null if it isn't this execution's. */
    hopOfExecution: (ref: string, authorization: string | undefined) =>
      checked(execution, ref, readAuthorization(authorization)),
    hopOfStream: (ref: string, authorization: string | undefined) =>
      checked(stream, ref, readAuthorization(authorization)),
    /** Returns the hop of a path token; null if it isn't this execution's. */
    hopOfPath: (ref: string, token: string) => checked(path, ref, readToken(token)),
    hopOfHumanInput: (ref: string, token: string) => checked(humanInputPath, ref, readToken(token)),
    isOfCrew: (crew: string, authorization: string | undefined) =>
      checked(crews, crew, readAuthorization(authorization)) === 0,
    isCrewToken: (crew: string, token: string) => checked(crewPath, crew, readToken(token)) === 0,
    isAsker: (crew: string, authorization: string | undefined) =>
      checked(asks, crew, readAuthorization(authorization)) === 0,
  };
}

/** A MAC with its hop. */
interface Seal {
  hop: number;
  mac: string;
}

interface Seals {
  make(owner: string, hop: number): string;
  accepts(owner: string, seal: Seal): boolean;
}

function sealsFor(secrets: readonly string[], purpose: KeyPurpose): Seals {
  const macs = secrets.map((secret) => deriveMac(secret, purpose));
  const [newest] = macs;
  if (!newest) throw new RangeError('At least one secret is needed.');
  const text = (mac: Mac, owner: string, hop: number) => mac(owner, hop).toString('base64url');
  return {
    make: (owner, hop) => text(newest, owner, hop),
    // Compares with all secrets, even after a match, for constant time.
    accepts: (owner, { hop, mac }) => macs.map((each) => isSame(text(each, owner, hop), mac)).includes(true),
  };
}

function checked(seals: Seals, owner: string, seal: Seal | null): number | null {
  return seal && seals.accepts(owner, seal) ? seal.hop : null;
}

/** Compares in constant time. Both are base64url of 32 bytes: `timingSafeEqual` needs equal lengths. */
function isSame(expected: string, received: string): boolean {
  return timingSafeEqual(Buffer.from(expected), Buffer.from(received));
}

function authentication(seal: Seal, strategy: AuthStrategy): Authentication {
  switch (strategy) {
    case 'bearer':
      return { strategy, token: tokenText(seal) };
    case 'basic':
      return { strategy, username: `signoff-${seal.hop}`, password: seal.mac };
  }
}

function tokenText({ hop, mac }: Seal): string {
  return `h${hop}.${mac}`;
}

const HOP = '0|[1-9][0-9]{0,5}';
const MAC = '[A-Za-z0-9_-]{43}';
const TOKEN = new RegExp(`^h(${HOP})\\.(${MAC})$`);
const USER = new RegExp(`^signoff-(${HOP}):(${MAC})$`);
const SCHEME = /^(bearer|basic) +([\w.~+/=-]{1,300})$/i;

function readToken(text: string): Seal | null {
  return sealOf(TOKEN.exec(text));
}

/** https://www.rfc-editor.org/rfc/rfc6750 and https://www.rfc-editor.org/rfc/rfc7617 */
function readAuthorization(header: string | undefined): Seal | null {
  const [, scheme = '', value = ''] = SCHEME.exec(header ?? '') ?? [];
  if (scheme.toLowerCase() === 'bearer') return readToken(value);
  return sealOf(USER.exec(Buffer.from(value, 'base64').toString('latin1')));
}

function sealOf(match: RegExpExecArray | null): Seal | null {
  const [, hop, mac] = match ?? [];
  return hop === undefined || mac === undefined ? null : { hop: Number(hop), mac };
}

/**
 * The webhook settings of a kickoff or resume, with the names of the specification (sections 2.3 and 2.4). Every resume repeats them
 * all, since a service may forget them.
 */
export interface CallbackSettings {
  /** One of these two is set. */
  humanInputWebhook?: { url: string; authentication: Authentication };
  humanInputWebhookUrl?: string;
  /** A stream, or else the next two addresses. */
  webhooks?: EventStream;
  taskWebhookUrl?: string;
  stepWebhookUrl?: string;
  crewWebhookUrl: string;
  /** Echoed in notifications by services that support it: a second correlation besides the addresses. */
  meta: { [META_REF]: string };
}

/** https://docs.crewai.com/en/enterprise/features/webhook-streaming */
interface EventStream {
  events: readonly StreamedType[];
  url: string;
  /** Sends each event at once, instead of several together. */
  realtime: true;
  authentication: { strategy: 'bearer'; token: string };
}

/** The types of events that we use. */
export const STREAMED_TYPES = [
  'crew_kickoff_started',
  'crew_kickoff_completed',
  'crew_kickoff_failed',
  'task_completed',
  'tool_usage_finished',
  'tool_usage_error',
] as const;

export type StreamedType = (typeof STREAMED_TYPES)[number];

export const META_REF = 'signoff_ref';

export interface CallbackSource {
  /** A trailing slash is allowed. */
  publicUrl: string;
  credentials: Credentials;
  webhookAuth: AuthStrategy;
}

/** The form in which a service takes our addresses. */
export interface CallbackForm {
  /** Address and credentials, or only a secret address. */
  humanInput: 'with-credentials' | 'plain-address';
  /** A stream of events can only be asked for at kickoff. */
  events: 'stream' | 'addresses';
}

export function callbackSettings(source: CallbackSource, key: CallbackKey, form: CallbackForm): CallbackSettings {
  const { publicUrl, credentials } = source;
  const execution = `${publicUrl.replace(/\/+$/, '')}/webhooks/executions/${key.ref}`;
  const events = `${execution}/${credentials.pathToken(key)}`;
  return {
    ...humanInputSettings(source, key, { execution, form: form.humanInput }),
    ...(form.events === 'stream'
      ? { webhooks: eventStream(credentials, key, execution) }
      : { taskWebhookUrl: `${events}/task`, stepWebhookUrl: `${events}/step` }),
    // Set beside a stream as well: the end is reported once, and its result must not depend on the stream.
    crewWebhookUrl: `${events}/crew`,
    meta: { [META_REF]: key.ref },
  };
}

function humanInputSettings(
  { credentials, webhookAuth }: CallbackSource,
  key: CallbackKey,
  { execution, form }: { execution: string; form: CallbackForm['humanInput'] },
): Pick<CallbackSettings, 'humanInputWebhook' | 'humanInputWebhookUrl'> {
  switch (form) {
    case 'plain-address':
      return { humanInputWebhookUrl: `${execution}/${credentials.humanInputToken(key)}/human-input` };
    case 'with-credentials': {
      const authentication = credentials.ofExecution(key, webhookAuth);
      return { humanInputWebhook: { url: `${execution}/human-input`, authentication } };
    }
  }
}

function eventStream(credentials: Credentials, key: CallbackKey, execution: string): EventStream {
  const authentication = { strategy: 'bearer' as const, token: credentials.ofStream(key) };
  return { events: STREAMED_TYPES, url: `${execution}/events`, realtime: true, authentication };
}

export type Refs = ReturnType<typeof createRefs>;

/** The start of an execution: one submission of a form, one command, or one step of a workflow. */
type RefSeed = { viewId: string; attempt: number } | { triggerId: string } | { stepId: string };

const REF = /^[a-z2-7]{26}$/;

export function isRef(text: string): boolean {
  return REF.test(text);
}

/**
 * Makes our own references of executions: short, unguessable, and spread evenly over all shards.
 * @param secrets the newest first: it makes new references
 */
export function createRefs(secrets: readonly string[]) {
  const macs = secrets.map((secret) => deriveMac(secret, 'ref'));
  const [newest] = macs;
  if (!newest) throw new RangeError('At least one secret is needed.');
  return {
    /** Returns the same for the same form, command or step, so that one that arrives twice starts one crew. */
    createRef(seed: RefSeed): string {
      if ('stepId' in seed) return asRef(newest('step', seed.stepId));
      return asRef('viewId' in seed ? newest('form', seed.viewId, seed.attempt) : newest('command', seed.triggerId));
    },
    /** Reference of an execution started elsewhere. */
    adoptedRef: (crew: string, executionId: string) => asRef(newest('adopted', crew, executionId)),
    /** References under all secrets, since an older one may have been in use. */
    adoptedRefs: (crew: string, executionId: string) => macs.map((mac) => asRef(mac('adopted', crew, executionId))),
    /** Reference of a program's ask with an id of its own. */
    askRef: (crew: string, id: string) => asRef(newest('ask', crew, id)),
    /** References under all secrets, since an older one may have been in use. */
    askRefs: (crew: string, id: string) => macs.map((mac) => asRef(mac('ask', crew, id))),
  };
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** Returns the first 130 bits in lower-case base 32: safe in paths and Redis keys, and easy to read aloud. */
function asRef(digest: Buffer): string {
  let text = '';
  for (let bit = 0; text.length < 26; bit += 5) {
    text += ALPHABET[(digest.readUInt16BE(bit >> 3) >> (11 - (bit & 7))) & 31];
  }
  return text;
}

/** Keys of different purposes are independent, so that no credential can replace another. */
type KeyPurpose =
  | 'ref'
  | 'human-input'
  | 'event-stream'
  | 'event-path'
  | 'human-input-path'
  | 'crew-human-input'
  | 'crew-human-input-path'
  | 'ask'
  | 'checkpoint'
  | 'ledger-entry'
  | 'audit-sink'
  | 'callback'
  | 'destination'
  | 'user-token';

const KEY_BYTES = 32;

/** Computes the message authentication code of its parts. */
type Mac = (...parts: (string | number)[]) => Buffer;

/** Derives 32 bytes for one purpose from a secret by HKDF (https://www.rfc-editor.org/rfc/rfc5869). */
export function deriveKey(secret: string, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `signoff/${purpose}/1`, KEY_BYTES));
}

/** Derives an HMAC-SHA-256 for one purpose. The parts are joined as JSON: `('a', 'bc')` and `('ab', 'c')` differ. */
function deriveMac(secret: string, purpose: KeyPurpose): Mac {
  const key = deriveKey(secret, purpose);
  return (...parts) => createHmac('sha256', key).update(JSON.stringify(parts)).digest();
}
