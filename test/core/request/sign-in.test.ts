import { describe, expect, it } from 'vitest';
import type { OnText, Permission } from '../../../src/core/policy/permission.ts';
import { type CrewPolicy, DEFAULT_POLICY } from '../../../src/core/policy/policy.ts';
import { refusedFacts } from '../../../src/core/policy/refusal.ts';
import type { Choice } from '../../../src/core/request/choice.ts';
import { decide } from '../../../src/core/request/decide.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import type { Person } from '../../../src/core/state/request.ts';
import { SIGN_IN_MS, type SignIn } from '../../../src/core/state/sign-in.ts';
import { execution } from '../../support/executions.ts';
import { account, facts, JON, MARIA, PERMITTED, pending, START, vote } from '../../support/requests.ts';

// `step_up: true`: approving takes a sign-in with the company's identity provider.

const NOW = START + 60_000;
const APPROVE: Choice = { verdict: 'approve', feedback: null, text: 'Approved.' };
const EVERYBODY = facts({ [MARIA.id]: account(MARIA.id), [JON.id]: account(JON.id) });

const signInOf = ({ id }: Person, change: Partial<SignIn> = {}): SignIn => ({
  issuer: 'https://login.example.com',
  subject: `${id} at work`,
  at: NOW - 5_000,
  acr: 'mfa',
  ...change,
});
const proofOf = (by: Person) => ({
  iss: 'https://login.example.com',
  sub: `${by.id} at work`,
  at: NOW - 5_000,
  acr: 'mfa',
});

interface Given {
  asked?: Execution;
  policy?: Partial<CrewPolicy>;
  by?: Person;
  choice?: Choice;
  signIn?: SignIn;
}

function approving({
  asked = execution({ requests: [pending()] }),
  policy,
  by = MARIA,
  choice = APPROVE,
  signIn,
}: Given) {
  const permission: Permission & OnText = {
    ...PERMITTED,
    facts: EVERYBODY,
    policy: { ...DEFAULT_POLICY, stepUp: true, ...policy },
  };
  return decide(asked, '1', { choice, by, signIn, ...permission }, NOW);
}

function after(given: Given): Execution {
  const result = approving(given);
  if (!result.ok) throw new Error(`refused: ${result.refusal.kind}`);
  return result.value;
}

const NEEDED = { ok: false, refusal: { kind: 'sign-in-needed' } };

it('an approval counts only with a sign-in, and without one isn’t even an attempt', () => {
  const result = approving({});
  expect(result).toEqual(NEEDED);
  const attempt = { approvalId: '1', action: 'approve', by: MARIA.id, policy: 'a hash' } as const;
  if (!result.ok) expect(refusedFacts({ ...attempt, refusal: result.refusal })).toBeNull();
});

it('the sign-in is kept with the decision, and told to the ledger', () => {
  const { requests, ledgerEvents } = after({ signIn: signInOf(MARIA) });
  expect(requests).toMatchObject([{ state: { status: 'decided', decision: { by: MARIA, signIn: signInOf(MARIA) } } }]);
  expect(ledgerEvents).toMatchObject([{ kind: 'decided', facts: { by: { by: MARIA.id, proof: proofOf(MARIA) } } }]);
});

it('each of several people signs in', () => {
  const first = after({ policy: { quorum: 2 }, signIn: signInOf(MARIA) });
  expect(first.requests).toMatchObject([
    { state: { status: 'pending' }, discussion: { votes: [{ by: MARIA, signIn: signInOf(MARIA) }] } },
  ]);
  expect(first.ledgerEvents).toMatchObject([{ kind: 'voted', facts: { by: MARIA.id, proof: proofOf(MARIA) } }]);
  const asked = { ...first, ledgerEvents: [] };
  expect(approving({ asked, policy: { quorum: 2 }, by: JON })).toEqual(NEEDED);
  const second = after({ asked, policy: { quorum: 2 }, by: JON, signIn: signInOf(JON) });
  expect(second.ledgerEvents).toMatchObject([
    { kind: 'decided', facts: { by: { by: JON.id, proof: proofOf(JON) }, votes: [{ by: MARIA.id }] } },
  ]);
  expect(JSON.stringify(second.ledgerEvents)).not.toContain(`${MARIA.id} at work`);
});

