import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../../src/core/policy/outcomes.ts';
import { type CrewPolicy, DEFAULT_POLICY } from '../../../src/core/policy/policy.ts';
import { type Choice, crewText } from '../../../src/core/request/choice.ts';
import { decide } from '../../../src/core/request/decide.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import { execution } from '../../support/executions.ts';
import { JON, MARIA, PERMITTED, pending, START } from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';

const NOW = START + 60_000;
const POLICY: CrewPolicy = { ...DEFAULT_POLICY, approving: ['approved', 'Ship*'] };
const TWO: CrewPolicy = { ...POLICY, quorum: 2 };
const OUTCOMES = ['approved', 'ship later', 'needs_revision'];

const offering = () => execution({ requests: [pending({ outcomes: OUTCOMES })] });
const approving = (outcome?: string): Choice => ({ verdict: 'approve', feedback: null, text: 'Approved.', outcome });
const rejecting = (outcome: string | undefined, feedback = 'shorter'): Choice => ({
  verdict: 'reject',
  feedback,
  outcome,
});

function chooses(run: Execution, choice: Choice, { by = MARIA, policy = POLICY, revision = PERMITTED.revision } = {}) {
  return decide(run, '1', { choice, by, ...PERMITTED, policy, revision }, NOW);
}

describe('an outcome', () => {
  it('approves where the policy says so, or says nothing', () => {
    expect(['Approved', 'ship now', 'needs_revision'].map((each) => verdictOf(each, POLICY))).toEqual([
      'approve',
      'approve',
      'reject',
    ]);
    expect(verdictOf('needs_revision', DEFAULT_POLICY)).toBe('approve');
    expect(verdictOf('approved', { approving: [] })).toBe('reject');
  });

  it('decides, and is the first thing that whoever asked is told', () => {
    const [approved] = valueFrom(chooses(offering(), approving('approved'))).requests;
    expect(approved).toMatchObject({
      state: { status: 'decided', decision: { verdict: 'approve', outcome: 'approved', text: 'approved' } },
    });
    const [revised] = valueFrom(chooses(offering(), rejecting('needs_revision'))).requests;
    expect(revised).toMatchObject({
      state: { decision: { verdict: 'reject', outcome: 'needs_revision', text: 'needs_revision\n\nshorter' } },
    });
  });

  it('comes with the notes of all who approved', () => {
    const vote = { by: MARIA, at: NOW, feedback: 'fine', outcome: 'approved' };
    expect(crewText([vote], { by: JON, feedback: null, text: 'Approved.', outcome: 'approved' }, [TWO])).toBe(
      `approved\n\nMaria (${MARIA.id}):\n> fine`,
    );
  });

  it('is in the ledger, with those that were offered', () => {
    const after = valueFrom(chooses(offering(), approving('approved')));
    expect(after.ledgerEvents.at(-1)).toMatchObject({ kind: 'decided', facts: { outcome: 'approved' } });
  });

  it.each([
    ['a plain approval', approving()],
    ['a plain rejection', rejecting(undefined)],
    ['what was never offered', approving('ship now')],
    ['an outcome that rejects, as an approval', approving('needs_revision')],
    ['an outcome that approves, as a rejection', rejecting('approved')],
  ])('refuses %s', (_, choice) => {
    expect(chooses(offering(), choice)).toMatchObject({ ok: false, refusal: { kind: 'outcome-needed' } });
  });

  it('may be rejected, too, where it is the only one', () => {
    const single = execution({ requests: [pending({ outcomes: ['approved'] })] });
    const [rejected] = valueFrom(chooses(single, rejecting(undefined))).requests;
    expect(rejected).toMatchObject({ state: { decision: { verdict: 'reject', text: 'shorter' } } });
    expect(rejected).not.toMatchObject({ state: { decision: { outcome: expect.anything() } } });
    expect(chooses(single, approving())).toMatchObject({ ok: false, refusal: { kind: 'outcome-needed' } });
  });

  it('is none where none is offered', () => {
    const plain = execution({ requests: [pending()] });
    expect(chooses(plain, approving('approved'))).toMatchObject({ ok: false, refusal: { kind: 'outcome-needed' } });
  });

  it('needs none for a decline', () => {
    const choice = { verdict: 'decline', feedback: 'wrong product' } as const;
    expect(valueFrom(chooses(offering(), choice)).requests[0]).toMatchObject({ state: { status: 'declined' } });
  });

  it('takes as many approvals of the same outcome as the policy says', () => {
    const first = valueFrom(chooses(offering(), approving('approved'), { policy: TWO }));
    expect(first.requests[0]).toMatchObject({
      state: { status: 'pending' },
      discussion: { votes: [{ by: MARIA, outcome: 'approved' }] },
    });
    expect(chooses(first, approving('ship later'), { by: JON, policy: TWO })).toMatchObject({
      ok: false,
      refusal: { kind: 'other-outcome', outcome: 'approved' },
    });
    const both = valueFrom(chooses(first, approving('approved'), { by: JON, policy: TWO }));
    expect(both.requests[0]).toMatchObject({ state: { status: 'decided', decision: { outcome: 'approved' } } });
  });

  it('can be changed by whoever was alone with it', () => {
    const first = valueFrom(chooses(offering(), approving('approved'), { policy: TWO }));
    const changed = valueFrom(chooses(first, approving('ship later'), { policy: TWO }));
    expect(changed.requests[0]?.discussion.votes).toMatchObject([{ by: MARIA, outcome: 'ship later' }]);
    expect(valueFrom(chooses(changed, approving('ship later'), { policy: TWO }))).toBe(changed);
  });

  it('by which one rejects decides against all approvals', () => {
    const first = valueFrom(chooses(offering(), approving('approved'), { policy: TWO }));
    const rejected = valueFrom(chooses(first, rejecting('needs_revision'), { by: JON, policy: TWO }));
    expect(rejected.requests[0]).toMatchObject({
      state: { status: 'decided', decision: { outcome: 'needs_revision' } },
    });
  });

  it('chosen again by the same person changes nothing, and another one is too late', () => {
    const decided = valueFrom(chooses(offering(), approving('approved')));
    expect(valueFrom(chooses(decided, approving('approved')))).toBe(decided);
    expect(chooses(decided, approving('ship later'))).toMatchObject({ refusal: { kind: 'already-decided' } });
  });
});
