import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseCondition } from '../../../../src/conditions/cel.ts';
import {
  canonicalJson,
  chainEntries,
  type LedgerEvent,
  NO_ENTRIES,
  sha256,
} from '../../../../src/core/ledger/entry.ts';
import { policyDocument, policyHash } from '../../../../src/core/policy/document.ts';
import { DEFAULT_POLICY, NOBODY } from '../../../../src/core/policy/policy.ts';
import { recordDeliveries } from '../../../../src/core/state/events.ts';
import type { EntryLine } from '../../../../src/tools/audit/lines.ts';
import { policyOf } from '../../../../src/tools/audit/verify/policy-of-document.ts';
import { type Requests, replay } from '../../../../src/tools/audit/verify/replay.ts';
import { moves } from '../../../core/histories/moves.ts';
import { after, begin } from '../../../core/histories/world.ts';
import { alwaysInLedger } from '../../../core/policy/history/always.ts';
import { POLICIES } from '../../../core/policy/history/truth.ts';
import { begin as beginPlay, play, plays } from '../../../core/policy/possible/play.ts';
import {
  append,
  asked,
  confirmed,
  decided,
  exported,
  jon,
  maria,
  NOW,
  POLICY,
  recordPolicy,
  sent,
  verified,
  voted,
} from '../../../ledger/ledger-under-test.ts';
import { ROUTED, ROUTED_POLICIES, TRIALS, tried } from '../../../ledger/routed-runs.ts';
import { redisForTests } from '../../../redis/store-under-test.ts';
import { execution } from '../../../support/executions.ts';
import { RULES as CREW_RULES, START } from '../../../support/requests.ts';
import { runs } from '../../../support/sample.ts';

const { redis } = redisForTests();
const at = NOW + 1_500;
const anna = { by: 'U0ANNA', rule: '@leads', account: 'member' as const };
const eve = { by: 'U0EVE', rule: '@leads', account: 'member' as const };
const paul = { ...eve, by: 'U0PAUL' };
const policy = policyHash(POLICY);
const withdrawn: LedgerEvent = { kind: 'withdrawn', at, facts: { approval: '1', by: maria.by, reason: 'own' } };
const undone: LedgerEvent = {
  kind: 'undone',
  at: NOW + 2_900,
  facts: { approval: '1', by: jon.by, rule: 'own decision', policy },
};
const sentLater = { ...sent, at: NOW + 4_000 };
const handedOver: LedgerEvent = {
  kind: 'handed-over',
  at,
  facts: { approval: '1', by: jon.by, to: eve.by, rule: jon.rule, policy },
};
/** Until a moment after the decision, or the very moment of it. */
const standsInUntil = (until: number): LedgerEvent => ({
  kind: 'handed-over',
  at,
  facts: { approval: '1', by: jon.by, to: eve.by, rule: jon.rule, policy, until },
});
const takenBack: LedgerEvent = {
  kind: 'taken-back',
  at,
  facts: { approval: '1', by: jon.by, to: eve.by, until: NOW + 9_000 },
};
const escalated = (policy: string): LedgerEvent => ({
  kind: 'escalated',
  at,
  facts: { approval: '1', places: [''], to: ['@chiefs'], mentioned: ['S0CHIEFS'], policy },
});
const refusedOn = (approval: string): LedgerEvent => ({
  kind: 'refused',
  at,
  facts: { approval, action: 'approve', by: eve.by, reason: 'unknown', policy },
});
const chief = { ...eve, rule: '@chiefs' };
/** With the right of another. */
const withRightOf = (holder: typeof jon) => ({ ...eve, rule: 'handed over', for: holder });
const byStandIn = decided({ by: withRightOf(jon), handed_to: [eve.by] });
const strict = {
  ...POLICY,
  escalateAfterMs: 1,
  escalateTo: [{ kind: 'handle' as const, name: '@chiefs' }],
  tasks: [{ ...DEFAULT_POLICY, match: 'publish*', looksAt: 'name' as const, quorum: 3 }],
};

