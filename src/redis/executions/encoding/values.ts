import type { Decision, Output, Person } from '../../../core/approval/approval.ts';
import type { Claim, Claimed } from '../../../core/claim.ts';
import type { Millis } from '../../../core/time.ts';
import { asList, asNumber, asText, type Codec, flag, nullable, optional, text, word } from './codec.ts';
import { type Fields, field, object } from './fields.ts';
import { decodeHash, encodeHash } from './output-hash.ts';

/** As milliseconds since the execution was created; as text where that would not be exact. */
export const instant: Codec<Millis> = {
  encode(value, { createdAt }) {
    const ms = value - createdAt;
    return createdAt + ms === value ? ms : String(value);
  },
  decode: (stored, { createdAt }) => (typeof stored === 'string' ? Number(stored) : createdAt + asNumber(stored)),
};

/** An id of the service, as its place among the kickoff ids if it is one of them. */
export const serviceId: Codec<string | null> = {
  encode(value, { kickoffIds }) {
    const place = value === null ? -1 : kickoffIds.indexOf(value);
    return place === -1 ? value : place;
  },
  decode(stored, { kickoffIds }) {
    if (typeof stored !== 'number') return stored === null ? null : asText(stored);
    const id = kickoffIds[stored];
    if (id === undefined) throw new TypeError('is not the place of a kickoff id');
    return id;
  },
};

/** A SHA-256 in hex, or an empty text. */
export const hash: Codec<string> = {
  encode: (value) => (value === '' ? '' : encodeHash(value)),
  decode: (stored) => (stored === '' ? '' : decodeHash(asText(stored))),
};

/** As `[hash, length]`. */
export const output: Codec<Output> = {
  encode: ({ hash, length }) => [encodeHash(hash), length],
  decode(stored) {
    const [hash, length] = asList(stored);
    return { hash: decodeHash(asText(hash)), length: asNumber(length) };
  },
};

/** As `[id, name]`. */
export const person: Codec<Person> = {
  encode: ({ id, name }) => [id, name],
  decode(stored) {
    const [id, name] = asList(stored);
    return { id: asText(id), name: asText(name) };
  },
};

export const decision: Codec<Decision> = object<Decision>({
  verdict: field('v', word()),
  feedback: field('f', nullable(text), null),
  text: field('t', text),
  by: field('by', nullable(person)),
  for: field('fo', optional(person), null),
  at: field('at', instant),
  ownTokenOnly: field('ot', flag, false),
});

const claim: Codec<Claim> = object<Claim>({ by: field('by', text), checkAt: field('ca', instant) });

export const CLAIMED: Fields<Claimed> = {
  claim: field('cl', nullable(claim), null),
  until: field('un', instant),
};
