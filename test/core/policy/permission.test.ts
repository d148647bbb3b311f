import { describe, expect, it } from 'vitest';
import { stopFollowing } from '../../../src/core/execution/tracking.ts';
import type { OnText, Permission } from '../../../src/core/policy/permission.ts';
import { DEFAULT_POLICY } from '../../../src/core/policy/policy.ts';
import { decide, findDecidable } from '../../../src/core/request/decide.ts';
import { handOver } from '../../../src/core/request/hand-over.ts';
import { sendAgain } from '../../../src/core/request/resume.ts';
import { undo } from '../../../src/core/request/retract.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import type { HumanRequest, Person } from '../../../src/core/state/request.ts';
import { execution } from '../../support/executions.ts';
import {
  account,
  decided,
  expired,
  facts,
  JON,
  MARIA,
  PERMITTED,
  pending,
  refused,
  START,
  STRANGER,
  vote,
} from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';

const choice = { verdict: 'approve', feedback: null, text: 'Approved.' } as const;
const asked = execution({ requests: [pending()] });
const refusedAsStranger = { ok: false, refusal: { kind: 'denied', denial: { kind: 'stranger' } } };

/** Everything that asks the policy whether Jon may. */
const ATTEMPTS: Record<string, (each: Execution, approvalId: string, permission: Permission & OnText) => unknown> = {
  decide: (each, id, permission) => decide(each, id, { choice, by: JON, ...permission }, START),
  'send again': (each, id, permission) => sendAgain(each, id, { by: JON, ...permission }, START),
  undo: (each, id, permission) => undo(each, id, { by: JON, ...permission }, START),
  'hand over': (each, id, permission) => handOver(each, id, { by: JON, to: MARIA, ...permission }, START),
  'open a form': (each, id, permission) => findDecidable(each, id, { personId: JON.id, now: START, ...permission }),
};

const APPROVALS: HumanRequest[] = [
  pending(),
  decided({ undoUntil: START + 1, sendAt: START + 1 }),
  refused(),
  expired(),
];

describe.each(Object.entries(ATTEMPTS))('whoever wants to %s', (_, attempt) => {
  it.each(APPROVALS)('is asked about before anything is told about a request that is $status', (request) => {
    expect(attempt(execution({ requests: [request] }), '1', STRANGER)).toEqual(refusedAsStranger);
  });

  it('learns which requests exist only if the policy permits them', () => {
    expect(attempt(asked, '7', STRANGER)).toEqual(refusedAsStranger);
    expect(attempt(asked, '7', PERMITTED)).toEqual({ ok: false, refusal: { kind: 'unknown' } });
  });

  it.each(APPROVALS)(
    'is refused on another text than that of a request that is $status, or one that can’t be told',
    (request) => {
      const each = execution({ requests: [request] });
      for (const revision of ['hash of another draft', '', null])
        expect(attempt(each, '1', { ...PERMITTED, revision })).toEqual({ ok: false, refusal: { kind: 'other-text' } });
    },
  );

  it('is looked up first', () => {
    const nobody = { ...PERMITTED, facts: facts({}) };
    expect(attempt(asked, '1', nobody)).toEqual({ ok: false, refusal: { kind: 'facts-needed', people: [JON.id] } });
  });

  it('is refused where Slack can’t tell who they are', () => {
    const unsure = { ...PERMITTED, facts: facts({ [JON.id]: null }) };
    expect(attempt(asked, '1', unsure)).toMatchObject({ refusal: { kind: 'denied', denial: { kind: 'unsure' } } });
  });
});

it('is asked again when a decision is repeated', () => {
  const first = decide(asked, '1', { choice, by: MARIA, ...PERMITTED }, START);
  expect(decide(valueFrom(first), '1', { choice, by: MARIA, ...PERMITTED }, START + 1)).toEqual(first);
  expect(decide(valueFrom(first), '1', { choice, by: MARIA, ...STRANGER }, START + 1)).toEqual(refusedAsStranger);
});

describe('the people to look up', () => {
  const ANNA: Person = { id: 'U_ANNA', name: 'Anna' };
  const voted = execution({ requests: [pending({ votes: [vote(ANNA)] })] });
  const peopleFor = (each: Execution, permission: Permission & OnText) =>
    decide(each, '1', { choice, by: JON, ...permission }, START);

  it('are those who have voted, too, since their votes count only if they still may', () => {
    const needed = { kind: 'facts-needed', people: [JON.id, ANNA.id] };
    expect(peopleFor(voted, PERMITTED)).toMatchObject({ refusal: needed });
    const known = { ...PERMITTED, facts: facts({ ...PERMITTED.facts.accounts, [ANNA.id]: account(ANNA.id) }) };
    expect(peopleFor(voted, known)).toMatchObject({ ok: true });
  });

  it('include the starter only where they may not decide their own run', () => {
    const policy = { ...DEFAULT_POLICY, selfApproval: false };
    const onlyJon = facts({ [JON.id]: account(JON.id) });
    expect(peopleFor(asked, { ...PERMITTED, policy, facts: onlyJon })).toMatchObject({
      refusal: { kind: 'facts-needed', people: [JON.id, MARIA.id] },
    });
    expect(peopleFor(asked, { ...PERMITTED, facts: onlyJon })).toMatchObject({ ok: true });
  });

  it('include the starter where the inputs of their run name who decides, since they can’t name themselves', () => {
    const named = { kind: 'person' as const, name: JON.id, input: 'owner' };
    const policy = { ...DEFAULT_POLICY, approvers: [named] };
    const onlyJon = facts({ [JON.id]: account(JON.id) });
    expect(peopleFor(asked, { ...PERMITTED, policy, facts: onlyJon })).toMatchObject({
      refusal: { kind: 'facts-needed', people: [JON.id, MARIA.id] },
    });
    const both = facts({ [JON.id]: account(JON.id), [MARIA.id]: account(MARIA.id) });
    expect(peopleFor(asked, { ...PERMITTED, policy, facts: both })).toMatchObject({ ok: true });
  });
});

describe('stop following', () => {
  it('is for the starter, whatever Slack says about them', () => {
    expect(stopFollowing(asked, { by: MARIA, ...STRANGER }, START).ok).toBe(true);
  });

  it('is for those who may decide, and nobody else', () => {
    expect(stopFollowing(asked, { by: JON, ...PERMITTED }, START).ok).toBe(true);
    expect(stopFollowing(asked, { by: JON, ...STRANGER }, START)).toEqual(refusedAsStranger);
  });

  it('looks up those who have to be known', () => {
    const nobody = { ...PERMITTED, facts: facts({}) };
    expect(stopFollowing(asked, { by: JON, ...nobody }, START)).toMatchObject({ refusal: { kind: 'facts-needed' } });
  });
});

it('looks up those who have voted before it refuses to stop following', () => {
  const ANNA: Person = { id: 'U_ANNA', name: 'Anna' };
  const onlyJon = { approvers: [{ kind: 'person', name: JON.id }] } as const;
  const onlyAnna = { ...DEFAULT_POLICY, approvers: [{ kind: 'person', name: ANNA.id }], tasks: [] } as const;
  const policy = { ...onlyAnna, tasks: [{ ...DEFAULT_POLICY, ...onlyJon, match: 'draft', looksAt: 'name' as const }] };
  const voted = execution({ requests: [pending({ votes: [vote(ANNA)] })] });
  const permission = { policy, facts: facts({ [JON.id]: account(JON.id) }) };
  expect(stopFollowing(voted, { by: JON, ...permission }, START)).toEqual({
    ok: false,
    refusal: { kind: 'facts-needed', people: [JON.id, ANNA.id] },
  });
});
