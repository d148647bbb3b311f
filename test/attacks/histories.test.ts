import { beforeEach, expect, it } from 'vitest';
import { chainEntries, type LedgerEvent, NO_ENTRIES, sha256, type VoteFacts } from '../../src/core/ledger/entry.ts';
import { policyHash } from '../../src/core/policy/document.ts';
import { type CrewPolicy, DEFAULT_POLICY } from '../../src/core/policy/policy.ts';
import { ledgerKey, shardOf, unsealedKey } from '../../src/redis/keys.ts';
import { appendArgs } from '../../src/redis/ledger/entries.ts';
import {
  append,
  asked,
  decided,
  exported,
  jon,
  ledgerOptions,
  maria,
  NOW,
  POLICY,
  recordPolicy,
  sent,
  verified,
  voted,
} from '../ledger/ledger-under-test.ts';
import { redisForTests } from '../redis/store-under-test.ts';

// Whoever has Redis and the secret, or a bug, writes entries whose hashes, proofs and signatures are right. What they tell must
// be possible all the same.
const { redis } = redisForTests();

const MINUTE = 60_000;
/** In minutes. */
const DAY = 24 * 60;
const LAX = DEFAULT_POLICY;
const TIMED: CrewPolicy = {
  ...POLICY,
  undoMs: MINUTE,
  escalateAfterMs: 30 * MINUTE,
  escalateTo: [{ kind: 'handle', name: '@chiefs' }],
  expireAfterMs: 60 * MINUTE,
  onExpiry: 'reject',
};
const CLOSING: CrewPolicy = { ...TIMED, onExpiry: 'close' };
const STRICT: CrewPolicy = { ...POLICY, quorum: 3 };
const LATER: CrewPolicy = { ...POLICY, quorum: 1 };
const [policy, lax, timed, closing, later] = [POLICY, LAX, TIMED, CLOSING, LATER].map(policyHash) as [
  string,
  string,
  string,
  string,
  string,
];

beforeEach(async () => {
  for (const each of [POLICY, TIMED, CLOSING]) await recordPolicy(redis(), each);
  for (const each of [LAX, STRICT, LATER]) await recordPolicy(redis(), each, 'playground');
  await append(redis(), 'crew:research', [entered('research', later, 3 * DAY)]);
});

const at = (minutes: number) => NOW + minutes * MINUTE;
const about = { approval: '1' };
const anna: VoteFacts = { by: 'U0ANNA', rule: '@leads', account: 'member' };
const eve: VoteFacts = { by: 'U0EVE', rule: '@leads', account: 'member' };
const byNobody: VoteFacts = { by: 'U0MALLORY', rule: 'workspace', account: 'member' };
const handed: VoteFacts = { ...eve, rule: 'handed over', for: anna };
const expiryText = { sha256: sha256(TIMED.expiryText), length: TIMED.expiryText.length };

const reject = { verdict: 'reject' as const, votes: [] };
const decidedIn = (minutes: number, facts: Parameters<typeof decided>[0] = {}) => decided(facts, at(minutes));
const votedIn = (minutes: number, by: VoteFacts, named = policy): LedgerEvent => ({
  kind: 'voted',
  at: at(minutes),
  facts: { ...about, ...by, text: null, policy: named },
});
const undone = (minutes: number, { by, rule }: Pick<VoteFacts, 'by' | 'rule'>): LedgerEvent => ({
  kind: 'undone',
  at: at(minutes),
  facts: { ...about, by, rule, policy: timed },
});
const escalated = (minutes: number, to = ['@chiefs']): LedgerEvent => ({
  kind: 'escalated',
  at: at(minutes),
  facts: { ...about, places: [''], to, mentioned: [], policy: timed },
});
const expired = (minutes: number, outcome: 'close' | 'reject'): LedgerEvent => ({
  kind: 'expired',
  at: at(minutes),
  facts: { ...about, outcome, policy: outcome === 'close' ? closing : timed },
});
const handedOver = (minutes: number, { by, rule }: Pick<VoteFacts, 'by' | 'rule'>, to: string): LedgerEvent => ({
  kind: 'handed-over',
  at: at(minutes),
  facts: { ...about, by, rule, to, policy },
});
const reminded = (minutes: number): LedgerEvent => ({
  kind: 'reminded',
  at: at(minutes),
  facts: { ...about, number: 1, mentioned: [] },
});
const sentIn = (minutes: number, attempt = 1): LedgerEvent => ({
  kind: 'sent',
  at: at(minutes),
  facts: { ...about, attempt },
});
const answered = (minutes: number): LedgerEvent => ({
  kind: 'confirmed',
  at: at(minutes),
  facts: { ...about, proof: 'accepted' },
});
const withdrawn = (minutes: number, by: string): LedgerEvent => ({
  kind: 'withdrawn',
  at: at(minutes),
  facts: { ...about, by, reason: 'own' },
});
const entered = (crew: string, hash: string, minutes = 4 * DAY): LedgerEvent => ({
  kind: 'policy',
  at: at(minutes),
  facts: { crew, policy: hash },
});
const newerRound = asked({ approval: '2', round: 2 }, at(1));
const undoable = { policy: timed, undo_ms: MINUTE };

