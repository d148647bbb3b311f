import fc from 'fast-check';

/** One thing that happens. Numbers pick one of what there is at that moment, so that every history makes sense. */
export type Move =
  | { kind: 'time passes'; ms: number }
  | {
      kind: 'a notification comes';
      what: Notification;
      task: number;
      text: number;
      hop: number;
      kickoffId: string | null;
    }
  | { kind: 'a person clicks'; approval: number; person: number; choice: number }
  | { kind: 'a person sends again'; approval: number }
  | { kind: 'a worker begins'; action: number }
  | { kind: 'a late worker begins'; approval: number }
  | { kind: 'a call is answered'; call: number; answer: number }
  | { kind: 'a copy is clicked'; approval: number; ts: number }
  | { kind: 'a person can’t be answered'; person: number }
  | { kind: 'a task is named'; task: number; name: number }
  | { kind: 'a person stops following' }
  | { kind: 'a process starts'; crew: 'configured' | 'missing' };

export type Notification = 'human input' | 'task' | 'step' | 'completion';

const small = fc.nat(3);

const notification = fc.record({
  kind: fc.constant('a notification comes' as const),
  what: fc.oneof(
    { weight: 8, arbitrary: fc.constant('human input' as const) },
    { weight: 2, arbitrary: fc.constantFrom('task' as const, 'step' as const) },
    { weight: 1, arbitrary: fc.constant('completion' as const) },
  ),
  task: fc.nat(1),
  text: fc.nat(2),
  hop: small,
  kickoffId: fc.constantFrom(null, 'k1', 'k2', 'k3'),
});

const move: fc.Arbitrary<Move> = fc.oneof(
  weighted(10, { kind: fc.constant('time passes'), ms: fc.constantFrom(1, 1_000, 25_000, 70_000, 200_000) }),
  { weight: 12, arbitrary: notification },
  weighted(12, { kind: fc.constant('a person clicks'), approval: small, person: fc.nat(1), choice: fc.nat(8) }),
  weighted(8, { kind: fc.constant('a person sends again'), approval: small }),
  weighted(30, { kind: fc.constant('a worker begins'), action: fc.nat(5) }),
  weighted(3, { kind: fc.constant('a late worker begins'), approval: small }),
  weighted(25, { kind: fc.constant('a call is answered'), call: fc.nat(5), answer: fc.nat(6) }),
  weighted(3, { kind: fc.constant('a copy is clicked'), approval: small, ts: fc.nat(2) }),
  weighted(2, { kind: fc.constant('a person can’t be answered'), person: fc.nat(1) }),
  weighted(3, { kind: fc.constant('a task is named'), task: fc.nat(1), name: fc.nat(2) }),
  weighted(1, { kind: fc.constant('a person stops following') }),
  weighted(4, { kind: fc.constant('a process starts'), crew: fc.constantFrom('configured', 'missing') }),
);

function weighted<M extends Move>(weight: number, model: { [Key in keyof M]: fc.Arbitrary<M[Key]> }) {
  return { weight, arbitrary: fc.record(model) };
}

/** Up to sixty things that happen one after the other. */
export const moves: fc.Arbitrary<Move[]> = fc.array(move, { maxLength: 60, size: 'max' });
