import { passedOver } from '../approval/alerts.ts';
import type { Approval } from '../approval/approval.ts';
import { subjectOf } from '../approval/permission.ts';
import { type Facts, isSamePerson, permits } from '../approval/policy/permits.ts';
import type { Policy } from '../approval/policy/policy.ts';
import type { Execution } from '../execution/execution.ts';
import type { Recipients } from '../messages/post.ts';
import type { Millis } from '../time.ts';
import { isHandedTo, withoutWorkspace } from './judge.ts';
import type { PersonSettings } from './person-settings.ts';

/** Whether a person is told by direct message as soon as something waits for them. Nobody is while they are away. */
export function isToldAtOnce({ tell, away }: PersonSettings, now: Millis): boolean {
  return tell.kind === 'at-once' && (away === null || away.until <= now);
}

interface Asked {
  policy: Policy;
  facts: Facts;
  /** The members of a private channel, to whom a request that all of the workspace may decide is nothing to be told; `all` of a public one. Null if Slack can't tell. */
  insiders: ReadonlySet<string> | 'all' | null;
  now: Millis;
}

/** Of people who are told at once, those who may decide a request and haven't voted. Only a token of their own may be missing. */
export function awaitedOf(
  people: readonly string[],
  { execution, approval }: { execution: Execution; approval: Approval },
  asked: Asked,
): Recipients {
  const verdicts = people.map((id) => ({ id, verdict: verdictOn(id, { execution, approval }, asked) }));
  return {
    people: verdicts.flatMap(({ id, verdict }) =>
      verdict === 'awaited' ? [{ to: id, reason: 'setting' as const }] : [],
    ),
    isComplete: verdicts.every(({ verdict }) => verdict !== 'unsure'),
  };
}

function verdictOn(
  id: string,
  { execution, approval }: { execution: Execution; approval: Approval },
  { policy, facts, insiders, now }: Asked,
): 'awaited' | 'not-awaited' | 'unsure' {
  if (passedOver(execution, approval, policy).some((each) => isSamePerson(each, id, facts))) return 'not-awaited';
  const subject = subjectOf(execution, approval, now);
  const byName = permits(withoutWorkspace(policy), subject, id, facts);
  if (byName.kind === 'permitted') return 'awaited';
  const otherwise = byName.denial.kind === 'unsure' ? 'unsure' : 'not-awaited';
  if (permits(policy, subject, id, facts).kind === 'denied') return otherwise;
  const account = facts.accounts[id];
  if (account && isHandedTo(subject, account)) return 'awaited';
  if (insiders === null) return 'unsure';
  const isInsider = insiders === 'all' || account?.identities.some((identity) => insiders.has(identity));
  return isInsider ? 'awaited' : otherwise;
}
