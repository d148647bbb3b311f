import { describe, expect, it } from 'vitest';
import { type CrewPolicy, DEFAULT_POLICY } from '../../../src/core/policy/policy.ts';
import type { Choice } from '../../../src/core/request/choice.ts';
import { decide } from '../../../src/core/request/decide.ts';
import { withdraw } from '../../../src/core/request/retract.ts';
import { answerFacts, answerGiven } from '../../../src/core/state/answer.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import type { Answer } from '../../../src/core/values/input-field.ts';
import { execution } from '../../support/executions.ts';
import { field, JON, MARIA, PERMITTED, pending, START } from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';

const NOW = START + 60_000;
const TWO: CrewPolicy = { ...DEFAULT_POLICY, quorum: 2 };
const FIELDS = [field('where'), field('amount', { type: 'number' }), field('note', { isOptional: true })];
const STAGING = { where: 'staging', amount: 5 };

const asking = () => execution({ requests: [pending({ fields: FIELDS })] });
const answering = (answer?: Answer, feedback: string | null = null): Choice => ({
  ...{ verdict: 'approve', feedback, text: 'Approved.' },
  ...(answer && { answer }),
});

function gives(run: Execution, choice: Choice, { by = MARIA, policy = DEFAULT_POLICY } = {}) {
  return decide(run, '1', { choice, by, ...PERMITTED, policy }, NOW);
}

describe('an answer', () => {
  it('decides, is sent as it is, and is in the ledger by its hash', () => {
    const after = valueFrom(gives(asking(), answering(STAGING)));
    const text = '{"amount":5,"where":"staging"}';
    expect(after.requests[0]).toMatchObject({ state: { decision: { verdict: 'approve', answer: STAGING, text } } });
    expect(after.ledgerEvents.at(-1)).toMatchObject({ kind: 'decided', facts: { answer: answerFacts(STAGING) } });
  });

  it.each([
    ['nothing', answering(), 'answer-needed'],
    ['less than what is asked for', answering({ where: 'staging' }), 'answer-needed'],
    ['what isn’t asked for', answering({ ...STAGING, who: 'me' }), 'answer-needed'],
    ['an outcome', { ...answering(STAGING), outcome: 'ship' }, 'outcome-needed'],
    ['a note', answering(STAGING, 'fine'), 'notes-not-taken'],
  ])('is refused with %s', (_, choice, kind) => {
    expect(gives(asking(), choice)).toMatchObject({ ok: false, refusal: { kind } });
  });

  it('is needed by no rejection, and taken by nothing else that is asked', () => {
    const rejected = valueFrom(gives(asking(), { verdict: 'reject', feedback: 'no' }));
    expect(rejected.requests[0]).toMatchObject({ state: { decision: { verdict: 'reject', text: 'no' } } });
    const plain = execution({ requests: [pending()] });
    expect(gives(plain, answering(STAGING))).toMatchObject({ ok: false, refusal: { kind: 'answer-needed' } });
  });

  it('needs no note where approvals take one', () => {
    const policy: CrewPolicy = { ...DEFAULT_POLICY, comment: { approve: 'required', reject: 'optional' } };
    expect(gives(asking(), answering(STAGING), { policy }).ok).toBe(true);
  });

  it('counts together with the same answer alone, whatever the order of its values', () => {
    const first = valueFrom(gives(asking(), answering(STAGING), { policy: TWO }));
    const other = answering({ ...STAGING, amount: 6 });
    expect(gives(first, other, { by: JON, policy: TWO })).toEqual({ ok: false, refusal: { kind: 'other-answer' } });
    const both = valueFrom(gives(first, answering({ amount: 5, where: 'staging' }), { by: JON, policy: TWO }));
    expect(both.requests[0]).toMatchObject({ state: { status: 'decided', decision: { answer: STAGING, by: JON } } });
  });

  it('can be changed by whoever was alone with it, and is gone once it is taken back', () => {
    const first = valueFrom(gives(asking(), answering(STAGING), { policy: TWO }));
    const changed = valueFrom(gives(first, answering({ ...STAGING, amount: 6 }), { policy: TWO }));
    expect(changed.requests[0]?.discussion.votes).toMatchObject([{ answer: { amount: 6 } }]);
    expect(valueFrom(gives(changed, answering({ ...STAGING, amount: 6 }), { policy: TWO }))).toBe(changed);
    const { revision } = PERMITTED;
    const [alone] = valueFrom(withdraw(changed, '1', { by: MARIA, revision }, NOW)).requests;
    expect(alone && answerGiven(alone.discussion, answerFacts({ ...STAGING, amount: 6 }).sha256)).toBeUndefined();
  });
});
