import fc from 'fast-check';
import type { LedgerEvent } from '../../../src/core/ledger/entry.ts';

const hash = fc.stringMatching(/^[0-9a-f]{64}$/);
const id = fc.oneof(fc.constantFrom('U0MARIA', 'U0JON'), fc.stringMatching(/^U[A-Z0-9]{5,10}$/));
const word = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.uuid(), hash, fc.constant('"\u0001\u0002\\'));
const text = fc.record({ sha256: hash, length: fc.nat() });
const at = fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 });
const right = fc.record({ by: id, rule: word, account: fc.constantFrom('member' as const, 'guest' as const) });
const place = fc.constantFrom('', '/when/0', '/tasks/1', '/tasks/0/when/12');
const places = fc.array(place, { maxLength: 3 });
const seen = fc.record({ possible: places, values: fc.constant({ 'inputs.amount': 7, task: 'publish' }) });
const under = fc.array(fc.record({ place, rule: word, seat: word }), { maxLength: 2 });
const vote = fc.oneof(
  right,
  fc.tuple(right, under).map(([own, counted]) => ({ ...own, under: counted })),
  fc.tuple(right, right).map(([own, given]) => ({ ...own, for: given })),
  fc
    .tuple(right, fc.record({ iss: word, sub: word, at, acr: fc.option(word) }))
    .map(([own, proof]) => ({ ...own, proof })),
);
const completes = fc.array(fc.record({ place, stage: word, votes: fc.array(right, { maxLength: 2 }) }), {
  maxLength: 2,
});
const approval = fc.nat({ max: 40 }).map(String);
const ids = fc.array(id, { maxLength: 4 });

const event = <Kind extends LedgerEvent['kind']>(
  kind: Kind,
  facts: fc.Arbitrary<Extract<LedgerEvent, { kind: Kind }>['facts']>,
) => fc.record({ kind: fc.constant(kind), at, facts }) as fc.Arbitrary<LedgerEvent>;

/** Any event of any kind, in any order: what an execution would never do is stored, too. */
export const anyEvent: fc.Arbitrary<LedgerEvent> = fc.oneof(
  event(
    'asked',
    fc.record({
      approval,
      crew: word,
      channel: word,
      round: fc.nat(),
      output: text,
      policy: hash,
      task: fc.record({ id: fc.oneof(fc.uuid(), word), name: fc.option(word) }),
      starter: fc.option(id),
    }) as never,
  ),
  event(
    'voted',
    fc
      .tuple(vote, fc.record({ approval, text: fc.option(text), policy: hash, seen, completes }))
      .map(([a, b]) => ({ ...a, ...b })),
  ),
  event('named', fc.record({ approval, task: fc.record({ id: word, name: word }), policy: hash, seen })),
  event('withdrawn', fc.record({ approval, by: id, reason: word })),
  event(
    'decided',
    fc.record({
      approval,
      by: fc.option(vote),
      votes: fc.array(vote, { maxLength: 3 }),
      text,
      policy: hash,
      handed_to: ids,
      verdict: fc.constantFrom('approve' as const, 'reject' as const, 'decline' as const),
      escalated: places,
      undo_ms: fc.nat(),
    }),
  ),
  event('refused', fc.record({ approval: fc.option(approval), action: word, by: id, reason: word, policy: hash })),
  event('edited', fc.record({ approval, by: id, rule: word, text, policy: hash })),
  event('undone', fc.record({ approval, by: id, rule: word, policy: hash })),
  event('handed-over', fc.record({ approval, by: id, to: id, rule: word, policy: hash })),
  event('handed-over', fc.record({ approval, by: id, to: id, rule: word, policy: hash, until: fc.nat() })),
  event('revealed', fc.record({ approval, by: id, secrets: fc.integer({ min: 1 }) })),
  event('taken-back', fc.record({ approval, by: id, to: id, until: fc.nat() })),
  event('reminded', fc.record({ approval, number: fc.nat(), mentioned: ids })),
  event(
    'escalated',
    fc.record({ approval, places, to: fc.array(word, { maxLength: 3 }), mentioned: ids, policy: hash }),
  ),
  event(
    'expired',
    fc.record({ approval, outcome: fc.constantFrom('close' as const, 'reject' as const), policy: hash }),
  ),
  event('cancelled', fc.record({ approval, replaced_by: word }, { requiredKeys: ['approval'] })),
  event('sent', fc.record({ approval, attempt: fc.nat() })),
  event('confirmed', fc.record({ approval, proof: fc.constantFrom('accepted' as const, 'evidence' as const) })),
  event('not-confirmed', fc.record({ approval, attempt: fc.nat() })),
  event(
    'lost',
    fc.record({
      approval,
      verdict: fc.constantFrom('approve' as const, 'reject' as const, 'decline' as const),
      by: fc.option(id),
      attempts: fc.nat(),
    }),
  ),
  event('tried', fc.record({ crew: word, task: fc.record({ id: word, name: fc.option(word) }), kickoff: word, text })),
  event('policy', fc.record({ crew: word, policy: hash })),
);
