import { doubtful, type Finding, fine, wrong } from './finding.ts';

/** A request from Slack is refused if its timestamp is further off: https://docs.slack.dev/authentication/verifying-requests-from-slack */
const REFUSED_MS = 5 * 60_000;
const WARNING_MS = 30_000;

/** @param aheadMs the other clock minus ours */
export function judgeClock(about: string, aheadMs: number): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const found = `${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of this machine.`;
  const advice = 'Synchronise both machines with a time server (NTP).';
  if (Math.abs(aheadMs) >= REFUSED_MS) return wrong(about, found, advice);
  if (Math.abs(aheadMs) >= WARNING_MS) return doubtful(about, found, advice);
  return fine(about, seconds < 2 ? 'the same as on this machine.' : found);
}
