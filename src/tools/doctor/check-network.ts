import { request } from 'undici';
import { isLoopback } from '../../config/fields.ts';
import { doubtful, type Finding, fine, wrong } from './finding.ts';

const ABOUT = 'Public address';

/** Checks that the bot answers at the address that the crews and Slack use, as far as this machine can tell. */
export async function checkPublicAddress({ publicUrl, port }: { publicUrl: string; port: number }): Promise<Finding> {
  const answer = await askHttp(`${publicUrl}/healthz`);
  if (isAlive(answer)) return judgeReadiness(publicUrl, await askHttp(`${publicUrl}/readyz`));
  const runsHere = isAlive(await askHttp(`http://127.0.0.1:${port}/healthz`));
  const observation = `${describeAnswer(answer)} at ${publicUrl}/healthz`;
  if (runsHere)
    return wrong(
      ABOUT,
      `the bot runs here, but ${observation}.`,
      'Check the proxy, the firewall, DNS and the certificate.',
    );
  if (answer.kind === 'no-answer' && NOT_BY_STARTING.has(answer.reason))
    return wrong(ABOUT, `${observation}.`, 'Check PUBLIC_URL, DNS and the certificate.');
  return doubtful(ABOUT, `${observation}, and no bot runs here on port ${port}.`, 'Start the bot and run this again.');
}

const FROM_ELSEWHERE = 'Not checked: whether the crews reach it from where they are.';

/** Failures that starting the bot wouldn't fix. */
const NOT_BY_STARTING = new Set([
  'ENOTFOUND',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
]);

function judgeReadiness(publicUrl: string, answer: HttpAnswer): Finding {
  const notReady = answer.kind === 'answered' && answer.status !== 200 ? notWorking(answer.text) : [];
  if (notReady.length > 0)
    return wrong(ABOUT, `the bot answers at ${publicUrl}, but isn't ready: ${notReady.join(', ')}.`, 'See its log.');
  if (isLoopback(publicUrl))
    return doubtful(
      ABOUT,
      `the bot answers at ${publicUrl}, which only this machine can reach.`,
      'Fine for trying it out; a crew elsewhere needs an https address.',
    );
  return fine(ABOUT, `the bot answers at ${publicUrl}, as seen from here. ${FROM_ELSEWHERE}`);
}

function isAlive(answer: HttpAnswer): boolean {
  return answer.kind === 'answered' && answer.status === 200 && fieldsOf(answer.text).status === 'alive';
}

function describeAnswer(answer: HttpAnswer): string {
  if (answer.kind === 'no-answer') return `nothing answers (${answer.reason})`;
  if (answer.status >= 300 && answer.status < 400) return `there is a redirect (${answer.status})`;
  return answer.status === 200 ? 'something else answers' : `something answers ${answer.status}`;
}

/** Returns the parts that an unready bot reports as not working. */
function notWorking(text: string): string[] {
  const { parts } = fieldsOf(text);
  if (typeof parts !== 'object' || parts === null) return ['unknown'];
  return Object.entries(parts).flatMap(([name, works]) => (works === true ? [] : [name]));
}

function fieldsOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
  } catch {
    return {};
  }
}

/** Compares Slack's clock by the date of an answer, which is accurate to a second. */
export async function checkSlackClock(apiUrl: string): Promise<Finding> {
  const about = 'Clock of Slack';
  const askedAt = Date.now();
  const answer = await askHttp(`${apiUrl}api.test`);
  const stamp = answer.kind === 'answered' ? Date.parse(answer.date ?? '') : Number.NaN;
  if (Number.isNaN(stamp)) return doubtful(about, "couldn't ask Slack.", 'Run this again when Slack can be reached.');
  // Slack rounds the date down to a second.
  return judgeClock(about, stamp + 500 - (askedAt + Date.now()) / 2);
}

/** A request from Slack is refused if its timestamp is further off: https://docs.slack.dev/authentication/verifying-requests-from-slack */
const REFUSED_MS = 5 * 60_000;
const WARNING_MS = 30_000;

/** @param aheadMs the other clock minus ours */
export function judgeClock(about: string, aheadMs: number): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const observation = `${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of this machine.`;
  const advice = 'Synchronise both machines with a time server (NTP).';
  if (Math.abs(aheadMs) >= REFUSED_MS) return wrong(about, observation, advice);
  if (Math.abs(aheadMs) >= WARNING_MS) return doubtful(about, observation, advice);
  return fine(about, seconds < 2 ? 'the same as on this machine.' : observation);
}

/** The answer to a GET; `reason` is a code such as ENOTFOUND. */
type HttpAnswer =
  | { kind: 'answered'; status: number; text: string; date: string | null }
  | { kind: 'no-answer'; reason: string };

const ANSWER_MS = 6_000;
const MOST_CHARACTERS = 10_000;

/** Follows no redirects, never throws. */
async function askHttp(url: string): Promise<HttpAnswer> {
  try {
    const { statusCode, headers, body } = await request(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    const text = (await body.text()).slice(0, MOST_CHARACTERS);
    return { kind: 'answered', status: statusCode, text, date: typeof headers.date === 'string' ? headers.date : null };
  } catch (error) {
    return { kind: 'no-answer', reason: codeOf(error) };
  }
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
