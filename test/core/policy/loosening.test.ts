import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { possibleWith } from '../../../src/core/policy/in-force.ts';
import { looserIn } from '../../../src/core/policy/loosening.ts';
import type { CrewPolicy } from '../../../src/core/policy/policy.ts';
import { evaluate } from '../../../src/core/policy/verdict.ts';
import { runs } from '../../support/sample.ts';
import { accountsAtFirst, membersAtFirst, SAM } from './runner/cast.ts';
import { readPolicy } from './runner/read-policy.ts';

const looser = (rules: string, others: string) => looserIn(readPolicy(rules), readPolicy(others));

describe('rules in place of others are looser in', () => {
  it.each<[string, string, string[]]>([
    ['', '', []],
    ['quorum: 1', 'quorum: 2', ['quorum']],
    ['quorum: 3', 'quorum: 2', []],
    ['approvers: [@leads]', '', []],
    ['approvers: [UMARIA, channel, maria@example.com]', 'approvers: [workspace]', []],
    ['approvers: [workspace]', 'approvers: [@leads]', ['approvers']],
    ['approvers: [@heads]', 'approvers: [@leads]', ['approvers']],
    ['approvers: [@leads]', 'approvers: [@leads, @heads]', []],
    ['approvers: [UGUEST]', 'approvers: [workspace], guests: true', ['approvers']],
    ['approvers: [@leads, "input:owner"]', 'approvers: [@leads]', ['approvers']],
    ['approvers: ["input:owner"]', 'approvers: [@leads, "input:owner"]', []],
    ['approvers: [@leads], all_of: [@legal]', 'approvers: [@leads]', []],
    ['approvers: [@leads]', 'approvers: [@leads], all_of: [@legal]', ['all_of']],
    ['approvers: [@leads], stages: [{ name: A, approvers: [channel] }, { name: B }]', 'approvers: [@leads]', []],
    ['approvers: [@leads], stages: [{ name: A, approvers: [channel] }]', 'approvers: [@leads]', ['approvers']],
    ['stages: [{ name: A, approvers: [@leads] }, { name: B, approvers: [@heads] }]', 'approvers: [@legal]', ['stages']],
    [
      'stages: [{ name: A, approvers: [@leads] }, { name: New, approvers: [channel] }, { name: B, approvers: [@heads] }]',
      'stages: [{ name: A, approvers: [@leads] }, { name: B, approvers: [@heads] }]',
      [],
    ],
    [
      'stages: [{ name: B, approvers: [@heads] }, { name: A, approvers: [@leads] }]',
      'stages: [{ name: A, approvers: [@leads] }, { name: B, approvers: [@heads] }]',
      ['stages'],
    ],
    ['approvers: [@heads]', 'stages: [{ name: A, approvers: [@leads] }, { name: B, approvers: [@heads] }]', ['stages']],
    ['self_approval: true', 'self_approval: false', ['self_approval']],
    ['self_approval: false', 'self_approval: true', []],
    ['guests: true', '', ['guests']],
    ['delegation: anyone', '', ['delegation']],
    ['delegation: none', '', []],
    ['undo: 5s', 'undo: 10s', ['undo']],
    ['min_review: 5s', 'min_review: 10s', ['min_review']],
    ['min_review: 20s', 'min_review: 10s', []],
    [
      'approvers: [@leads], escalate_after: 1h, escalate_to: [@heads]',
      'approvers: [@leads]',
      ['escalate_after', 'escalate_to'],
    ],
    [
      'approvers: [@leads], escalate_after: 1h, escalate_to: [@heads]',
      'approvers: [@leads], escalate_after: 2h, escalate_to: [@heads]',
      ['escalate_after'],
    ],
    [
      'approvers: [@heads], escalate_after: 1h, escalate_to: [@heads]',
      'approvers: [@leads], escalate_after: 1h, escalate_to: [@heads]',
      ['approvers'],
    ],
    [
      'stages: [{ name: A, approvers: [@leads], escalate_after: 1h, escalate_to: [@heads] }]',
      'approvers: [@leads]',
      ['escalate_after', 'escalate_to'],
    ],
    ['comment: optional', 'comment: required', ['comment']],
    ['comment: none', 'comment: { approve: required }', ['comment']],
    ['comment: required', 'comment: optional', []],
    ['', 'step_up: true', ['step_up']],
    ['step_up: true', '', []],
    ['remind_after: 1h, expire_after: 2h, on_expiry: reject', '', []],
  ])('"%s" than "%s" in %j', (rules, others, settings) => {
    expect(looser(rules, others)).toEqual(settings);
  });
});

const PEOPLE = ['UMARIA', 'UTOM', 'ULEA', 'USAM', 'UOLGA', 'UANNA', 'UCARL', 'UGUEST', 'USTRANGER', 'UMARIA2'];

