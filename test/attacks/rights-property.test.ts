import fc from 'fast-check';
import { expect, it } from 'vitest';
import { after } from '../core/policy/history/after.ts';
import { lastChange, rulesOf } from '../core/policy/history/always.ts';
import { IDS } from '../core/policy/history/clicks.ts';
import type { Move } from '../core/policy/history/moves.ts';
import { haveRightsOfTheirOwn } from '../core/policy/history/oracle.ts';
import { begin, type World } from '../core/policy/history/world.ts';
import { SAM } from '../core/policy/runner/cast.ts';
import { runs } from '../support/sample.ts';

/** Those under whose policies more than one has to approve; one lets nobody decide the own run. */
const POLICIES = [0, 1, 2, 3, 4, 7];

/** Those whom most policies name, one of them with two accounts and one who has started the run, and those who need others. */
const named = fc.constantFrom(...['UMARIA', 'UMARIA2', 'UTOM', 'USAM'].map(placeOf));
const other = fc.constantFrom(...['UOLGA', 'UANNA', 'UCARL'].map(placeOf));
const person = fc.oneof(named, other);
const process = fc.nat(2);
const [APPROVE, WITHDRAW, HAND_OVER] = [0, 4, 5];

const ruled = move(
  1,
  fc.record({ kind: fc.constant('a process gets a policy'), process, policy: fc.constantFrom(...POLICIES) }),
);
const given = [
  clicked(2, HAND_OVER, { person: named, to: other }),
  clicked(1, HAND_OVER, { person: other, to: other }),
];
const lost = [
  heard(2, fc.record({ kind: fc.constant('a person joins or leaves'), person, group: fc.constant(0) })),
  heard(1, fc.record({ kind: fc.constant('an account changes'), person, change: fc.nat(2) })),
  heard(2, fc.record({ kind: fc.constant('an account changes'), person: other, change: fc.constant(1) })),
  move(1, fc.record({ kind: fc.constant('an absence ends'), person })),
  ruled,
];
const voted = [clicked(1, APPROVE, { person: other }), clicked(1, APPROVE, { person })];
const any = [
  ...[...given, ...lost, ...voted, clicked(1, WITHDRAW, { person })],
  move(1, fc.record({ kind: fc.constant('a click is stored'), click: fc.nat(3) })),
  move(1, fc.record({ kind: fc.constant('Slack can’t tell, or can again'), name: fc.nat(30) })),
  move(1, fc.record({ kind: fc.constant('time passes'), ms: fc.constantFrom(1_000, 31_000, 70_000) })),
  ruled,
];

/** Mostly in the order in which rights are given, used and lost, and then used with what is left of them. */
const moves: fc.Arbitrary<Move[]> = fc
  .tuple(few(given), few(voted), few(lost), few([...voted, ...given]), few(any))
  .map((parts) => parts.flat(2));

function few(choices: { weight: number; arbitrary: fc.Arbitrary<Move[]> }[]) {
  return fc.array(fc.oneof(...choices), { maxLength: 6, size: 'max' });
}

function placeOf(id: string): number {
  return IDS.indexOf(id);
}

function move<Each extends Move>(weight: number, arbitrary: fc.Arbitrary<Each>) {
  return { weight, arbitrary: arbitrary.map((each): Move[] => [each]) };
}

/** All processes hear of it before anything else happens, or after a minute at most. */
function heard<Each extends Move>(weight: number, change: fc.Arbitrary<Each>) {
  const arbitrary = fc
    .tuple(change, fc.boolean())
    .map(([made, isHeard]): Move[] => (isHeard ? [made, { kind: 'time passes', ms: 70_000 }] : [made]));
  return { weight, arbitrary };
}

/** Once to find out that more people have to be known about, and once with what is known of them. */
const STORED: Move = { kind: 'a click is stored', click: 0 };

/** A click that is stored at once, or after what comes next: then its facts are older than the record that it changes. */
function clicked(weight: number, action: number, who: { person: fc.Arbitrary<number>; to?: fc.Arbitrary<number> }) {
  const click = fc.record({
    kind: fc.constant('a person clicks'),
    process,
    to: person,
    ...who,
    action: fc.constant(action),
  });
  const arbitrary = fc
    .tuple(click, fc.nat(4))
    .map(([made, late]): Move[] => (late === 0 ? [made] : [made, STORED, STORED]));
  return { weight, arbitrary };
}

