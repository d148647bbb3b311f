import { timingSafeEqual } from 'node:crypto';
import type { CallbackKey } from '../core/ports.ts';
import { deriveMac, type KeyPurpose, type Mac } from './derive-key.ts';

/** How the service authenticates to us (specification, section 2.3). */
export type Authentication =
  | { strategy: 'bearer'; token: string }
  | { strategy: 'basic'; username: string; password: string };

export type AuthStrategy = Authentication['strategy'];

/**
 * The credentials that crew services call us back with, recomputed from the secrets and never stored. Both strategies are
 * always accepted, so that changing the setting locks out no running execution.
 */
export interface Credentials {
  /** For the human-input notifications of one execution; carries the hop. */
  ofExecution(key: CallbackKey, strategy: AuthStrategy): Authentication;
  /** For notifications of executions started elsewhere. */
  ofCrew(crew: string, strategy: AuthStrategy): Authentication;
  /** The unguessable part of an address, for calls that carry no credentials. */
  pathToken(key: CallbackKey): string;
  /** The hop that this `Authorization` header is for; null if it isn't this execution's. */
  hopOfExecution(ref: string, authorization: string | undefined): number | null;
  /** The hop that this path token is for; null if it isn't this execution's. */
  hopOfPath(ref: string, token: string): number | null;
  isOfCrew(crew: string, authorization: string | undefined): boolean;
}

/** @param secrets newest first: credentials are made with the newest and checked against all, in constant time */
export function createCredentials(secrets: readonly string[]): Credentials {
  const execution = sealsFor(secrets, 'human-input');
  const path = sealsFor(secrets, 'event-path');
  const crews = sealsFor(secrets, 'crew-human-input');
  return {
    ofExecution: ({ ref, hop }, strategy) => authentication({ hop, mac: execution.make(ref, hop) }, strategy),
    ofCrew: (crew, strategy) => authentication({ hop: 0, mac: crews.make(crew, 0) }, strategy),
    pathToken: ({ ref, hop }) => tokenText({ hop, mac: path.make(ref, hop) }),
    hopOfExecution: (ref, authorization) => checked(execution, ref, readAuthorization(authorization)),
    hopOfPath: (ref, token) => checked(path, ref, readToken(token)),
    isOfCrew: (crew, authorization) => checked(crews, crew, readAuthorization(authorization)) === 0,
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
    // Compares all secrets even after a match: constant time.
    accepts: (owner, { hop, mac }) =>
      macs.map((each) => isSame(text(each, owner, hop), mac)).reduce((one, other) => one || other, false),
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
