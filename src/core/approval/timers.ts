import type { Execution } from '../execution/execution.ts';
import { findApproval, withApproval } from '../execution/execution.ts';
import { withRunStatus } from '../execution/run.ts';
import { recordEvent } from '../ledger/record-event.ts';
import type { Millis } from '../time.ts';
import { isMentioned, mentionsFor, withAlert } from './alerts.ts';
import type { Approval, Decision, Times } from './approval.ts';
import { decidedFacts } from './ledger-facts.ts';
import { NO_FACTS } from './policy/facts.ts';
import type { Policy } from './policy/policy.ts';
import { policyFor } from './policy/policy.ts';
import type { CrewRules } from './request.ts';
import { askedPart } from './settle.ts';
import { nextReminderAt, planTimes } from './times.ts';

type Pending = Extract<Approval, { status: 'pending' }>;

interface DueTimer {
  approval: Pending;
  policy: Policy;
  rules: CrewRules;
}

/** Mentions those who may decide, and sets the time of the next reminder. */
export function remind(execution: Execution, approvalId: string, rules: CrewRules, now: Millis): Execution {
  const due = dueTimer(execution, approvalId, { rules, timer: 'remindAt', now });
  if (!due) return execution;
  const { approval, policy } = due;
  const reminders = approval.times.reminders + 1;
  const remindAt = nextReminderAt(policy, { reminders, now, hours: rules.hours });
  const next = { ...approval, times: { ...approval.times, remindAt, reminders } };
  if (policy.remindAfterMs === null)
    return withApproval(execution, { ...next, times: { ...approval.times, remindAt } });
  const mentions = mentionsFor(execution, approval, policy);
  const facts = { approval: approvalId, number: reminders, mentioned: mentions };
  const reminded = withApproval(execution, withAlert(next, { kind: 'reminder', by: null, mentions }, now));
  return recordEvent(reminded, { kind: 'reminded', at: now, facts });
}

/** From now on, others may decide, too; they are mentioned once. */
export function escalate(execution: Execution, approvalId: string, rules: CrewRules, now: Millis): Execution {
  const due = dueTimer(execution, approvalId, { rules, timer: 'escalateAt', now });
  if (!due) return execution;
  const { approval, policy } = due;
  const planned = planTimes(policy, approval.askedAt, rules.hours).escalateAt;
  if (planned === null || planned > now) return withTimes(execution, approval, { escalateAt: planned });
  const mentions = policy.escalateTo.filter(isMentioned).map(({ name }) => name);
  const escalated = { ...approval, times: { ...approval.times, escalateAt: null, escalatedAt: now } };
  const facts = { approval: approvalId, to: policy.escalateTo.map(({ name }) => name), mentioned: mentions };
  const noticed = withApproval(execution, withAlert(escalated, { kind: 'escalation', by: null, mentions }, now));
  return recordEvent(noticed, { kind: 'escalated', at: now, facts });
}

/** Nobody has decided in time. As the policy says, the request is closed, or the crew receives a rejection. */
export function expire(execution: Execution, approvalId: string, rules: CrewRules, now: Millis): Execution {
  const due = dueTimer(execution, approvalId, { rules, timer: 'expireAt', now });
  if (!due) return execution;
  const { approval, policy } = due;
  const planned = planTimes(policy, approval.askedAt, rules.hours).expireAt;
  if (planned === null || planned > now) return withTimes(execution, approval, { expireAt: planned });
  const facts = { approval: approvalId, outcome: policy.onExpiry };
  const expired = recordEvent(execution, { kind: 'expired', at: now, facts });
  switch (policy.onExpiry) {
    case 'close':
      return withRunStatus(withApproval(expired, { ...askedPart(approval), status: 'expired', expiredAt: now }));
    case 'reject':
      return rejectUndecided(expired, due, now);
  }
}

function rejectUndecided(execution: Execution, { approval, policy, rules }: DueTimer, now: Millis): Execution {
  const { expiryText: text } = policy;
  const decision: Decision = { verdict: 'reject', feedback: text, text, by: null, at: now, ownTokenOnly: false };
  const attempts = { attempts: [], tries: 0, sendAt: now, undoUntil: null };
  const decided: Approval = { ...approval, status: 'decided', decision, ...attempts };
  const permission = { policy: rules.policy, facts: NO_FACTS };
  const facts = decidedFacts(execution, { approval, decision, undoMs: 0, rule: '', votes: [], permission });
  return recordEvent(withRunStatus(withApproval(execution, decided)), { kind: 'decided', at: now, facts });
}

/** The request whose time has come, with the policy in force now, which may have other times. */
function dueTimer(
  execution: Execution,
  approvalId: string,
  { rules, timer, now }: { rules: CrewRules; timer: 'remindAt' | 'escalateAt' | 'expireAt'; now: Millis },
): DueTimer | null {
  const approval = findApproval(execution, approvalId);
  if (approval?.status !== 'pending') return null;
  const at = approval.times[timer];
  return at === null || now < at ? null : { approval, policy: policyFor(rules.policy, approval), rules };
}

function withTimes(execution: Execution, approval: Pending, times: Partial<Times>): Execution {
  return withApproval(execution, { ...approval, times: { ...approval.times, ...times } });
}
