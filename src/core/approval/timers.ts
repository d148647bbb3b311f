import { askedIn, type Execution, findApproval, missesCrew, withApproval } from '../execution/execution.ts';
import { withRunStatus } from '../execution/run.ts';
import { recordEvent } from '../ledger/events.ts';
import type { Millis } from '../time.ts';
import { mentionsAmong, mentionsFor, passedOver, withAlert } from './alerts.ts';
import { type Approval, askedPart, type Decision, mustHear, type Times } from './approval.ts';
import { type CrewRules, nextReminderAt, underRules } from './crew-rules.ts';
import { decidedFacts } from './decide.ts';
import { NO_FACTS } from './policy/evaluate.ts';
import { policyFacts, policyFor } from './policy/in-force.ts';
import type { Policy } from './policy/policy.ts';

interface DueTimer {
  approval: Extract<Approval, { status: 'pending' }>;
  policy: Policy;
  rules: CrewRules;
}

/** Mentions those who may decide, and sets the time of the next reminder. */
export function remind(execution: Execution, approvalId: string, rules: CrewRules, now: Millis): Execution {
  return whenDue(execution, approvalId, { timer: 'remindAt', rules, now }, ({ approval, policy }) => {
    const mentions = mentionsFor(execution, approval, policy);
    const reminders = approval.times.reminders + 1;
    const remindAt = nextReminderAt(policy, { reminders, now, hours: rules.hours });
    const reminded = withAlert(approval, { kind: 'reminder', by: null, mentions }, now);
    const facts = { approval: approvalId, number: reminders, mentioned: mentions };
    return recordEvent(withTimes(execution, reminded, { reminders, remindAt }), { kind: 'reminded', at: now, facts });
  });
}

/** From now on, others may decide, too; they are mentioned once. */
export function escalate(execution: Execution, approvalId: string, rules: CrewRules, now: Millis): Execution {
  return whenDue(execution, approvalId, { timer: 'escalateAt', rules, now }, ({ approval, policy }) => {
    const mentions = mentionsAmong(policy.escalateTo, passedOver(execution, approval, policy));
    const escalated = withAlert(approval, { kind: 'escalation', by: null, mentions }, now);
    const to = policy.escalateTo.map(({ name }) => name);
    const facts = {
      approval: approvalId,
      to,
      mentioned: mentions,
      ...policyFacts(rules.policy, askedIn(execution, approval)),
    };
    const alerted = withTimes(execution, escalated, { escalateAt: null, escalatedAt: now });
    return recordEvent(alerted, { kind: 'escalated', at: now, facts });
  });
}

/**
 * Nobody has decided in time. As the policy says, the request is closed, or the crew receives a rejection; so does an asker that
 * has to hear of it.
 */
export function expire(execution: Execution, approvalId: string, rules: CrewRules, now: Millis): Execution {
  return whenDue(execution, approvalId, { timer: 'expireAt', rules, now }, (due) => {
    const { approval, policy } = due;
    const named = policyFacts(rules.policy, askedIn(execution, approval));
    const outcome = mustHear(approval) ? 'reject' : policy.onExpiry;
    const expired = recordEvent(execution, {
      kind: 'expired',
      at: now,
      facts: { approval: approvalId, outcome, ...named },
    });
    switch (outcome) {
      case 'close':
        return withRunStatus(withApproval(expired, { ...askedPart(approval), status: 'expired', expiredAt: now }));
      case 'reject':
        return rejectUndecided(expired, due, now);
    }
  });
}

function rejectUndecided(execution: Execution, { approval, policy, rules }: DueTimer, now: Millis): Execution {
  const { expiryText: text } = policy;
  const decision: Decision = { verdict: 'reject', feedback: text, text, by: null, at: now, ownTokenOnly: false };
  const attempts = { attempts: [], tries: 0, sendAt: now, undoUntil: null };
  const decided: Approval = { ...approval, status: 'decided', decision, ...attempts };
  const permission = { policy: rules.policy, facts: NO_FACTS };
  const facts = decidedFacts(execution, { approval, decision, undoMs: 0, own: null, votes: [], policy, permission });
  return recordEvent(withRunStatus(withApproval(execution, decided)), { kind: 'decided', at: now, facts });
}

/** Runs a timer whose time has come by the rules in force now. If they have other times for it, those are set instead. */
function whenDue(
  execution: Execution,
  approvalId: string,
  { timer, rules, now }: { timer: 'remindAt' | 'escalateAt' | 'expireAt'; rules: CrewRules; now: Millis },
  run: (due: DueTimer) => Execution,
): Execution {
  const isDue = ({ times }: Approval) => times[timer] !== null && times[timer] <= now;
  const asked = findApproval(execution, approvalId);
  const policy = asked && policyFor(rules.policy, askedIn(execution, asked));
  // While nobody can decide, the time that people have for it doesn't run out.
  if (asked?.status !== 'pending' || policy === null || missesCrew(execution) || !isDue(asked)) return execution;
  const approval = underRules(execution, asked, rules);
  return isDue(approval) ? run({ approval, policy, rules }) : withApproval(execution, approval);
}

function withTimes(execution: Execution, approval: DueTimer['approval'], times: Partial<Times>): Execution {
  return withApproval(execution, { ...approval, times: { ...approval.times, ...times } });
}