it('a vote from before it took a sign-in counts no longer', () => {
  const asked = execution({ requests: [pending({ votes: [vote(JON)] })] });
  const { requests, ledgerEvents } = after({ asked, policy: { quorum: 2 }, signIn: signInOf(MARIA) });
  expect(requests).toMatchObject([{ state: { status: 'pending' }, discussion: { votes: [{ by: MARIA }] } }]);
  expect(ledgerEvents).toMatchObject([
    { kind: 'withdrawn', facts: { by: JON.id, reason: 'not-signed-in' } },
    { kind: 'voted', facts: { by: MARIA.id } },
  ]);
});

it('whoever has signed in and approved needn’t do so again to say the same', () => {
  const policy = { quorum: 2 };
  const asked = { ...after({ policy, signIn: signInOf(MARIA) }), ledgerEvents: [] };
  expect(approving({ asked, policy })).toEqual({ ok: true, value: asked });
  const withNote: Choice = { verdict: 'approve', feedback: 'fine', text: 'fine' };
  expect(approving({ asked, policy, choice: withNote })).toEqual(NEEDED);
  // Meanwhile, one approval is enough.
  expect(approving({ asked })).toEqual(NEEDED);
});

it('a sign-in is good for ten minutes', () => {
  expect(approving({ signIn: signInOf(MARIA, { at: NOW - SIGN_IN_MS }) }).ok).toBe(true);
  expect(approving({ signIn: signInOf(MARIA, { at: NOW - SIGN_IN_MS - 1 }) })).toEqual(NEEDED);
});

it('a sign-in is never later than the vote, whatever the clock of the identity provider says', () => {
  const { ledgerEvents } = after({ signIn: signInOf(MARIA, { at: NOW + 30_000 }) });
  expect(ledgerEvents).toMatchObject([{ at: NOW, facts: { by: { proof: { at: NOW } } } }]);
});

it('a rejection takes none, and keeps none', () => {
  for (const verdict of ['reject', 'decline'] as const) {
    const rejected = after({ choice: { verdict, feedback: 'no' }, signIn: signInOf(MARIA) });
    expect(JSON.stringify(rejected)).not.toContain('login.example.com');
  }
});

it('whoever may not decide is told so, and not sent to sign in', () => {
  const approvers = [{ kind: 'person' as const, name: JON.id }];
  expect(approving({ policy: { approvers } })).toMatchObject({ refusal: { kind: 'denied' } });
});

it('whoever was added as an approver signs in as themselves', () => {
  const approvers = [{ kind: 'person' as const, name: JON.id }];
  const handedOver = [{ to: MARIA, by: JON, at: START, until: null }];
  const asked = execution({ requests: [pending({ handedOver })] });
  const policy = { approvers, delegation: 'anyone' as const };
  expect(approving({ asked, policy })).toEqual(NEEDED);
  const { ledgerEvents } = after({ asked, policy, signIn: signInOf(MARIA) });
  expect(ledgerEvents).toMatchObject([{ facts: { by: { by: MARIA.id, for: { by: JON.id }, proof: proofOf(MARIA) } } }]);
});

it('where nothing asks for a sign-in, none is needed', () => {
  expect(approving({ policy: { stepUp: false } }).ok).toBe(true);
});

describe('while it isn’t known whether the task takes a sign-in', () => {
  const task = { ...DEFAULT_POLICY, stepUp: true, match: 'publish', looksAt: 'name' as const };
  const policy = { ...DEFAULT_POLICY, tasks: [task] };
  const nameless = execution({ requests: [pending({ taskName: null })] });

  it('approving takes one, and rejecting doesn’t', () => {
    expect(approving({ asked: nameless, policy })).toMatchObject({ refusal: { kind: 'sign-in-needed' } });
    expect(approving({ asked: nameless, policy, signIn: signInOf(MARIA) }).ok).toBe(true);
    expect(approving({ asked: nameless, policy, choice: { verdict: 'reject', feedback: 'no' } }).ok).toBe(true);
  });

  it('approving takes none of those whom only the other rules let decide', () => {
    const others = { ...task, approvers: [{ kind: 'person' as const, name: JON.id }] };
    const voted = approving({ asked: nameless, policy: { ...DEFAULT_POLICY, tasks: [others] } });
    expect(voted).toMatchObject({
      ok: true,
      value: { requests: [{ state: { status: 'pending' }, discussion: { votes: [{ by: MARIA }] } }] },
    });
  });
});