const [MARIA, TOM, OLGA] = [placeOf('UMARIA'), placeOf('UTOM'), placeOf('UOLGA')];
const clicks = (by: number, action: number, to = 1, process = 0): Move[] => [
  { kind: 'a person clicks', process, person: by, to, action },
  STORED,
  STORED,
];
const approves = (by: number) => clicks(by, APPROVE);
const gives = (by: number, to: number, process = 0) =>
  clicks(by, HAND_OVER, (to - by + IDS.length) % IDS.length, process);
const MARIA_LEAVES: Move[] = [
  { kind: 'a person joins or leaves', person: MARIA, group: 0 },
  { kind: 'time passes', ms: 70_000 },
];
/** The process whose hand-overs last for an absence. */
const ABSENCES = 2;

/** Each way that a right is used, taken back or lapses, with a history that shows it: chance meets some of them too rarely. */
const WAYS: Record<string, Move[]> = {
  'giver-denied': [...gives(MARIA, OLGA), ...MARIA_LEAVES, ...approves(OLGA)],
  'lent-right': [...gives(MARIA, OLGA), ...gives(OLGA, TOM)],
  'no-delegation': [
    ...gives(MARIA, OLGA),
    { kind: 'a process gets a policy', process: 0, policy: 2 },
    ...approves(OLGA),
  ],
  'right-used': [...gives(MARIA, OLGA), ...approves(MARIA), ...approves(OLGA)],
  'taken-back': [...gives(MARIA, OLGA, ABSENCES), { kind: 'an absence ends', person: MARIA }],
  'decided with the right of another': [...gives(MARIA, OLGA), ...approves(TOM), ...approves(OLGA)],
  'lapsed: giver-denied': [...gives(MARIA, OLGA), ...approves(OLGA), ...MARIA_LEAVES, ...approves(TOM)],
};

/** What has happened in all histories: without it, they would prove nothing. */
const seen = new Set<string>();

function note({ change }: World, people: readonly { for?: unknown }[]): void {
  if (change?.refusal?.kind === 'denied') seen.add(change.refusal.denial.kind);
  if (change?.refusal?.kind === 'lent-right') seen.add(change.refusal.kind);
  for (const { kind, facts } of change?.events ?? [])
    if (kind === 'taken-back' || kind === 'withdrawn')
      seen.add(kind === 'withdrawn' ? `lapsed: ${facts.reason}` : kind);
  if (people.some((each) => each.for)) seen.add('decided with the right of another');
}

/** Judges the decision that the last change has completed, if it has, by what was really so. */
function judge(world: World): void {
  const { was, is, change } = lastChange(world) ?? {};
  note(world, is?.state.status === 'decided' ? [...is.discussion.votes, is.state.decision] : []);
  if (was?.state.status !== 'pending' || is?.state.status !== 'decided' || !change || !is.state.decision.by) return;
  const { verdict, by } = is.state.decision;
  const [policy] = rulesOf(change, world.execution, is);
  if (!policy) return;
  const ids = [...(verdict === 'approve' ? is.discussion.votes.map((vote) => vote.by.id) : []), by.id];
  const counting = was.discussion.handedOver.filter(({ until }) => until === null || world.now < until);
  const right = { policy, starterId: SAM.id, isEscalated: policy.isEscalated };
  const ways = counting.map((each) => ({ by: each.by.id, to: each.to.id }));
  expect(ids.length).toBeGreaterThanOrEqual(verdict === 'approve' ? policy.quorum : 1);
  expect(haveRightsOfTheirOwn(ids, ways, { ...right, past: world.past, now: world.now })).toBe(true);
}

it('No votes, hand-overs, absences, deactivations and changes of groups make a decision that too few different people may make', () => {
  fc.assert(
    fc.property(fc.constantFrom(...POLICIES), moves, (policy, made) => {
      let world = begin(policy);
      for (const each of made) {
        world = after(world, each);
        judge(world);
      }
    }),
    { ...runs({ some: 1_500, all: 12_000 }), examples: Object.values(WAYS).map((made) => [0, made]) },
  );
  expect([...seen]).toEqual(expect.arrayContaining(Object.keys(WAYS)));
});