/** Of the crew `research`, too: only people whom these name may be handed a request, or nobody. */
const namers = {
  ...POLICY,
  delegation: 'approvers' as const,
  escalateAfterMs: 9_000,
  escalateTo: [{ kind: 'handle' as const, name: '@chiefs' }],
};
const closed = { ...POLICY, delegation: 'none' as const };
const [ofNamers, ofClosed] = [policyHash(namers), policyHash(closed)];
const handedUnder = (policy: string, change: object = {}): LedgerEvent => ({
  kind: 'handed-over',
  at,
  facts: { approval: '1', by: jon.by, to: eve.by, rule: jon.rule, policy, ...change },
});
const votedUnder = (policy: string, by: typeof maria): LedgerEvent => ({
  kind: 'voted',
  at,
  facts: { approval: '1', ...by, text: null, policy },
});
/** Eve hands on what Jon has handed over to her: as what was lent to her, or as if it were her own. */
const handedOn = (change: object = {}) =>
  handedUnder(policy, { by: eve.by, to: paul.by, rule: 'handed over', ...change });
const handedAsOwn = handedOn({ rule: '@leads' });
const byTakerOf = (holder: typeof jon) =>
  decided({ by: { ...paul, rule: 'handed over', for: holder }, handed_to: [eve.by, paul.by] });
const toChief = handedUnder(ofNamers, { to_named: '@chiefs' });
const chiefFor = (holder: typeof jon, named = '@chiefs') => ({ ...withRightOf(holder), named });
const byChiefFor = (by: ReturnType<typeof withRightOf>, policy = ofNamers) =>
  decided({ by, handed_to: [eve.by], policy });

/** Of the crew `research`, too. */
const undoable = { ...POLICY, undoMs: 1_000 };
const decidedUndoable = (at = NOW + 2_000) => decided({ undo_ms: 1_000, policy: policyHash(undoable) }, at);
/** Of a run that was started elsewhere. */
const elsewhere = {
  ...DEFAULT_POLICY,
  selfApproval: false,
  startedElsewhere: [
    { kind: 'person' as const, name: maria.by },
    { kind: 'email' as const, name: 'jon@example.com' },
  ],
};
const ofElsewhere = { crew: 'elsewhere', starter: null, policy: policyHash(elsewhere) };

const hash = policyHash(strict);
const askedStrict = asked({ policy: hash, crew: 'strict' });
const [one, other] = [maria, jon].map((person) => ({ ...person, rule: 'workspace' })) as [typeof maria, typeof jon];
const votedAs = (by: typeof maria): LedgerEvent => ({
  kind: 'voted',
  at,
  facts: { approval: '1', ...by, text: null, policy: hash },
});
const decidedAs = (by: typeof maria, ...votes: (typeof maria)[]) => decided({ by, votes, policy: hash });

/** Of the crew `research`, too: approving takes a sign-in. */
const signedFor = { ...POLICY, stepUp: true };
const ofSigned = policyHash(signedFor);
const proofAt = (at: number) => ({ proof: { iss: 'https://login.example.com', sub: 'u1', at, acr: 'mfa' } });
const [mariaSigned, jonSigned] = [
  { ...maria, ...proofAt(at - 600_000) },
  { ...jon, ...proofAt(NOW + 1_900) },
];
const votedSigned = votedUnder(ofSigned, mariaSigned);
const decidedSigned = (by: typeof jon, facts: Parameters<typeof decided>[0] = {}) =>
  decided({ by, policy: ofSigned, ...facts });

const TASK = { id: 't1', name: 'publish it' };
const inBoth = { seen: { possible: ['/tasks/0', ''], values: {} } };
const named = (task = TASK): LedgerEvent => ({ kind: 'named', at, facts: { approval: '1', task, policy: hash } });
const unnamedStrict = asked({ policy: hash, crew: 'strict', task: { ...TASK, name: null }, ...inBoth });
/** By the rules of the task alone, or by the crew's own, too. */
const byTask = (person: typeof maria) => ({
  ...person,
  rule: 'workspace',
  under: [{ place: '/tasks/0', rule: 'workspace' }],
});
const byBoth = (person: typeof maria, rule = person.rule) => ({
  ...person,
  rule: 'workspace',
  under: [
    { place: '/tasks/0', rule: 'workspace' },
    { place: '', rule },
  ],
});
const votedIn = (by: typeof maria): LedgerEvent => ({
  kind: 'voted',
  at,
  facts: { approval: '1', ...by, text: null, policy: hash, ...inBoth },
});
const decidedIn = (by: typeof maria, ...votes: (typeof maria)[]) =>
  decided({ by, votes, policy: hash, ...inBoth }, NOW + 2_000);
