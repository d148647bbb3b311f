import { isUtf8 } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** How far a timestamp may be from our clock, into the past or the future. */
const TOLERANCE_S = 5 * 60;
const SIGNATURE = /^v0=([0-9a-f]{64})$/;

/** What Slack puts into the headers of each request. */
interface Signature {
  stamp: string;
  /** In hex. */
  mac: string;
}

/**
 * Whether Slack has signed a request, in the last five minutes by our clock.
 * https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export function isFromSlack(
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
  signingSecret: string,
): boolean {
  const signature = signatureIn(headers);
  // What Slack has signed is text.
  if (!signature || !isUtf8(body)) return false;
  const { stamp, mac } = signature;
  const expected = createHmac('sha256', signingSecret).update(`v0:${stamp}:`).update(body).digest();
  return timingSafeEqual(Buffer.from(mac, 'hex'), expected);
}

/** The signature that a request claims to have; null if its form or its time are wrong already, whatever the body. */
export function signatureIn(headers: IncomingHttpHeaders): Signature | null {
  const { 'x-slack-signature': signature, 'x-slack-request-timestamp': stamp } = headers;
  if (typeof signature !== 'string' || typeof stamp !== 'string') return null;
  const [, mac] = SIGNATURE.exec(signature) ?? [];
  if (mac === undefined || !/^\d+$/.test(stamp)) return null;
  return Math.abs(Date.now() / 1000 - Number(stamp)) <= TOLERANCE_S ? { stamp, mac } : null;
}
