// What proves that a notification is from the control panel of a crew's flows: a signature over its body and the time.
// https://docs.crewai.com/en/enterprise/features/flow-hitl-management#webhook-security
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Millis } from '../../core/values/time.ts';

/** A header that came once. Undefined otherwise: a proxy on the way may have checked another one than we would. */
export type HeaderOf = (name: string) => string | undefined;

/** What the headers claim. */
interface Signature {
  header: (typeof HEADERS)[number];
  /** As sent: it is signed, too. */
  timestamp: string;
  digest: Buffer;
}

/** Services sign with the first, as far as they have been seen; older documentation has the second. */
const HEADERS = ['x-crewai-signature', 'x-signature'] as const;

/** How far the clocks may be apart, and how long a notification may be on its way. */
const WINDOW_MS = 5 * 60_000;

/** The signature of a notification, or why it can't be right whatever the body is. */
export function signatureIn(headerOf: HeaderOf, now: Millis): Signature | 'unsigned' | 'out-of-time' {
  const header = HEADERS.find((name) => headerOf(name) !== undefined);
  const timestamp = headerOf('x-crewai-timestamp') ?? '';
  const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec((header && headerOf(header)) ?? '') ?? [];
  if (header === undefined || hex === undefined || !/^\d{1,12}$/.test(timestamp)) return 'unsigned';
  if (Math.abs(now - Number(timestamp) * 1_000) > WINDOW_MS) return 'out-of-time';
  return { header, timestamp, digest: Buffer.from(hex, 'hex') };
}

/** Which reading of a secret is the key. */
export type KeyForm = 'whole' | 'decoded';

/** The key that has signed the body; null if none has. Tries all of them, even after a match, for constant time. */
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

/** Services have been seen to take the whole secret; clients, the bytes that its second half stands for, in hex or base64. */
function keysOf(secret: string): { form: KeyForm; key: string | Buffer }[] {
  const whole = { form: 'whole', key: secret } as const;
  if (!secret.startsWith(PREFIX)) return [whole];
  const encoded = secret.slice(PREFIX.length);
  const isHex = encoded.length % 2 === 0 && /^[0-9a-f]+$/i.test(encoded);
  const decoded = Buffer.from(encoded, isHex ? 'hex' : 'base64');
  // Anybody could sign with a key that is hardly one.
  return decoded.length < LEAST_KEY_BYTES ? [whole] : [whole, { form: 'decoded', key: decoded }];
}

const LEAST_KEY_BYTES = 16;