const nina = { ...eve, by: 'U0NINA', rule: 'workspace' };
/** A task whose rules take a sign-in. */
const nameTakes = {
  ...POLICY,
  quorum: 1,
  tasks: [{ ...DEFAULT_POLICY, match: 'publish*', looksAt: 'name' as const, stepUp: true, quorum: 2 }],
};
const ofNameTakes = policyHash(nameTakes);
/** Two have signed in and approved by the rules for the name, which is told a quarter of an hour later. */
const completeByName = (proof: { proof?: ReturnType<typeof proofAt>['proof'] }): LedgerEvent[] => {
  const facts = { approval: '1', text: null, policy: ofNameTakes, ...inBoth };
  const signIn = proofAt(NOW + 1_000);
  const ofName = { policy: ofNameTakes };
  const nameTold = { approval: '1', task: TASK, ...ofName };
  const paul = { ...byTask({ ...maria, by: 'U0PAUL' }), ...signIn };
  const tina = { ...byTask({ ...maria, by: 'U0TINA' }), ...signIn };
  const { under: _, proof: _proof, ...counted } = paul;
  const { under: _under, proof: _own, ...last } = tina;
  return [
    asked({ crew: 'names', task: { ...TASK, name: null }, ...ofName, ...inBoth }),
    { kind: 'voted', at, facts: { ...facts, ...paul } },
    { kind: 'voted', at, facts: { ...facts, ...tina } },
    { kind: 'named', at: NOW + 900_000, facts: nameTold },
    decided({ votes: [counted], by: { ...last, ...proof }, ...ofName }, NOW + 900_500),
  ];
};
const decidedElsewhere = (by: typeof maria) => decided({ by, votes: [], policy: policyHash(elsewhere) });