/** A run of the crew `research`, what is told of it last or in passing, and why that can't be. */
const FORGED: [attack: string, events: LedgerEvent[], told: string][] = [
  [
    'a request is asked again after its decision, and decided twice',
    [asked(), voted(), decided(), asked({}, at(1)), votedIn(1, maria), decidedIn(2)],
    'asks for request 1',
  ],
  [
    'a request is decided after it has expired',
    [asked({ policy: closing }), expired(60, 'close'), votedIn(61, maria), decidedIn(62)],
    'is "voted", but request 1 has expired',
  ],
  [
    'a request is rejected by a person after it has expired',
    [asked({ policy: timed }), expired(60, 'reject'), decidedIn(61, { ...reject, ...undoable })],
    'is a decision of U0JON, but it has expired',
  ],
  [
    'a decision is undone by somebody who may not undo',
    [asked(), voted(), decided(undoable), undone(0.5, { by: 'U0MALLORY', rule: '@friends' })],
    'is undone by U0MALLORY',
  ],
  [
    'a decision is undone as their own by somebody else',
    [asked(), voted(), decided(undoable), undone(0.5, { ...eve, rule: 'own decision' })],
    'is undone by U0EVE',
  ],
  [
    'the person who started the run undoes what they may not decide',
    [asked(), voted(), decided(undoable), undone(0.5, anna)],
    'is undone by U0ANNA',
  ],
  [
    'a decision skips the time in which it could be undone',
    [asked(), voted(), decided({ policy: timed, undo_ms: 0 }), sent],
    'says another time for undoing than its policy',
  ],
  [
    "a decision names another crew's policy",
    [asked(), decidedIn(1, { by: byNobody, votes: [], policy: lax })],
    'names a policy that its crew did not have',
  ],
  [
    "a vote names another crew's policy",
    [asked(), votedIn(1, maria, policyHash(STRICT))],
    'names a policy that its crew did not have',
  ],
  [
    "a refusal names another crew's policy",
    [
      asked(),
      { kind: 'refused', at: at(1), facts: { ...about, action: 'approve', by: eve.by, reason: 'guest', policy: lax } },
    ],
    'names a policy that its crew did not have',
  ],
  [
    'a decision rests on a policy that its crew got only later',
    [asked(), decidedIn(1, { by: maria, votes: [], policy: later })],
    'names a policy that its crew did not have by then',
  ],
  [
    'a request is escalated too early, so that a chief decides',
    [
      asked({ policy: timed }),
      escalated(29),
      votedIn(29, maria, timed),
      decidedIn(30, { by: { ...eve, rule: '@chiefs' }, escalated: [''], ...undoable }),
    ],
    'is an escalation before the time of its policy',
  ],
  [
    'a request is escalated to people whom the policy has not',
    [asked({ policy: timed }), escalated(30, ['@friends'])],
    'is an escalation that its policy has none of',
  ],
  [
    'a request is escalated twice',
    [asked({ policy: timed }), escalated(30), escalated(31)],
    'escalates what is escalated',
  ],
  [
    'a decision hides that it was escalated',
    [asked({ policy: timed }), escalated(30), votedIn(31, maria, timed), decidedIn(32, undoable)],
    'says that it was not escalated',
  ],
  [
    'an expiry rejects what has not expired',
    [asked({ policy: timed }), decidedIn(60, { ...reject, by: null, text: expiryText, policy: timed })],
    'is a decision of nobody, but nothing has expired',
  ],
  [
    'an expiry sends a text that is not that of the policy',
    [asked({ policy: timed }), expired(60, 'reject'), decidedIn(60, { ...reject, by: null, policy: timed })],
    "is a decision of nobody that isn't the one of its policy",
  ],
  [
    'a request expires before its time, so that nobody can decide it',
    [asked({ policy: closing }), expired(59, 'close')],
    'is an expiry before the time that people had',
  ],
  [
    'one vote is counted twice',
    [asked(), voted(), decided({ votes: [maria, maria] })],
    'counts the right of U0MARIA twice',
  ],
  [
    "a vote is counted under another rule than the policy's",
    [asked(), voted(), decided({ votes: [{ ...maria, rule: '@friends' }] })],
    'counts a vote of U0MARIA, allowed by @friends as it says, but by U0MARIA in its policy',
  ],
  [
    'a vote is withdrawn after the decision',
    [asked(), voted(), decided(), withdrawn(1, maria.by)],
    'is "withdrawn", but request 1 is decided',
  ],
  [
    'time runs backwards in a run',
    [asked(), voted(maria, at(2)), decidedIn(1)],
    'is dated before the entry that it follows on',
  ],
  [
    'a request is handed over by the person who started the run, who may not decide it',
    [asked(), handedOver(1, anna, eve.by), votedIn(2, handed)],
    'is handed over by U0ANNA',
  ],
  [
    'a request is handed over to the person who started the run, who may not decide it',
    [asked(), handedOver(1, jon, anna.by)],
    "is handed over by U0JON, to U0ANNA, to whom it can't be",
  ],
  [
    'a request is handed over after its decision',
    [asked(), voted(), decided(), handedOver(1, jon, eve.by)],
    'is "handed-over", but request 1 is decided',
  ],
  [
    'people are reminded of what is decided',
    [asked(), voted(), decided(), reminded(1)],
    'is "reminded", but request 1 is decided',
  ],
  [
    'a request is decided whose task has asked again meanwhile',
    [asked(), voted(), newerRound, decidedIn(2)],
    'is "decided", but request 1 was followed by a newer round',
  ],
  [
    'a decision is sent that a newer round has replaced',
    [asked(), voted(), decided(), newerRound, sentIn(2)],
    'is "sent", but request 1 was followed by a newer round',
  ],
  [
    'a decision is sent again after it has reached the crew',
    [asked(), voted(), decided(), sent, answered(1), sentIn(2, 2)],
    'is "sent", but request 1 has reached the crew',
  ],
  ['an attempt to send a decision is left out', [asked(), voted(), decided(), sentIn(1, 2)], 'is attempt 2, but 1'],
  [
    'a run changes its crew, and with it who decides',
    [asked(), asked({ approval: '2', crew: 'playground', policy: lax }, at(1))],
    'is of the crew playground, but its run is one of research',
  ],
  [
    'a policy of a crew lies in the chain of a run',
    [asked(), entered('research', lax)],
    'is a policy of the crew research',
  ],
];

it.each(FORGED)('An export doesn’t verify if %s', async (_, events, told) => {
  await forge('forged', events);
  const said = await verified(await exported(redis()));
  expect(said).toContain(told);
  expect(said).toMatch(/^line \d+: /);
});

/** Writes entries as the bot would, whatever they tell. */
async function forge(ref: string, events: readonly LedgerEvent[]): Promise<void> {
  const args = appendArgs(chainEntries(ref, NO_ENTRIES, events), ledgerOptions);
  const entries = args.slice(-2 * events.length);
  await redis().rpush(ledgerKey(ref), ...entries.slice(0, events.length));
  await redis().rpush(unsealedKey(shardOf(ref)), ...entries.slice(events.length));
}

it('An export doesn’t verify if a policy of one crew is entered under another', async () => {
  await append(redis(), 'crew:research', [entered('playground', lax)]);
  expect(await verified(await exported(redis()))).toMatch(/^line \d+: is a policy of the crew playground/);
});

it('An export doesn’t verify if a decision lies in the chain of a crew, which is no run', async () => {
  await append(redis(), 'crew:research', [asked({}, at(4 * DAY))]);
  expect(await verified(await exported(redis()))).toMatch(/^line \d+: is "asked" in the chain crew:research/);
});
