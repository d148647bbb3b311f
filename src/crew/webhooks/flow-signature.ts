// The signature over body and time that proves that a notification is from the control panel of a crew's flows.
// https://docs.crewai.com/en/enterprise/features/flow-hitl-management#webhook-security
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Millis } from '../../core/values/time.ts';

/** Returns a header that came once. Undefined otherwise: a proxy may have checked another one than we would. */
export type HeaderOf = (name: string) => string | undefined;

interface Signature {
  header: (typeof HEADERS)[number];
  /** The text as sent, which is signed. */
  timestamp: string;
  digest: Buffer;
}

/** Services use the first; older documentation has the second. */
const HEADERS = ['x-crewai-signature', 'x-signature'] as const;

/** Limit for the difference of the clocks and the time on the way. */
const WINDOW_MS = 5 * 60_000;

/** Returns the signature of a notification, or why it is wrong for any body. */
export function signatureIn(headerOf: HeaderOf, now: Millis): Signature | 'unsigned' | 'out-of-time' {
  const header = HEADERS.find((name) => headerOf(name) !== undefined);
  const timestamp = headerOf('x-crewai-timestamp') ?? '';
  const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec((header && headerOf(header)) ?? '') ?? [];
  if (header === undefined || hex === undefined || !/^\d{1,12}$/.test(timestamp)) return 'unsigned';
  if (Math.abs(now - Number(timestamp) * 1_000) > WINDOW_MS) return 'out-of-time';
  return { header, timestamp, digest: Buffer.from(hex, 'hex') };
}

/** The part of a secret that is the key. */
export type KeyForm = 'whole' | 'decoded';

/** Returns the form of the key that has signed the body; null if none has. Tries all of them, even after a match, for constant time. */
export function keyThatSigned(
  { timestamp, digest }: Signature,
  body: Buffer,
  secrets: readonly string[],
): KeyForm | null {
  const signed = (key: string | Buffer) =>
    timingSafeEqual(createHmac('sha256', key).update(`${timestamp}.`).update(body).digest(), digest);
  const matches = secrets.flatMap(keysOf).filter(({ key }) => signed(key));
  return matches[0]?.form ?? null;
}

const PREFIX = 'whsec_';

/**
 * Returns the keys that a secret may stand for: some services use the whole secret, clients the bytes that its second half encodes
 * in hex or base64.
 */
function keysOf(secret: string): { form: KeyForm; key: string | Buffer }[] {
  const whole = { form: 'whole', key: secret } as const;
  if (!secret.startsWith(PREFIX)) return [whole];
  const encoded = secret.slice(PREFIX.length);
  const isHex = encoded.length % 2 === 0 && /^[0-9a-f]+$/i.test(encoded);
  const decoded = Buffer.from(encoded, isHex ? 'hex' : 'base64');
  // Anybody could guess a very short key.
  return decoded.length < LEAST_KEY_BYTES ? [whole] : [whole, { form: 'decoded', key: decoded }];
}

const LEAST_KEY_BYTES = 16;
