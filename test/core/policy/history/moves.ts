import fc from 'fast-check';

/** One thing that happens. Numbers pick one of what there is at that moment. */
export type Move =
  | { kind: 'time passes'; ms: number }
  | { kind: 'a person joins or leaves'; person: number; group: number }
  | { kind: 'an account changes'; person: number; change: number }
  | { kind: 'Slack can’t tell, or can again'; name: number }
  | { kind: 'a process gets a policy'; process: number; policy: number }
  | { kind: 'a person clicks'; process: number; person: number; action: number; to: number }
  | { kind: 'a click is stored'; click: number }
  | { kind: 'an absence ends'; person: number }
  | { kind: 'a timer is due'; process: number; timer: number }
  | { kind: 'a worker sends' }
  | { kind: 'the crew answers'; answer: number }
  | { kind: 'the crew names the task'; process: number }
  | { kind: 'a worker judges the votes'; process: number }
  | { kind: 'a newer round comes'; process: number }
  | { kind: 'a person stops following' };

const process = fc.nat(2);
const any = fc.nat(30);

function weighted<M extends Move>(weight: number, model: { [Key in keyof M]: fc.Arbitrary<M[Key]> }) {
  return { weight, arbitrary: fc.record(model) };
}

const ms = fc.constantFrom(1, 1_000, 4_000, 9_999, 10_000, 20_000, 61_000, 180_000);
const action = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(0, 1) }, { weight: 4, arbitrary: fc.nat(10) });

const move: fc.Arbitrary<Move> = fc.oneof(
  weighted(8, { kind: fc.constant('time passes'), ms }),
  weighted(6, { kind: fc.constant('a person joins or leaves'), person: any, group: any }),
  weighted(3, { kind: fc.constant('an account changes'), person: any, change: any }),
  weighted(2, { kind: fc.constant('Slack can’t tell, or can again'), name: any }),
  weighted(3, { kind: fc.constant('a process gets a policy'), process, policy: any }),
  weighted(40, { kind: fc.constant('a person clicks'), process, person: any, action, to: any }),
  weighted(36, { kind: fc.constant('a click is stored'), click: fc.nat(3) }),
  weighted(3, { kind: fc.constant('an absence ends'), person: any }),
  weighted(6, { kind: fc.constant('a timer is due'), process, timer: any }),
  weighted(6, { kind: fc.constant('a worker sends') }),
  weighted(6, { kind: fc.constant('the crew answers'), answer: fc.nat(3) }),
  weighted(2, { kind: fc.constant('the crew names the task'), process }),
  weighted(4, { kind: fc.constant('a worker judges the votes'), process }),
  weighted(1, { kind: fc.constant('a newer round comes'), process }),
  weighted(1, { kind: fc.constant('a person stops following') }),
);

/** Up to eighty things that happen one after the other. */
export const moves: fc.Arbitrary<Move[]> = fc.array(move, { maxLength: 80, size: 'max' });
