import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ChannelFacts, InboxFacts } from '../../../src/core/inbox/judgement.ts';
import { askedOf, type OpenRequest } from '../../../src/core/inbox/snapshot.ts';
import type { PossibleRules } from '../../../src/core/policy/in-force.ts';
import { type Account, permits } from '../../../src/core/policy/permits.ts';
import {
  type Approver,
  type CrewPolicy,
  DEFAULT_POLICY,
  DELEGATION,
  mustBeLookedUp,
  parseApprover,
} from '../../../src/core/policy/policy.ts';
import { policiesOfListed } from '../../../src/core/policy/rules.ts';
import { account, START } from '../../support/requests.ts';
import { runs } from '../../support/sample.ts';
import { inboxIn, openRequest, openRun } from './open-requests.ts';

const ANNA = 'U0ANNA';
const GIVER = 'U0GIVER';
const PEOPLE = [ANNA, 'U0ANNA2', 'U0JON', 'U0MARIA'];
const CHANNELS = ['C1', 'C2'];
const CREWS = ['research', 'editorial'];
/** The second account of Anna, which only Slack can tell. */
const identitiesOf = (id: string) => (id.startsWith(ANNA) ? [id, 'anna@signoff.example'] : [id]);

function named(name: string): Approver {
  const approver = parseApprover(name);
  if (!approver) throw new Error(`${name} is no approver`);
  return approver;
}

const approvers = fc.subarray([
  'workspace',
  'channel',
  '@leads',
  'S0EDITORS',
  ANNA,
  'anna@signoff.example',
  'U0JON',
  GIVER,
]);
const parsed = fc
  .record({ names: approvers, byInput: fc.option(fc.constantFrom(ANNA, 'anna@signoff.example', 'U0JON')) })
  .map(({ names, byInput }) => [
    ...(byInput === null ? [] : [{ ...named(byInput), input: 'owner' }]),
    ...names.map(named),
  ]);
const usual = fc.record({
  approvers: parsed,
  escalateTo: parsed,
  selfApproval: fc.boolean(),
  guests: fc.boolean(),
  delegation: fc.constantFrom(...DELEGATION),
});
const policy: fc.Arbitrary<Partial<CrewPolicy>> = fc.record({ base: usual, ofTask: usual }).map(({ base, ofTask }) => ({
  ...base,
  tasks: [{ ...DEFAULT_POLICY, ...ofTask, match: 'pub*', looksAt: 'name' as const }],
}));

const starter = fc.option(fc.constantFrom(...PEOPLE).map((id) => ({ id, name: id })));
const handOver = fc.record({ to: fc.constantFrom(...PEOPLE), until: fc.constantFrom(null, START, START + 1) });
const request: fc.Arbitrary<OpenRequest> = fc
  .record({
    run: fc.record({ crew: fc.constantFrom(...CREWS), channel: fc.constantFrom(...CHANNELS), starter }),
    taskName: fc.constantFrom('Publish', 'Draft', null),
    escalated: fc.subarray(['', '/tasks/0']),
    handedOver: fc.array(handOver, { maxLength: 2 }),
  })
  .map(({ run, handedOver, ...change }) => {
    const handed = handedOver.map(({ to, until }) => ({
      to: { id: to, name: to },
      by: { id: GIVER, name: '' },
      at: 0,
      until,
    }));
    return openRequest({ ...change, run: openRun(run), handedOver: handed });
  });

const members = fc.option(fc.subarray([...PEOPLE, GIVER]).map((ids) => new Set(ids)));
/** An address is that of one person, or of nobody. */
const owner = fc.option(fc.subarray([...PEOPLE, GIVER], { maxLength: 1 }).map((ids) => new Set(ids)));
const channel: fc.Arbitrary<ChannelFacts> = fc.record({ isPublic: fc.option(fc.boolean()), members });
const facts: fc.Arbitrary<InboxFacts> = fc.record({
  accounts: fc.subarray(PEOPLE).map((ids) => Object.fromEntries([...ids, GIVER].map((id) => [id, accountOf(id)]))),
  members: fc.record({ '@leads': members, S0EDITORS: members, 'anna@signoff.example': owner }),
  channels: fc.record({ C1: channel, C2: channel }).map((known) => new Map(Object.entries(known))),
});

