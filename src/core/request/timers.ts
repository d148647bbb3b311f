// The worker calls these transitions when a timer of a request is due: they remind, escalate or expire the request.

import { withRunStatus } from '../execution/run.ts';
import type { CrewRules } from '../policy/crew-rules.ts';
import { NO_FACTS } from '../policy/permits.ts';
import { DEFAULT_POLICY, settingsOf } from '../policy/policy.ts';
import { findRules, findRulesAgain, policyFacts, type RequestRules } from '../policy/rules.ts';
import { canRunShort } from '../policy/shortage.ts';
import { recordEvent } from '../state/events.ts';
import { type Execution, findRequest, missesCrew, withRequest } from '../state/execution.ts';
import { type Decision, type HumanRequest, hasStatus, needsAnswer, type Pending, UNTRIED } from '../state/request.ts';
import type { Millis } from '../values/time.ts';
import { mentionsAmong, mentionsFor, unmentionedIds, withAlert } from './alerts.ts';
import { decidedFacts } from './ledger-facts.ts';
import { earliest, escalatingRules, nextEscalationAt, nextReminderAt, underRules } from './planned-times.ts';

/** Mentions the people who can decide, and sets the time of the next reminder. */
export function remind(execution: Execution, approvalId: string, rules: CrewRules, now: Millis): Execution {
  return whenDue(execution, approvalId, { timer: 'remindAt', rules, now }, (due) => {
    const { request, policies, hours } = due;
    const mentions = mentionsFor(due);
    const reminders = request.discussion.times.reminders + 1;
    const remindAt = earliest(policies.map((policy) => nextReminderAt(policy, { reminders, now, hours })));
    const reminded = {
      ...request,
      discussion: { ...request.discussion, times: { ...request.discussion.times, reminders, remindAt } },
    };
    const alerted = withAlert(execution, reminded, { kind: 'reminder', by: null, mentions }, now);
    const facts = { approval: approvalId, number: reminders, mentioned: mentions };
    return recordEvent(alerted.execution, { kind: 'reminded', at: now, facts });
  });
}

/** Lets `escalateTo` decide as well, by the rules whose time has come, and mentions these people once. */
export function escalate(execution: Execution, approvalId: string, rules: CrewRules, now: Millis): Execution {
  return whenDue(execution, approvalId, { timer: 'escalateAt', rules, now }, (due) => {
    const { request, policies } = due;
    const escalating = escalatingRules(due, now);
    const escalateTo = escalating.flatMap((policy) => policy.escalateTo);
    const mentions = mentionsAmong(escalateTo, unmentionedIds(due));
    const places = escalating.map(({ place }) => place);
    const escalations = [
      ...request.discussion.times.escalations,
      ...places.map((place) => ({ rules: place, at: now })),
    ];
    const to = [...new Set(escalateTo.map(({ name }) => name))];
    const facts = { approval: approvalId, places, to, mentioned: mentions, ...policyFacts(due) };
    const times = { ...request.discussion.times, escalations };
    const escalated = { ...request, discussion: { ...request.discussion, times } };
    const escalateAt = nextEscalationAt(findRulesAgain(due, { execution, request: escalated, now }));
    const lookAt = canRunShort(policies) ? now : null;
    const planned = { ...request, discussion: { ...request.discussion, times: { ...times, escalateAt, lookAt } } };
    const alerted = withAlert(execution, planned, { kind: 'escalation', by: null, mentions }, now);
    return recordEvent(alerted.execution, { kind: 'escalated', at: now, facts });
  });
}

/** Closes a request that nobody decided in time, or rejects it, as the policy says. A program that needs an answer gets a rejection. */
export function expire(execution: Execution, approvalId: string, rules: CrewRules, now: Millis): Execution {
  return whenDue(execution, approvalId, { timer: 'expireAt', rules, now }, (due) => {
    const { request, policies } = due;
    const outcome = needsAnswer(request.question) ? 'reject' : settingsOf(policies).onExpiry;
    const facts = { approval: approvalId, outcome, ...policyFacts(due) };
    const expired = recordEvent(execution, { kind: 'expired', at: now, facts });
    if (outcome === 'reject') return rejectUndecided(expired, due, now);
    return withRunStatus(withRequest(expired, { ...request, state: { status: 'expired', expiredAt: now } }));
  });
}

function rejectUndecided(execution: Execution, due: RequestRules<Pending>, now: Millis): Execution {
  const [{ expiryText: text } = DEFAULT_POLICY] = due.policies;
  const decision: Decision = { verdict: 'reject', feedback: text, text, by: null, at: now, ownTokenOnly: false };
  const attempts = { attempts: [], ...UNTRIED, sendAt: now, undoUntil: null };
  const decided: HumanRequest = {
    ...due.request,
    state: { status: 'decided', decision, ...attempts },
  };
  const facts = decidedFacts({ ...due, facts: NO_FACTS }, { decision, undoMs: 0, own: null, courses: [] });
  return recordEvent(withRunStatus(withRequest(execution, decided)), { kind: 'decided', at: now, facts });
}

/** Runs a timer that is due by the rules in force now. If these rules have another time for it, sets that instead. */
function whenDue(
  execution: Execution,
  approvalId: string,
  { timer, rules: crewRules, now }: { timer: 'remindAt' | 'escalateAt' | 'expireAt'; rules: CrewRules; now: Millis },
  run: (due: RequestRules<Pending>) => Execution,
): Execution {
  const isDue = ({ discussion: { times } }: HumanRequest) => times[timer] !== null && times[timer] <= now;
  const pending = findRequest(execution, approvalId);
  // While the crew isn't configured and nobody can decide, the clocks stand still.
  if (!hasStatus(pending, 'pending') || missesCrew(execution) || !isDue(pending)) return execution;
  const rules = findRules(crewRules, { execution, request: pending, now });
  if (rules.policies.length === 0) return execution;
  const request = underRules(rules);
  return isDue(request) ? run({ ...rules, request }) : withRequest(execution, request);
}
