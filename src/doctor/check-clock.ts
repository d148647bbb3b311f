import { doubtful, type Finding, fine, wrong } from './finding.ts';

/** Slack's requests are refused when their stamp is further off: https://docs.slack.dev/authentication/verifying-requests-from-slack */
const REFUSED_MS = 5 * 60_000;
const WORTH_A_WORD_MS = 30_000;

/** @param aheadMs the other clock minus ours */
export function judgeClock(about: string, aheadMs: number): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const found = `${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of this machine.`;
  const advice = 'Let both machines take their time from a time server (NTP).';
  if (Math.abs(aheadMs) >= REFUSED_MS) return wrong(about, found, advice);
  if (Math.abs(aheadMs) >= WORTH_A_WORD_MS) return doubtful(about, found, advice);
  return fine(about, seconds < 2 ? 'the same as on this machine.' : found);
}