/** A run whose requests are asked under the policy of a quorum of two, and what verifying says of it. */
const RUNS: [string, LedgerEvent[], string][] = [
  ['two approvals', [asked(), voted(), decided(), sent, confirmed], 'OK'],
  [
    'a refusal on a request that there never was',
    [refusedOn('7'), asked({}, at), decided({ verdict: 'reject', votes: [] })],
    'OK',
  ],
  ['one decline', [asked(), decided({ verdict: 'decline', votes: [] })], 'OK'],
  [
    'a decline that is sent although its policy says that it isn’t',
    [asked(), decided({ verdict: 'decline', votes: [] }), sent],
    'is "sent", but request 1 was declined',
  ],
  [
    'a decline of somebody who may not decide',
    [asked(), decided({ verdict: 'decline', votes: [], by: { by: 'U0SAM', rule: '@sales', account: 'member' } })],
    "is a decision of U0SAM, whom its policy doesn't allow it (not-approver)",
  ],
  ['one rejection', [asked(), decided({ verdict: 'reject', votes: [] }), sent, confirmed], 'OK'],
  ['a vote withdrawn and given again', [asked(), voted(), withdrawn, voted(), decided()], 'OK'],
  [
    'a decision undone and made again',
    [asked(), voted(), decidedUndoable(), undone, decidedUndoable(NOW + 2_900), sentLater],
    'OK',
  ],
  [
    'something undone too late',
    [asked(), voted(), decidedUndoable(), { ...undone, at: NOW + 3_000 }],
    'undoes what could not be undone any more',
  ],
  [
    'something undone twice',
    [asked(), voted(), decidedUndoable(), undone, undone],
    'is "undone", but request 1 still waits for a decision',
  ],
  [
    'something sent too soon',
    [asked(), voted(), decidedUndoable(), { ...sent, at: NOW + 2_999 }],
    'sends what could still be undone',
  ],
  [
    'a decision with the right of nobody named',
    [asked(), voted(), handedOver, decided({ by: { ...eve, rule: 'handed over' }, handed_to: [eve.by] })],
    "counts a vote of U0EVE, which doesn't say whose right was handed over",
  ],
  [
    'a decision with the right of another',
    [asked(), voted(), handedOver, decided({ by: withRightOf(jon), handed_to: [eve.by] })],
    'OK',
  ],
  [
    'giver and receiver as two',
    [asked(), voted(jon), handedOver, decided({ by: withRightOf(jon), votes: [jon], handed_to: [eve.by] })],
    'counts the right of U0JON twice',
  ],
  [
    'a right of somebody who never gave it',
    [asked(), voted(), handedOver, decided({ by: withRightOf({ ...jon, by: 'U0TOM' }), handed_to: [eve.by] })],
    '(not-approver)',
  ],
  [
    'a right of somebody whom the policy does not name',
    [asked(), voted(), handedOver, decided({ by: withRightOf({ ...jon, rule: '@friends' }), handed_to: [eve.by] })],
    '(giver-denied)',
  ],
  [
    'a lent right that is handed on',
    [asked(), voted(), handedOver, handedOn()],
    'is handed over by U0EVE, with a right that was lent to them',
  ],
  [
    'a lent right that an older build let somebody hand on',
    [asked(), voted(), handedOver, handedOn({ for: jon })],
    'is handed over by U0EVE, with a right that was lent to them',
  ],
  [
    'a right that is handed on with that of another',
    [asked(), voted(), handedOver, handedOn({ rule: '@leads', for: jon })],
    'is handed over by U0EVE, with a right that was lent to them',
  ],
  ['a decision by one hop beside another', [asked(), voted(), handedOver, handedAsOwn, byTakerOf(eve)], 'OK'],
  [
    'a decision that rests on two hops',
    [asked(), voted(), handedOver, handedAsOwn, byTakerOf(jon)],
    "is a decision of U0PAUL, whom its policy doesn't allow it (not-approver)",
  ],
  [
    'a decision with the right of somebody to whom it was lent',
    [asked(), voted(), handedOver, handedAsOwn, byTakerOf({ ...eve, rule: 'handed over' })],
    "is a decision of U0PAUL, whom its policy doesn't allow it (giver-denied)",
  ],
  [
    'a decision that leaves out to whom it was handed over',
    [asked(), voted(), handedOver, decided()],
    "doesn't say that it was handed over to U0EVE, but an entry before it does",
  ],
  ['a hand-over to somebody whom the policy names', [asked(), voted(), toChief, byChiefFor(chiefFor(jon))], 'OK'],
  [
    'a hand-over to somebody whom the policy does not name',
    [asked(), handedUnder(ofNamers)],
    "is handed over by U0JON, to U0EVE, whom its policy doesn't name",
  ],
  [
    'a hand-over to somebody by a name that the policy does not have',
    [asked(), handedUnder(ofNamers, { to_named: '@friends' })],
    "to U0EVE, whom its policy doesn't name",
  ],
  [
    'a hand-over where the policy lets nobody',
    [asked(), handedUnder(ofClosed, { to_named: '@leads' })],
    'is handed over by U0JON, which its policy lets nobody do',
  ],
  [
    'a decision of somebody whom the policy no longer names',
    [asked(), voted(), toChief, byChiefFor(withRightOf(jon))],
    '(no-delegation)',
  ],
  [
    'a decision of somebody by another name than the policy has',
    [asked(), voted(), toChief, byChiefFor(chiefFor(jon, '@friends'))],
    '(no-delegation)',
  ],
  [
    'a decision with a right that the policy has made void',
    [asked(), voted(), handedOver, byChiefFor(withRightOf(jon), ofClosed)],
    '(no-delegation)',
  ],
  ['a vote of somebody whom the policy names', [asked(), toChief, votedUnder(ofNamers, chiefFor(jon))], 'OK'],
  [
    'a vote of somebody whom the policy does not name',
    [asked(), toChief, votedUnder(ofNamers, withRightOf(jon))],
    'is a vote of U0EVE',
  ],
  ['a decision on a run that was started elsewhere', [asked(ofElsewhere), decidedElsewhere(other)], 'OK'],
  [
    'a decision of a person who counts as its starter',
    [asked(ofElsewhere), decidedElsewhere(one)],
    "is a decision of U0MARIA, whom its policy doesn't allow it (self-approval)",
  ],
  ['a decision by a stand-in', [asked(), voted(), standsInUntil(NOW + 2_001), byStandIn], 'OK'],
  [
    'a decision by a stand-in after the absence',
    [asked(), voted(), standsInUntil(NOW + 2_000), byStandIn],
    'says that it was handed over to U0EVE, but no entry before it does, or that was over',
  ],
  [
    'a vote by a stand-in after the absence',
    [asked(), standsInUntil(at), voted(withRightOf(jon), at)],
    'is a vote of U0EVE',
  ],
  [
    'a decision by a stand-in after it was taken back',
    [asked(), voted(), standsInUntil(NOW + 9_000), takenBack, byStandIn],
    'says that it was handed over to U0EVE',
  ],
  ['a hand-over for good beside one for a while', [asked(), voted(), handedOver, standsInUntil(at), byStandIn], 'OK'],
  [
    'something taken back that was handed over for good',
    [asked(), handedOver, takenBack],
    'takes back what U0JON never',
  ],
  [
    'a request whose policy was not known, decided once it was',
    [asked({ policy: policyHash(null) }), voted(), decided()],
    'OK',
  ],
  [
    'a decision while nobody may decide',
    [asked(), voted(), decided({ policy: policyHash(null) })],
    "whom its policy doesn't allow it (not-approver)",
  ],
  ['approvals that were signed in for', [asked(), votedSigned, decidedSigned(jonSigned)], 'OK'],
  [
    'a vote without the sign-in that its policy takes',
    [asked(), votedUnder(ofSigned, maria)],
    'is a vote of U0MARIA, without the sign-in that its policy takes',
  ],
  [
    'a decision without the sign-in that its policy takes',
    [asked(), votedSigned, decidedSigned(jon)],
    'is a decision of U0JON, without the sign-in that its policy takes',
  ],
  [
    'a decision that counts a vote from before it took a sign-in',
    [asked(), voted(), decidedSigned(jonSigned)],
    "counts a vote of U0MARIA, who hasn't signed in as its policy takes",
  ],
  [
    'a vote with a sign-in that is too old',
    [asked(), votedUnder(ofSigned, { ...maria, ...proofAt(at - 600_001) })],
    'is a vote of U0MARIA, with a sign-in that is too old',
  ],
  [
    'a decision with a sign-in after it',
    [asked(), votedSigned, decidedSigned({ ...jon, ...proofAt(NOW + 2_001) })],
    'is a decision of U0JON, with a sign-in that is yet to come',
  ],
  ['a rejection without a sign-in', [asked(), decidedSigned(jon, { verdict: 'reject', votes: [] })], 'OK'],
  ['a sign-in that nobody had asked for', [asked(), voted(), decided({ by: jonSigned })], 'OK'],
  ['an approval that the name of its task completes, with the sign-ins of then', completeByName({}), 'OK'],
  [
    'an approval that the name of its task completes, which repeats the sign-in of then',
    completeByName(proofAt(NOW + 1_000)),
    'OK',
  ],
  [
    'an approval that the name of its task completes, with another sign-in',
    completeByName(proofAt(NOW + 1_001)),
    'is a decision of U0TINA, with a sign-in that is too old',
  ],
  ['two requests', [asked(), voted(), decided(), sent, asked({ approval: '2', round: 2 }, NOW + 3_500)], 'OK'],
  ['too few approvals', [asked(), decided({ votes: [] })], 'is decided with 1 too few approvals'],
  [
    'one person who approves twice',
    [asked(), voted(jon), decided({ votes: [jon] })],
    'counts the right of U0JON twice',
  ],
  ['a vote that nobody gave', [asked(), decided()], 'counts a vote of U0MARIA that no entry before it has'],
  ['a rejection of what others had approved', [asked(), voted(), decided({ verdict: 'reject', votes: [] })], 'OK'],
  [
    'a rejection that counts votes',
    [asked(), voted(), decided({ verdict: 'reject', votes: [maria] })],
    'counts votes for what takes none',
  ],
  [
    'an answer to what a newer round has replaced unsent',
    [asked(), voted(), decided(), asked({ approval: '2', round: 2 }, NOW + 2_500), confirmed],
    'is about a decision that no entry before it has sent',
  ],
  [
    'an answer that a newer round proves',
    [asked(), voted(), decided(), sent, asked({ approval: '2', round: 2 }, NOW + 3_500), confirmed],
    'OK',
  ],
  ['a vote that was withdrawn', [asked(), voted(), withdrawn, decided()], 'counts a vote of U0MARIA'],
  [
    'a starter who decides',
    [asked(), voted(), decided({ by: anna })],
    "a decision of U0ANNA, whom its policy doesn't allow it (self-approval)",
  ],
  ['a starter who votes', [asked(), voted(anna)], 'is a vote of U0ANNA'],
  ['somebody by no rule', [asked(), voted({ ...eve, rule: '@friends' })], '(not-approver)'],
  ['a guest', [asked(), voted({ ...eve, account: 'guest' as never })], '(guest)'],
  [
    'a hand-over that never was',
    [asked(), voted(), decided({ by: withRightOf(jon), handed_to: [eve.by] })],
    'handed over to U0EVE',
  ],
  [
    'an escalation that never was',
    [asked(), voted(), decided({ by: chief, escalated: [''] })],
    'says that it was escalated',
  ],
  [
    'an escalation to those whom the policy has not',
    [asked(), voted(), escalated(policy), decided({ by: chief, escalated: [''] })],
    'is an escalation that its policy has none of',
  ],
  [
    'an expiry that the policy has not',
    [asked(), decided({ by: null, verdict: 'reject', votes: [] })],
    'is a decision of nobody',
  ],
  ['a decision on nothing', [voted()], 'is about the request 1, which no entry before it has asked'],
  ['two decisions', [asked(), voted(), decided(), decided()], 'is "decided", but request 1 is decided'],
  ['a vote too late', [asked(), voted(), decided(), voted(eve)], 'is "voted", but request 1 is decided'],
  ['something sent undecided', [asked(), sent], 'is "sent", but request 1 still waits for a decision'],
  [
    'something undone after it was sent',
    [asked(), voted(), decided(), sent, { ...undone, at: NOW + 3_000 }],
    'is "undone", but request 1 is sent',
  ],
  ['an answer to nothing', [asked(), confirmed], 'is "confirmed", but request 1 still waits'],
  ['a withdrawal of nothing', [asked(), withdrawn], 'withdraws a vote that U0MARIA never gave'],
  ['an unknown policy', [asked({ policy: 'ab'.repeat(32) })], 'names a policy that no line before it has'],
  ['a person by the wrong rule', [askedStrict, votedAs(jon)], 'but by workspace in its policy'],
  ['the quorum of its task', [askedStrict, votedAs(one), decidedAs(other, one)], 'with 1 too few approvals'],
  [
    'a task without a name by each of the possible rules',
    [unnamedStrict, votedIn(byTask(nina)), votedIn(byBoth(jon)), decidedIn(byBoth(maria), byTask(nina), byBoth(jon))],
    'OK',
  ],
  [
    'an approval that is complete by one of the possible rules alone',
    [unnamedStrict, votedIn(byBoth(jon)), decidedIn(byBoth(maria), byBoth(jon))],
    'is decided with 1 too few approvals',
  ],
  [
    'a vote that leaves out one of the rules by which it counts',
    [unnamedStrict, votedIn({ ...jon, under: [{ place: '', rule: '@leads' }] })],
    "is a vote of U0JON, which doesn't say by all rules by which it counts",
  ],
  [
    'a vote that doesn’t say by which of the possible rules it counts',
    [unnamedStrict, votedIn(one)],
    "is a vote of U0MARIA, which doesn't say by which of the possible rules it counts",
  ],
  [
    'a vote by rules that are not possible any more',
    [unnamedStrict, named(), votedAs({ ...one, under: [{ place: '', rule: 'workspace' }] } as typeof maria)],
    'is a vote of U0MARIA, which counts by several rules, but only one is possible',
  ],
  [
    'other rules as possible than those that its name leaves open',
    [asked({ policy: hash, crew: 'strict', task: { ...TASK, name: null }, seen: { possible: [''], values: {} } })],
    'takes other rules for possible than its policy',
  ],
  [
    'a title as a name that isn’t known',
    [asked({ policy: hash, crew: 'strict', task: { ...TASK, titled: true }, ...inBoth }), votedIn(byBoth(jon))],
    'OK',
  ],
  [
    'a title as a name',
    [asked({ policy: hash, crew: 'strict', task: { ...TASK, titled: true } })],
    "doesn't say what its rules depend on",
  ],
  [
    'a decline of a person whom only one of the possible rules lets decide',
    [unnamedStrict, decided({ verdict: 'decline', by: byTask(nina), votes: [], policy: hash, ...inBoth })],
    'which takes somebody who may decide by each of the possible rules',
  ],
  [
    'a rejection of such a person',
    [unnamedStrict, decided({ verdict: 'reject', by: byTask(nina), votes: [], policy: hash, ...inBoth })],
    'OK',
  ],
  [
    'a task that has been named since by the rules for that name',
    [unnamedStrict, votedIn(byBoth(maria)), named(), decidedAs(other, one)],
    'with 1 too few approvals',
  ],
  ['the name of a task that was asked about elsewhere', [unnamedStrict, named({ ...TASK, id: 't2' })], 'the task t2'],
  ['a second name', [unnamedStrict, named(), named({ ...TASK, name: 'draft' })], 'called publish it already'],
];