const accountOf = (id: string): Account => account(id, { identities: identitiesOf(id) });

it('judges each request of a list as it would alone', () => {
  const world = { requests: fc.array(request, { maxLength: 12 }), research: policy, editorial: policy, facts };
  fc.assert(
    fc.property(fc.record({ ...world, isGuest: fc.boolean() }), ({ requests, facts: known, isGuest, ...policies }) => {
      const person = { identities: identitiesOf(ANNA), isGuest };
      const numbered = requests.map((each, i) => ({ ...each, approvalId: String(i) }));
      const inbox = inboxIn({ requests: numbered, policies }, ANNA, { facts: known, person });
      const alone = numbered.map((each) => judgedAlone(each, { policies, known, person: account(ANNA, person) }));
      expect(inbox.waiting.map(({ request: { approvalId } }) => Number(approvalId))).toEqual(
        alone.flatMap((judgement, i) => (judgement === 'permitted' ? i : [])),
      );
      expect(inbox.unsure).toBe(alone.filter((judgement) => judgement === 'unsure').length);
    }),
    runs({ some: 300, all: 3_000 }),
  );
});

interface Known {
  policies: Record<string, Partial<CrewPolicy>>;
  known: InboxFacts;
  person: Account;
}

/** Permitted if a click would be, denied if it can't be so whatever Slack can't tell. */
function judgedAlone(asked: OpenRequest, known: Known): 'permitted' | 'unsure' | 'denied' {
  if (isPermitted(asked, { ...known, starter: null }, 'at-worst')) return 'permitted';
  // A starter of whom Slack can't tell may be anybody's second account.
  const starters = [known.person, accountOf(GIVER), account('U0ELSE')];
  return starters.some((starter) => isPermitted(asked, { ...known, starter }, 'at-best')) ? 'unsure' : 'denied';
}

function isPermitted(
  asked: OpenRequest,
  known: Known & { starter: Account | null },
  unknown: 'at-best' | 'at-worst',
): boolean {
  const possible = policiesOfListed(
    { ...DEFAULT_POLICY, ...known.policies[asked.run.crew] },
    askedOf(asked.run, asked),
  );
  return possible.some((rules) => isPermittedBy(rules, asked, known, unknown));
}

function isPermittedBy(
  rules: PossibleRules,
  { run, handedOver }: OpenRequest,
  { known, person, starter: unknownStarter }: Known & { starter: Account | null },
  unknown: 'at-best' | 'at-worst',
): boolean {
  const guess = new Set(unknown === 'at-best' ? [ANNA, GIVER] : []);
  const { isPublic = null, members: inChannel } = known.channels.get(run.channel) ?? { members: null };
  const counting = handedOver.filter(({ until }) => until !== START);
  const isHanded = rules.delegation !== 'none' && counting.some(({ to }) => person.identities.includes(to.id));
  const sees = isHanded || isPublic || (inChannel ?? guess).has(ANNA) || (isPublic === null && unknown === 'at-best');
  const names = [...rules.approvers, ...rules.escalateTo].filter(mustBeLookedUp).map(({ name }) => name);
  const membersOf = (name: string) => (name === 'channel' ? inChannel : known.members[name]) ?? guess;
  const starterId = run.starter?.id ?? null;
  const permit = permits(
    { ...rules, ...(!sees && withoutWorkspace(rules)) },
    {
      starterId,
      handedOver: counting.map(({ by, to }) => ({ by: by.id, to: to.id })),
    },
    ANNA,
    {
      accounts: {
        ...(starterId !== null && { [starterId]: known.accounts[starterId] ?? unknownStarter }),
        ...known.accounts,
        [ANNA]: person,
      },
      members: Object.fromEntries(names.map((name) => [name, membersOf(name)])),
      connected: null,
    },
  );
  return permit.kind === 'permitted';
}

function withoutWorkspace({ approvers: named, escalateTo }: Pick<CrewPolicy, 'approvers' | 'escalateTo'>) {
  const isNamed = ({ kind }: { kind: string }) => kind !== 'workspace';
  return { approvers: named.filter(isNamed), escalateTo: escalateTo.filter(isNamed) };
}
