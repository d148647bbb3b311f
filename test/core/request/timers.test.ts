import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dueActionsAt } from '../../../src/core/due-actions.ts';
import { dueMessages, wantedFor } from '../../../src/core/messages/due-messages.ts';
import type { CrewRules } from '../../../src/core/policy/crew-rules.ts';
import { policyHash } from '../../../src/core/policy/document.ts';
import { type CrewPolicy, DEFAULT_POLICY, WORKSPACE } from '../../../src/core/policy/policy.ts';
import { ask, followRules } from '../../../src/core/request/ask.ts';
import { escalate, expire, remind } from '../../../src/core/request/timers.ts';
import { type Execution, findRequest } from '../../../src/core/state/execution.ts';
import { withPost } from '../../../src/core/state/message.ts';
import type { HumanRequest, Person } from '../../../src/core/state/request.ts';
import { parseWorkingHours } from '../../../src/core/values/working-hours.ts';
import { execution, request } from '../../support/executions.ts';
import { decided, JON, MARIA, posted, START, type WithPolicy } from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Requests are asked in the first hour of 1970, in which it was past one o'clock in London. */
const AN_HOUR_A_DAY = 'Mon-Sun 09:00-10:00 Europe/London';

const rulesWith = (change: Partial<CrewPolicy>): WithPolicy<CrewRules> => ({
  policy: { ...DEFAULT_POLICY, ...change },
  hours: null,
});
const askedUnder = (rules: CrewRules): Execution => ({
  ...valueFrom(ask(execution(), request(), START, rules)),
  ledgerEvents: [],
});
const approvalOf = (each: Execution): HumanRequest => findRequest(each, '1') ?? decided();

/** The instants of so many reminders, each run as soon as it is due. */
function remindersOf(rules: CrewRules, most: number): number[] {
  let each = askedUnder(rules);
  const instants: number[] = [];
  for (let i = 0; i < most; i++) {
    const at = approvalOf(each).discussion.times.remindAt;
    if (at === null) break;
    instants.push(at - START);
    each = remind(each, '1', rules, at);
  }
  return instants;
}

function withVoteOf(by: Person, request: HumanRequest): HumanRequest {
  return { ...request, discussion: { ...request.discussion, votes: [{ by, at: START, feedback: null }] } };
}

describe('a reminder', () => {
  it('comes after the time set, then after twice and four times that, and at last every day', () => {
    const hours = remindersOf(rulesWith({ remindAfterMs: 4 * HOUR }), 6).map((ms) => ms / HOUR);
    expect(hours).toEqual([4, 4 + 8, 4 + 8 + 16, 4 + 8 + 16 + 24, 4 + 8 + 16 + 48, 4 + 8 + 16 + 72]);
  });

  it('comes at intervals that double, but for a day at most unless the first is longer', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 9 * DAY }), (remindAfterMs) => {
        const instants = [0, ...remindersOf(rulesWith({ remindAfterMs }), 40)];
        const intervals = instants.slice(1).map((at, i) => at - (instants[i] ?? 0));
        const longest = Math.max(DAY, remindAfterMs);
        expect(intervals).toEqual(intervals.map((_, i) => Math.min(remindAfterMs * 2 ** i, longest)));
      }),
    );
  });

  it('comes after working hours alone, where a crew has them', () => {
    const rules = { ...rulesWith({ remindAfterMs: HOUR }), hours: parseWorkingHours(AN_HOUR_A_DAY) };
    const days = remindersOf(rules, 3).map((ms) => (ms + START - 9 * HOUR) / DAY);
    expect(days).toEqual([0, 2, 2 + 4]);
  });

  it('takes the place of one that could not be posted', () => {
    const rules = rulesWith({ remindAfterMs: MINUTE });
    const first = remind(askedUnder(rules), '1', rules, START + MINUTE);
    const second = remind(first, '1', rules, START + 3 * MINUTE);
    expect(approvalOf(second).discussion.alerts).toMatchObject([{ id: '2', kind: 'reminder' }]);
    const message = { kind: 'alert', approvalId: '1', alertId: '1' } as const;
    const inDoubt = withPost(first, message, () => ({ status: 'unsure', tries: 1, notBefore: START }));
    expect(approvalOf(remind(inDoubt, '1', rules, START + 3 * MINUTE)).discussion.alerts).toMatchObject([
      { id: '1' },
      { id: '2' },
    ]);
  });

  it('is one only, although nothing ran when several were due', () => {
    const rules = rulesWith({ remindAfterMs: MINUTE });
    const late = remind(askedUnder(rules), '1', rules, START + DAY);
    expect(approvalOf(late)).toMatchObject({
      discussion: {
        alerts: [{ id: '1', kind: 'reminder', by: null }],
        times: { reminders: 1, remindAt: START + DAY + 2 * MINUTE },
      },
    });
    expect(late.ledgerEvents).toMatchObject([{ kind: 'reminded', facts: { approval: '1', number: 1 } }]);
    expect(remind(late, '1', rules, START + DAY)).toBe(late);
  });

  it('mentions those who may decide and have not, and nobody for a whole workspace', () => {
    const named = [MARIA, JON].map(({ id }) => ({ kind: 'person', name: id }) as const);
    const rules = rulesWith({ remindAfterMs: MINUTE, approvers: [...named, WORKSPACE], quorum: 2 });
    const asked = askedUnder(rules);
    const voted = { ...asked, requests: [withVoteOf(JON, approvalOf(asked))] };
    expect(approvalOf(remind(voted, '1', rules, START + MINUTE)).discussion.alerts).toMatchObject([
      { mentions: [MARIA.id] },
    ]);
  });

  it('comes no more once the policy has none', () => {
    const asked = askedUnder(rulesWith({ remindAfterMs: MINUTE }));
    const never = remind(asked, '1', rulesWith({}), START + MINUTE);
    expect(approvalOf(never)).toMatchObject({ discussion: { alerts: [], times: { remindAt: null, reminders: 0 } } });
    expect(never.ledgerEvents).toEqual([]);
  });
});

