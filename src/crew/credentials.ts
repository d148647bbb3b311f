import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { CallbackKey } from '../core/ports.ts';

/** How the service authenticates to us (specification, section 2.3). */
export type Authentication =
  | { strategy: 'bearer'; token: string }
  | { strategy: 'basic'; username: string; password: string };

export type AuthStrategy = Authentication['strategy'];

export type Credentials = ReturnType<typeof createCredentials>;

/**
 * The credentials that crew services call us back with, recomputed from the secrets and never stored. Both strategies are
 * always accepted, so that changing the setting locks out no running execution. Credentials of one execution carry the hop.
 * @param secrets newest first: credentials are made with the newest and checked against all, in constant time
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
    /** For the human-input notifications of one execution. */
    ofExecution: ({ ref, hop }: CallbackKey, strategy: AuthStrategy) =>
      authentication({ hop, mac: execution.make(ref, hop) }, strategy),
    /** The bearer token for the events that a service streams of one execution. */
    ofStream: ({ ref, hop }: CallbackKey) => tokenText({ hop, mac: stream.make(ref, hop) }),
    /** For notifications of executions started elsewhere. */
    ofCrew: (crew: string, strategy: AuthStrategy) => authentication({ hop: 0, mac: crews.make(crew, 0) }, strategy),
    /** The unguessable part of an address, for calls that carry no credentials: of events. */
    pathToken: ({ ref, hop }: CallbackKey) => tokenText({ hop, mac: path.make(ref, hop) }),
    humanInputToken: ({ ref, hop }: CallbackKey) => tokenText({ hop, mac: humanInputPath.make(ref, hop) }),
    crewToken: (crew: string) => tokenText({ hop: 0, mac: crewPath.make(crew, 0) }),
    /** Programs ask people with this token, by the rules of the crew. */
    askToken: (crew: string) => tokenText({ hop: 0, mac: asks.make(crew, 0) }),
    /** The hop that this `Authorization` header is for; null if it isn't this execution's. */
    hopOfExecution: (ref: string, authorization: string | undefined) =>
      checked(execution, ref, readAuthorization(authorization)),
    hopOfStream: (ref: string, authorization: string | undefined) =>
      checked(stream, ref, readAuthorization(authorization)),
    /** The hop that this path token is for; null if it isn't this execution's. */
    hopOfPath: (ref: string, token: string) => checked(path, ref, readToken(token)),
    hopOfHumanInput: (ref: string, token: string) => checked(humanInputPath, ref, readToken(token)),
    isOfCrew: (crew: string, authorization: string | undefined) =>
      checked(crews, crew, readAuthorization(authorization)) === 0,
    isCrewToken: (crew: string, token: string) => checked(crewPath, crew, readToken(token)) === 0,
    isAsker: (crew: string, authorization: string | undefined) =>
      checked(asks, crew, readAuthorization(authorization)) === 0,
  };
}

/** A MAC together with the hop that it is for. */
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

/** Both are base64url of 32 bytes, as timingSafeEqual needs equal lengths. */
function isSame(expected: string, given: string): boolean {
  return timingSafeEqual(Buffer.from(expected), Buffer.from(given));
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
 * The webhook settings of a kickoff or resume, named as in the specification (sections 2.3 and 2.4). Every resume repeats
 * them all, since a service may carry none of them over.
 */
export interface CallbackSettings {
  /** One of these two. */
  humanInputWebhook?: { url: string; authentication: Authentication };
  humanInputWebhookUrl?: string;
  /** Streamed events, or else these addresses. */
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
  /** Each event at once, instead of several together. */
  realtime: true;
  authentication: { strategy: 'bearer'; token: string };
}

/** The types of events that we have a use for. */
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

/** What webhook addresses and credentials are made from. */
export interface CallbackSource {
  /** With or without a trailing slash. */
  publicUrl: string;
  credentials: Credentials;
  webhookAuth: AuthStrategy;
}

/** How a service is told where to ask, and where to tell what happens. */
export interface CallbackForm {
  /** The credentials to use there, or only a secret address. */
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
    // Also beside a stream: the end is told once, and its result must not depend on the stream.
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

/** What starts an execution: one submission of a form, one command, or one step of a workflow. */
type RefSeed = { viewId: string; attempt: number } | { triggerId: string } | { stepId: string };

const REF = /^[a-z2-7]{26}$/;

export function isRef(text: string): boolean {
  return REF.test(text);
}

/**
 * Our own references of executions: short, unguessable, and spread evenly over all shards.
 * @param secrets newest first; new references are made with the newest
 */
export function createRefs(secrets: readonly string[]) {
  const macs = secrets.map((secret) => deriveMac(secret, 'ref'));
  const [newest] = macs;
  if (!newest) throw new RangeError('At least one secret is needed.');
  return {
    /** Always the same for the same form, command or step: one that arrives twice starts one crew. */
    createRef(seed: RefSeed): string {
      if ('stepId' in seed) return asRef(newest('step', seed.stepId));
      return asRef('viewId' in seed ? newest('form', seed.viewId, seed.attempt) : newest('command', seed.triggerId));
    },
    /** The reference of an execution started elsewhere. */
    adoptedRef: (crew: string, executionId: string) => asRef(newest('adopted', crew, executionId)),
    /** The references that it may have been adopted under, newest secret first. */
    adoptedRefs: (crew: string, executionId: string) => macs.map((mac) => asRef(mac('adopted', crew, executionId))),
    /** The reference of what a program asks under an id of its own. */
    askRef: (crew: string, id: string) => asRef(newest('ask', crew, id)),
    /** The references that it may have asked under, newest secret first. */
    askRefs: (crew: string, id: string) => macs.map((mac) => asRef(mac('ask', crew, id))),
  };
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** The first 130 bits in lower-case base 32: safe in paths and Redis keys, and easy to read aloud. */
function asRef(digest: Buffer): string {
  let text = '';
  for (let bit = 0; text.length < 26; bit += 5) {
    text += ALPHABET[(digest.readUInt16BE(bit >> 3) >> (11 - (bit & 7))) & 31];
  }
  return text;
}

/** What a key is for. Keys of different purposes are independent, so that no credential can stand in for another. */
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

/** Computes the message authentication code of these parts. */
type Mac = (...parts: (string | number)[]) => Buffer;

/** 32 bytes for one purpose, derived from the secret by HKDF (https://www.rfc-editor.org/rfc/rfc5869). */
export function deriveKey(secret: string, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `signoff/${purpose}/1`, KEY_BYTES));
}

/**
 * A keyed hash (HMAC-SHA-256) for one purpose, its key derived from the secret.
 * The parts are joined as JSON: `('a', 'bc')` and `('ab', 'c')` differ.
 */
function deriveMac(secret: string, purpose: KeyPurpose): Mac {
  const key = deriveKey(secret, purpose);
  return (...parts) => createHmac('sha256', key).update(JSON.stringify(parts)).digest();
}