it.each(RUNS)('judges %s', async (_, events, told) => {
  await recordPolicy(redis());
  for (const each of [undoable, namers, closed, signedFor]) await recordPolicy(redis(), each);
  await recordPolicy(redis(), nameTakes, 'names');
  await recordPolicy(redis(), strict, 'strict');
  await recordPolicy(redis(), elsewhere, 'elsewhere');
  await append(redis(), 'run', events);
  expect(await verified(await exported(redis()))).toContain(told);
});

it.each(ROUTED)('judges %s', async (_, events, told) => {
  for (const each of ROUTED_POLICIES) await recordPolicy(redis(), each);
  await append(redis(), 'run', events);
  expect(await verified(await exported(redis()))).toContain(told ?? 'OK');
});

it.each(TRIALS)('judges %s', async (_, ref, told) => {
  await append(redis(), ref, [tried]);
  expect(await verified(await exported(redis()))).toContain(told ?? 'OK');
});

/** What an older build wrote into an entry of a kind. */
const OLDER: [string, object][] = [
  ['named', { reopened: true }],
  ['decided', { escalated: false }],
  ['escalated', { to: [] }],
  ['asked', { seen: { rules: [0], values: {} } }],
  ['voted', { completes: [{ by: 'U0MARIA' }] }],
];