describe('an escalation', () => {
  const rules = rulesWith({ escalateAfterMs: HOUR, escalateTo: [{ kind: 'handle', name: '@leads' }, WORKSPACE] });
  const escalated = escalate(askedUnder(rules), '1', rules, START + HOUR);

  it('mentions those who may decide from now on, once', () => {
    expect(approvalOf(escalated)).toMatchObject({
      discussion: {
        alerts: [{ kind: 'escalation', mentions: ['@leads'] }],
        times: { escalateAt: null, escalations: [{ rules: '', at: START + HOUR }] },
      },
    });
    const facts = {
      approval: '1',
      places: [''],
      to: ['@leads', 'workspace'],
      mentioned: ['@leads'],
      policy: policyHash(rules.policy),
    };
    expect(escalated.ledgerEvents).toMatchObject([{ kind: 'escalated', facts }]);
    expect(escalate(escalated, '1', rules, START + 9 * HOUR)).toBe(escalated);
  });

  it('mentions nobody who has voted', () => {
    const named = [MARIA, JON].map(({ id }) => ({ kind: 'person', name: id }) as const);
    const both = rulesWith({ ...rules.policy, approvers: named, escalateTo: named, quorum: 2 });
    const asked = askedUnder(both);
    const voted = { ...asked, requests: [withVoteOf(JON, approvalOf(asked))] };
    const after = escalate(voted, '1', both, START + HOUR);
    expect(after.ledgerEvents).toMatchObject([{ facts: { to: [MARIA.id, JON.id], mentioned: [MARIA.id] } }]);
  });

  it('waits for as long as the policy in force says', () => {
    const later = { ...rules, policy: { ...rules.policy, escalateAfterMs: 2 * HOUR } };
    const moved = escalate(askedUnder(rules), '1', later, START + HOUR);
    expect(approvalOf(moved)).toMatchObject({
      discussion: { alerts: [], times: { escalateAt: START + 2 * HOUR, escalations: [] } },
    });
    expect(approvalOf(escalate(moved, '1', later, START + 2 * HOUR)).discussion.times.escalations).toEqual([
      { rules: '', at: START + 2 * HOUR },
    ]);
  });
});

describe('an expiry', () => {
  const closing = rulesWith({ expireAfterMs: DAY });
  const rejecting = rulesWith({ expireAfterMs: DAY, onExpiry: 'reject', expiryText: 'Too late.', undoMs: MINUTE });

  it('closes the request, and nothing is sent', () => {
    const expired = expire(askedUnder(closing), '1', closing, START + DAY);
    expect(approvalOf(expired)).toMatchObject({ state: { status: 'expired', expiredAt: START + DAY } });
    expect(expired.run.status).toBe('running');
    expect(expired.ledgerEvents).toMatchObject([
      { kind: 'expired', facts: { approval: '1', outcome: 'close', policy: policyHash(closing.policy) } },
    ]);
  });

  it('or rejects it in nobody’s name, to be sent at once', () => {
    const expired = expire(askedUnder(rejecting), '1', rejecting, START + DAY);
    expect(approvalOf(expired)).toMatchObject({
      state: {
        status: 'decided',
        decision: { verdict: 'reject', feedback: 'Too late.', text: 'Too late.', by: null, at: START + DAY },
        sendAt: START + DAY,
        undoUntil: null,
      },
    });
    expect(expired.ledgerEvents).toMatchObject([
      { kind: 'expired', facts: { outcome: 'reject' } },
      { kind: 'decided', facts: { by: null, votes: [], verdict: 'reject', undo_ms: 0 } },
    ]);
  });

  it('does not overtake a decision that can still be undone', () => {
    const waiting = execution({
      requests: [decided({ times: { ...approvalOf(askedUnder(closing)).discussion.times } })],
    });
    expect(expire(waiting, '1', closing, START + DAY)).toBe(waiting);
  });

  it('does not come before its time', () => {
    const asked = askedUnder(closing);
    expect(expire(asked, '1', closing, START + DAY - 1)).toBe(asked);
    const longer = rulesWith({ expireAfterMs: 2 * DAY });
    expect(approvalOf(expire(asked, '1', longer, START + DAY))).toMatchObject({
      state: { status: 'pending' },
      discussion: { times: { expireAt: START + 2 * DAY } },
    });
  });
});