const NAMES = ['@leads', '@heads', '@legal', 'channel', 'workspace', 'UMARIA', 'UGUEST', 'maria@example.com'];
const listOf = (names: string[]) => `[${names.join(', ')}]`;
const approvers = fc.subarray(NAMES, { minLength: 1, maxLength: 3 }).map(listOf);
const quorum = fc.integer({ min: 1, max: 3 });
const stages = fc
  .array(fc.record({ approvers, quorum: fc.integer({ min: 1, max: 2 }) }), { minLength: 1, maxLength: 2 })
  .map((all) => listOf(all.map((each, i) => `{ name: S${i}, approvers: ${each.approvers}, quorum: ${each.quorum} }`)));

const SETTINGS = {
  approvers,
  quorum,
  all_of: fc.subarray(['@legal', '@security', '@heads'], { minLength: 1 }).map(listOf),
  self_approval: fc.boolean(),
  guests: fc.boolean(),
  escalate_after: fc.constantFrom('1h', '2h'),
  escalate_to: approvers,
};
const settings = fc.oneof(
  { weight: 3, arbitrary: fc.record({ ...SETTINGS, approvers }, { requiredKeys: ['approvers'] }) },
  { weight: 1, arbitrary: fc.record({ ...SETTINGS, stages }, { requiredKeys: ['stages'] }) },
);
/** As a condition: few settings in place of others. */
const changes = fc.oneof(
  fc.record({ ...SETTINGS, stages }, { requiredKeys: ['quorum'] }),
  fc.record(SETTINGS, { requiredKeys: ['escalate_after', 'escalate_to'] }),
  fc.record({ ...SETTINGS, stages }, { requiredKeys: [] }),
);

const policyWith = (all: object) =>
  readPolicy(
    Object.entries(all)
      .map(([name, value]) => `${name}: ${value}`)
      .join(', '),
  );

const FACTS = { accounts: accountsAtFirst(), members: membersAtFirst(), connected: null };
/** How long the request has waited, and each of its stages. */
const WAITED_MS = 90 * 60_000;

const TASK = { taskId: 't1', taskName: null, values: new Map() };

/** Whether people who approve one after the other decide by all rules that may apply; those who may not are passed over. */
function isApproved(policy: CrewPolicy, people: readonly string[]): boolean {
  const stages = new Map<string, { personId: string; holder: string }[]>();
  let votes: string[] = [];
  for (const personId of people) {
    const policies = possibleWith(policy, { ...TASK, stages: [...stages.keys()] }).map((rules) => ({
      ...rules,
      isEscalated: rules.escalateAfterMs !== null && rules.escalateAfterMs <= WAITED_MS,
    }));
    const subject = { starterId: SAM.id, handedOver: [] };
    const complete = [...stages].map(([key, used]) => ({ key, used }));
    const ballot = {
      verdict: 'approve',
      personId,
      subject,
      votes,
      signedIn: [],
      stages: complete,
      facts: FACTS,
    } as const;
    const evaluation = evaluate(policies, ballot);
    if (evaluation.kind === 'decides') return true;
    if (evaluation.kind !== 'counts') continue;
    const lapsed = evaluation.lapsed.map((each) => each.personId);
    votes = [...votes, personId].filter((id) => !lapsed.includes(id));
    for (const stage of evaluation.courses.flatMap(({ completes }) => completes))
      stages.set(
        stage.key,
        stage.votes.map((vote) => ({ personId: vote.personId, holder: vote.right.holder })),
      );
  }
  return false;
}

const people = fc.shuffledSubarray(PEOPLE);

/** In whichever order they approve: by the rules before, other people's turn may come first. */
function isApprovedInSomeOrder(policy: CrewPolicy, ids: readonly string[]): boolean {
  const orders = (left: readonly string[], done: readonly string[]): boolean =>
    isApproved(policy, [...done, ...left]) ||
    (left.length > 1 &&
      left.some((id) =>
        orders(
          left.filter((each) => each !== id),
          [...done, id],
        ),
      ));
  return ids.length <= 5 ? orders(ids, []) : isApproved(policy, ids);
}

it('rules that are in nothing looser than others approve nothing that those don’t', () => {
  fc.assert(
    fc.property(settings, changes, people, (usual, change, ids) => {
      const [rules, others] = [policyWith({ ...usual, ...change }), policyWith(usual)];
      fc.pre(looserIn(rules, others).length === 0);
      const few = ids.slice(0, 5);
      if (isApproved(rules, few)) expect(isApprovedInSomeOrder(others, few)).toBe(true);
    }),
    runs({ some: 75, all: 1_500 }),
  );
});

const NOBODY_KNOWS = { text: 'inputs.amount > 1', sees: ['inputs.amount'], holds: () => null };

it('what isn’t known approves nothing that one of the rules that may apply doesn’t', () => {
  fc.assert(
    fc.property(settings, fc.array(changes, { minLength: 1, maxLength: 2 }), people, (usual, changed, ids) => {
      const others = changed.map((change) => policyWith({ ...usual, ...change }));
      const when = others.map((rules) => ({ ...rules, condition: NOBODY_KNOWS }));
      const few = ids.slice(0, 5);
      fc.pre(isApproved({ ...policyWith(usual), when }, few));
      for (const each of [policyWith(usual), ...others]) expect(isApprovedInSomeOrder(each, few)).toBe(true);
    }),
    runs({ some: 30, all: 1_200 }),
  );
});