it.each(OLDER)('says of “%s” with %j that it is an older build’s', async (kind, facts) => {
  await append(redis(), 'run', [asked()]);
  const lines = (await exported(redis(), { filters: { ref: 'run' } })).split('\n').map((line) => {
    const value = line === '' ? null : JSON.parse(line);
    return value?.kind === 'asked' ? canonicalJson({ ...value, kind, facts: { approval: '1', ...facts } }) : line;
  });
  expect(await verified(lines.join('\n'))).toMatch(/^line \d+: is an entry of an older build's, whose ledger judges/);
});

it('takes no entry by which nothing was revealed', async () => {
  await append(redis(), 'run', [{ kind: 'revealed', at, facts: { approval: '1', by: jon.by, secrets: 1 } }]);
  const lines = (await exported(redis(), { filters: { ref: 'run' } })).replace('"secrets":1', '"secrets":0');
  expect(await verified(lines)).toMatch(/^line \d+: isn't an entry of the kind revealed: secrets/);
});

it('judges an escalation and an expiry by the policy of the time', async () => {
  const policy = { ...POLICY, ...strict, tasks: [], expireAfterMs: 9, onExpiry: 'reject' as const };
  const hash = policyHash(policy);
  await recordPolicy(redis(), policy);
  const chiefDecides = decided({ by: chief, escalated: [''], policy: hash });
  const vote = { kind: 'voted' as const, at, facts: { approval: '1', ...maria, text: null, policy: hash } };
  await append(redis(), 'escalated', [asked({ policy: hash }), vote, escalated(hash), chiefDecides]);
  const { expiryText } = policy;
  const text = { sha256: sha256(expiryText), length: expiryText.length };
  const nobody = (at: number): LedgerEvent[] => [
    { kind: 'expired', at, facts: { approval: '1', outcome: 'reject', policy: hash } },
    decided({ by: null, verdict: 'reject', votes: [], text, policy: hash }, at),
  ];
  await append(redis(), 'expired', [asked({ policy: hash }), ...nobody(NOW + 9)]);
  expect(await verified(await exported(redis()))).toContain('2 decisions allowed');
  await append(redis(), 'expired too soon', [asked({ policy: hash }), ...nobody(NOW + 8)]);
  expect(await verified(await exported(redis()))).toContain('is an expiry before the time that people had');
});

const policiesByHash = new Map(
  [...POLICIES, DEFAULT_POLICY, NOBODY].map((policy) => [
    policyHash(policy),
    policyOf(policyDocument(policy), parseCondition),
  ]),
);

function expectNothingWrong(events: readonly LedgerEvent[]): void {
  const requests: Requests = new Map();
  for (const entry of chainEntries('run', NO_ENTRIES, events))
    expect(replay(requests, entry as EntryLine, policiesByHash)).toBeNull();
}

it('whatever people, groups, policies and processes do, an auditor finds nothing wrong with it', () => {
  alwaysInLedger(expectNothingWrong);
});

const ONE_STEP = { quorum: 1, allOf: [], escalateTo: [] };
const USUAL = { selfApproval: true, guests: false, delegation: 'anyone' as const, stepUp: false, when: [] };
const byName = (approvers: string[], allOf: string[]) => ({
  ...{ ...USUAL, pattern: 'publish', looksAt: 'name' as const },
  steps: [{ ...ONE_STEP, approvers, allOf }],
});
const approves = (id: string) => ({ kind: 'approves' as const, id, place: 9, isSigned: true });

type Play = typeof plays extends fc.Arbitrary<infer Each> ? Each : never;
const UNKNOWN = { name: null, isTitled: false, amount: null, owner: null };

/** By the first rules, Anna's second account has lent Ben the only right that she has; by the second, both have their own. */
const LENT_BY_OTHER_ACCOUNT: Play = [
  {
    spec: {
      ...{ ...USUAL, selfApproval: false, matchTitles: false, steps: [{ ...ONE_STEP, approvers: ['UANNA'] }] },
      tasks: [byName(['UANNA', '@heads'], ['UCARA']), byName(['workspace'], ['@leads'])],
    },
    ...UNKNOWN,
  },
  [{ kind: 'hands over', id: 'UANNA2', to: 'UBEN' }, approves('UBEN'), approves('UANNA')],
];

/** Whether Ben, whom an input names, is the starter is what Slack can't tell: he counts as one of the group. */
const STARTER_UNTOLD: Play = [
  {
    spec: {
      ...{ ...USUAL, matchTitles: false, tasks: [] },
      steps: [{ ...ONE_STEP, approvers: ['input:owner', '@leads'] }],
    },
    ...{ ...UNKNOWN, owner: 'UBEN' },
  },
  [{ kind: 'can’t be told of, or can again', name: 'UANNA' }, approves('UBEN')],
];

/** By the first rules, Anna may not edit, as she has started the run; by the usual ones, she may with the right that Eva has lent her. */
const EDITED_WITH_LENT_RIGHT: Play = [
  {
    spec: {
      ...{ ...USUAL, matchTitles: false },
      steps: [
        { ...ONE_STEP, approvers: ['@leads'] },
        { ...ONE_STEP, approvers: ['channel', '@legal'], allOf: ['UCARA'], escalateTo: ['@legal'] },
      ],
      tasks: [
        {
          ...byName([], []),
          ...{ selfApproval: false, delegation: 'none' },
          steps: [
            { ...ONE_STEP, approvers: ['workspace'] },
            { ...ONE_STEP, approvers: ['workspace'] },
          ],
        },
      ],
    },
    ...UNKNOWN,
  },
  [
    { kind: 'hands over', id: 'UEVA', to: 'UANNA' },
    { kind: 'approves', id: 'UANNA', place: 0, isSigned: true },
    { kind: 'approves with edits', id: 'UANNA', place: 0, isSigned: true },
    { kind: 'approves', id: 'UANNA', place: 0, isSigned: true },
    { kind: 'time passes', ms: 1_000 },
    { kind: 'can’t be told of, or can again', name: 'UANNA' },
    { kind: 'approves', id: 'UANNA', place: 0, isSigned: true },
  ],
];

it('whatever turns out to apply and in whichever order it is learned, an auditor finds nothing wrong with it', () => {
  fc.assert(
    fc.property(plays, ([beginning, moves]) => {
      const { policy, entered } = moves.reduce(play, beginPlay(beginning));
      const requests: Requests = new Map();
      const known = new Map([policy, NOBODY].map((each) => [policyHash(each), each]));
      for (const entry of chainEntries('run', NO_ENTRIES, entered))
        expect([entry.kind, replay(requests, entry as EntryLine, known)]).toEqual([entry.kind, null]);
    }),
    {
      ...runs({ some: 500, all: 5_000 }),
      examples: [[LENT_BY_OTHER_ACCOUNT], [STARTER_UNTOLD], [EDITED_WITH_LENT_RIGHT]],
    },
  );
});

it('whatever a crew, its tasks and their rounds do, an auditor finds nothing wrong with it', () => {
  fc.assert(
    fc.property(moves, (history) => {
      let world = begin(execution(), START, CREW_RULES);
      const events: LedgerEvent[] = [];
      for (const move of history) {
        const { execution: before } = world;
        world = after(world, move);
        events.push(
          ...recordDeliveries(before, world.execution, world.now).ledgerEvents.slice(before.ledgerEvents.length),
        );
      }
      expectNothingWrong(events);
    }),
    runs({ some: 150, all: 1_000 }),
  );
});