describe('rules that change while a request waits', () => {
  const LEADS = [{ kind: 'handle', name: '@leads' } as const];
  const CARD = { kind: 'card', approvalId: '1' } as const;
  const whole = rulesWith({
    ...{ remindAfterMs: HOUR, escalateAfterMs: 2 * HOUR, escalateTo: LEADS, expireAfterMs: 3 * HOUR },
  });
  const dueAfter = (each: Execution, ms: number) =>
    dueActionsAt(each, START + ms).filter(({ kind }) => kind === 'remind' || kind === 'escalate' || kind === 'expire');

  it('set its times, counted from when it was asked: those that are over are due at once', () => {
    const followed = followRules(askedUnder(rulesWith({})), whole, START);
    expect(approvalOf(followed).discussion.times).toEqual(approvalOf(askedUnder(whole)).discussion.times);
    expect(dueAfter(followed, HOUR)).toEqual([{ kind: 'remind', approvalId: '1' }]);
    expect(dueAfter(followed, 9 * HOUR).map(({ kind }) => kind)).toEqual(['expire', 'escalate', 'remind']);
    expect(dueAfter(followRules(followed, rulesWith({}), START), 9 * HOUR)).toEqual([]);
  });

  it('stop its clocks outside of new working hours', () => {
    const hours = parseWorkingHours(AN_HOUR_A_DAY);
    const times = approvalOf(followRules(askedUnder(whole), { ...whole, hours }, START)).discussion.times;
    const { remindAt, escalateAt, expireAt } = times;
    expect([remindAt, escalateAt, expireAt]).toEqual([0, 1, 2].map((days) => 9 * HOUR + days * DAY));
  });

  it('go on after the reminders and the escalation that it had', () => {
    const reminded = remind(askedUnder(whole), '1', whole, START + HOUR);
    const escalated = escalate(reminded, '1', whole, START + 2 * HOUR);
    const often = rulesWith({ ...whole.policy, remindAfterMs: 10 * MINUTE, escalateAfterMs: 5 * HOUR });
    const followed = followRules(escalated, often, START);
    expect(approvalOf(followed).discussion.times).toMatchObject({
      ...{
        reminders: 1,
        remindAt: START + 30 * MINUTE,
        escalateAt: null,
        escalations: [{ rules: '', at: START + 2 * HOUR }],
      },
    });
    const again = remind(followed, '1', often, START + 2 * HOUR);
    expect(approvalOf(again).discussion.times).toMatchObject({
      reminders: 2,
      remindAt: START + 2 * HOUR + 40 * MINUTE,
    });
  });

  it('change it once, whoever applies them, and nothing that is decided', () => {
    const followed = followRules(askedUnder(rulesWith({})), whole, START);
    expect(followRules(followed, { ...whole }, START)).toBe(followed);
    expect(
      followRules(followed, rulesWith({ ...whole.policy, templates: [{ name: 'Tone', text: 'Drier.' }] }), START),
    ).toBe(followed);
    const over = execution({ requests: [decided()] });
    expect(followRules(over, whole, START)).toBe(over);
  });

  it('are stated on its card', () => {
    const asked = withPost(askedUnder(rulesWith({})), CARD, () => posted());
    const shown = withPost(asked, CARD, () => posted({ shown: wantedFor(asked, CARD) }));
    const updates = (each: Execution) => dueMessages(each).filter(({ message }) => message.kind === 'card');
    expect(updates(shown)).toEqual([]);
    expect(updates(followRules(shown, rulesWith({ quorum: 2 }), START))).toMatchObject([{ kind: 'update', at: START }]);
  });
});
