import { isUtf8 } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** How far a timestamp may be from our clock, into the past or the future. */
const TOLERANCE_S = 5 * 60;
const SIGNATURE = /^v0=[0-9a-f]{64}$/;

/**
 * Whether Slack has signed a request, in the last five minutes by our clock.
 * https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export function isFromSlack(
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
  signingSecret: string,
): boolean {
  const { 'x-slack-signature': signature, 'x-slack-request-timestamp': stamp } = headers;
  if (typeof signature !== 'string' || !SIGNATURE.test(signature)) return false;
  if (typeof stamp !== 'string' || !/^\d+$/.test(stamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(stamp)) > TOLERANCE_S) return false;
  // What Slack has signed is text.
  if (!isUtf8(body)) return false;
  const expected = createHmac('sha256', signingSecret).update(`v0:${stamp}:`).update(body).digest();
  return timingSafeEqual(Buffer.from(signature.slice('v0='.length), 'hex'), expected);
}
