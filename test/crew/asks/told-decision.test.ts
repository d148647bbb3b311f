import { expect, it } from 'vitest';
import type { HumanRequest } from '../../../src/core/state/request.ts';
import { askTold } from '../../../src/crew/asks/told-decision.ts';
import {
  decided,
  decision,
  declined,
  delivered,
  expired,
  MARIA,
  pending,
  refused,
  rejection,
  START,
  sending,
  superseded,
} from '../../support/requests.ts';

const at = new Date(START).toISOString();
const by = { id: MARIA.id, name: MARIA.name };
const nothing = { outcome: null, answer: null, feedback: null, edited_text: null };
const approved = { status: 'decided', decision: 'approved', ...nothing, by, decided_at: at };
const rejected = { ...approved, decision: 'rejected', feedback: 'shorter' };
const nobody = { status: 'expired', decision: 'expired', ...nothing, by: null, decided_at: at };
const byNobody = rejection({ by: null });

it.each<[string, HumanRequest, object]>([
  ['that waits', pending(), { status: 'waiting' }],
  ['whose decision can be undone', decided({ undoUntil: START + 1_000 }), { status: 'waiting' }],
  ['that is decided', decided({ undoUntil: null }), approved],
  ['whose decision is being sent', sending(), approved],
  ['whose decision wasn’t taken', refused(), approved],
  ['that is approved', delivered(), approved],
  ['with outcomes', delivered({ decision: decision({ outcome: 'hold' }) }), { ...approved, outcome: 'hold' }],
  ['with fields', delivered({ decision: decision({ answer: { why: 'x' } }) }), { ...approved, answer: { why: 'x' } }],
  ['that is rejected', delivered({ decision: rejection() }), rejected],
  ['that is declined', declined({ decision: rejection({ verdict: 'decline' }) }), rejected],
  ['that nobody decided in time', expired({ expiredAt: START }), nobody],
  ['that nobody decided in time, at an address', sending({ decision: byNobody }), nobody],
  ['that was taken back', superseded({ decision: null, by: 'cancelled' }), { status: 'cancelled' }],
  ['that nobody decides any more', superseded({ decision: null, by: 'ended' }), { status: 'closed' }],
])('An ask %s is told the same way everywhere, with its id and ref', (_, request, told) => {
  expect(askTold('ref1', request, null)).toEqual({ id: null, ref: 'ref1', ...told });
  expect(askTold('ref1', { ...request, question: { ...request.question, requestId: 'build-7' } }, null)).toEqual({
    id: 'build-7',
    ref: 'ref1',
    ...told,
  });
});

it('An approval with edits has the whole edited text by itself, and in its feedback as before', () => {
  const edited = delivered({ decision: decision({ text: 'Approved with these edits:' }) });
  expect(askTold('ref1', edited, 'All blue.')).toMatchObject({
    edited_text: 'All blue.',
    feedback: 'Approved with these edits:\nAll blue.',
  });
});
