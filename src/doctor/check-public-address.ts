import { isLoopback } from '../config/http-address.ts';
import { askHttp, type HttpAnswer } from './ask-http.ts';
import { doubtful, type Finding, fine, wrong } from './finding.ts';

const ABOUT = 'Public address';

/** Checks that the bot answers at the address that the crews and Slack use, as far as this machine can tell. */
export async function checkPublicAddress({ publicUrl, port }: { publicUrl: string; port: number }): Promise<Finding> {
  const answer = await askHttp(`${publicUrl}/healthz`);
  if (isAlive(answer)) return judgeReadiness(publicUrl, await askHttp(`${publicUrl}/readyz`));
  const runsHere = isAlive(await askHttp(`http://127.0.0.1:${port}/healthz`));
  const found = `${describeAnswer(answer)} at ${publicUrl}/healthz`;
  if (runsHere)
    return wrong(ABOUT, `the bot runs here, but ${found}.`, 'Check the proxy, the firewall, DNS and the certificate.');
  if (answer.kind === 'no-answer' && NOT_BY_STARTING.has(answer.reason))
    return wrong(ABOUT, `${found}.`, 'Check PUBLIC_URL, DNS and the certificate.');
  return doubtful(ABOUT, `${found}, and no bot runs here on port ${port}.`, 'Start the bot and run this again.');
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

/** The parts that a bot that isn't ready reports as not working. */
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
