// `npm run policy -- test`: tries cases on the rules of a crews file, without Slack, Redis or network.

import type { Crews } from '../../config/crews.ts';
import type { PossibleRules } from '../../core/policy/in-force.ts';
import type { Account, Denial, Facts } from '../../core/policy/permits.ts';
import {
  type Approver,
  barredStarters,
  mustBeLookedUp,
  namedInStages,
  type Policy,
  parseApprover,
} from '../../core/policy/policy.ts';
import type { Counted, Course } from '../../core/policy/verdict.ts';
import { conditionSentences, type DescribedRequest, possibleRulesOf } from '../told-request.ts';
import { ELSEWHERE, whyNot } from './explain-person.ts';
import type { Expectation, RuleCase, Staff } from './rule-cases.ts';
import { type Said, type Turn, takeTurns } from './turns.ts';

/** Tries all cases: returns a paragraph for each unexpected result, and a summary. */
export function tryCases(
  cases: readonly RuleCase[],
  { staff, places }: { staff: Staff; places: Crews['places'] },
): { text: string; failed: number } {
  const people = peopleOf(staff, cases);
  const paragraphs = cases.flatMap((each) => {
    const problem = whyNotAsExpected(each, people);
    if (problem === null) return [];
    const { crew, line, name } = each;
    const rules = { policy: crew.approval, places: places.get(crew.name) ?? new Map(), told: toldIn(each, people) };
    return [[`✗ line ${line}, ${name}: ${problem}.`, ...conditionSentences(rules)].join('\n    ')];
  });
  const failed = paragraphs.length;
  const all = `${cases.length} case${cases.length === 1 ? '' : 's'}`;
  const summary = failed === 0 ? `${all}: all as expected.` : `${all}: ${failed} not as expected.`;
  return { text: [...paragraphs, summary].join('\n'), failed };
}

/** The people of a file. */
interface People {
  /** Returns the id of a person named by id or address; the address itself if the file has no id for it. */
  idOf(person: string): string;
  account(id: string): Account;
  /** Returns null if the file doesn’t say. */
  membersOf(approver: Approver): ReadonlySet<string> | null;
}

function peopleOf({ groups, emails, guests, strangers, deactivated }: Staff, cases: readonly RuleCase[]): People {
  const ids = new Map(Object.entries(emails).map(([address, id]) => [address.toLowerCase(), id]));
  const idOf = (person: string) =>
    person.includes('@') ? (ids.get(person.toLowerCase()) ?? person.toLowerCase()) : person;
  const isAmong = (people: readonly string[], id: string) => people.some((person) => idOf(person) === id);
  const inCases = cases.flatMap(({ user, votes, starter }) => [user, ...votes, ...(starter === null ? [] : [starter])]);
  const personIds = [...inCases, ...Object.values(groups).flat(), ...guests, ...strangers, ...deactivated].map(idOf);
  return {
    idOf,
    account: (id) => ({
      identities: [id, ...[...ids].flatMap(([address, each]) => (each === id ? [address] : []))],
      isBot: false,
      isDeactivated: isAmong(deactivated, id),
      isGuest: isAmong(guests, id),
      isStranger: isAmong(strangers, id),
    }),
    membersOf({ kind, name }) {
      if (kind !== 'email') return Object.hasOwn(groups, name) ? new Set(groups[name]?.map(idOf)) : null;
      const id = idOf(name);
      return ids.has(name.toLowerCase()) || personIds.includes(id) ? new Set([id]) : null;
    },
  };
}

/** Id of a starter whom no rule names. */
const SOMEBODY = 'USOMEBODY';

/** Returns what happens instead; null if it is as expected. */
function whyNotAsExpected(rule: RuleCase, people: People): string | null {
  const turns = turnsOf(rule, people);
  const early = turns
    .slice(0, rule.votes.length)
    .find(({ evaluation: { kind } }) => kind === 'refused' || kind === 'decides');
  const last = turns.at(-1);
  if (early || !last)
    return early ? `the vote of ${early.said.name} doesn’t only count: ${happened(early, rule)}` : 'nobody decides';
  const { expected } = rule;
  const isUnsure = last.evaluation.kind === 'refused' && last.evaluation.denial.kind === 'unsure';
  return !isUnsure && isAsExpected(expected, last)
    ? null
    : `expected ${inWords(expected)}, but ${happened(last, rule)}`;
}

interface Voter extends Said {
  /** Text in the file. */
  name: string;
}

function turnsOf(rule: RuleCase, people: People): Turn<Voter>[] {
  const { crew, votes, user, verdict, isEscalated, isSignedIn } = rule;
  const details = toldIn(rule, people);
  const starterId = rule.starter === ELSEWHERE ? null : (details.starterId ?? SOMEBODY);
  const voter = (name: string, said: Pick<Said, 'verdict' | 'isSignedIn'>) => ({
    name,
    personId: people.idOf(name),
    ...said,
  });
  const voters = [
    ...votes.map((name) => voter(name, { verdict: 'approve', isSignedIn: true })),
    voter(user, { verdict, isSignedIn }),
  ];
  const ids = [...voters.map(({ personId }) => personId), ...(starterId === null ? [] : [starterId])];
  return takeTurns(voters, {
    rulesAfter: (stages) => possibleRulesOf(crew.approval, details, stages).map((rules) => ({ ...rules, isEscalated })),
    known: ({ policies }) => ({
      subject: { starterId, handedOver: [] },
      facts: factsFor(policies, { ids, starterId, people }),
    }),
  });
}

function toldIn({ task, round, channel, hour, inputs, starter }: RuleCase, people: People): DescribedRequest {
  const starterId = starter === null || starter === ELSEWHERE ? null : people.idOf(starter);
  return { task, round, channel, hour, inputs, starterId };
}

function factsFor(
  policies: readonly Policy[],
  { ids, starterId, people }: { ids: readonly string[]; starterId: string | null; people: People },
): Facts {
  const starters = policies
    .flatMap((policy) => barredStarters(policy, starterId))
    .flatMap(({ kind, name }) => (kind === 'person' ? [name] : []));
  const accounts = [...ids, ...starters].map((id) => [id, people.account(id)]);
  const members = policies
    .flatMap(namedInStages)
    .filter(mustBeLookedUp)
    .map((each) => [each.name, people.membersOf(each)]);
  return { accounts: Object.fromEntries(accounts), members: Object.fromEntries(members), connected: null };
}

const OUTCOMES = { approve: 'approved', reject: 'rejected', decline: 'declined' } as const;

function isAsExpected({ outcome, because, needs, stage }: Expectation, turn: Turn<Voter>): boolean {
  const { said, policies, evaluation } = turn;
  if (stage !== undefined && stage !== stageOf(policies)) return false;
  switch (evaluation.kind) {
    case 'decides':
      return outcome === OUTCOMES[said.verdict];
    case 'counts':
      if (completedStage(evaluation) !== undefined) return outcome === 'stage';
      return outcome === 'counts' && (needs === undefined || needs === mostLacking(evaluation).more);
    case 'not-signed-in':
      return outcome === 'sign-in';
    case 'refused':
      return outcome === 'refused' && (because === undefined || because === evaluation.denial.kind);
  }
}

/** Returns the first stage that a vote completes; undefined if it completes none. */
function completedStage({ courses }: Pick<Counted, 'courses'>): string | undefined {
  return courses.flatMap(({ completes }) => completes)[0]?.name;
}

/** Returns what is missing by the strictest rules. */
function mostLacking({ courses }: Pick<Counted, 'courses'>): Pick<Course, 'more' | 'missing'> {
  const [most = { more: 0, missing: [] }] = courses.toSorted((one, other) => other.more - one.more);
  return most;
}

/** Returns the open stage by the first possible rules with stages. */
function stageOf(policies: readonly PossibleRules[]): string | undefined {
  return policies.flatMap(({ stages, stage }) => stages[stage]?.name ?? [])[0];
}

function inWords({ outcome, ...details }: Expectation): string {
  const parts = Object.entries(details).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return parts.length === 0 ? outcome : `${outcome} (${parts.join(', ')})`;
}

function happened({ said, policies, evaluation }: Turn<Voter>, { starter }: RuleCase): string {
  const stage = stageOf(policies);
  const where = stage === undefined ? '' : ` in the stage ${stage}`;
  switch (evaluation.kind) {
    case 'decides':
      return `it is ${OUTCOMES[said.verdict]}${where}`;
    case 'counts': {
      const completed = completedStage(evaluation);
      if (completed !== undefined) return `it completes the stage ${completed}`;
      const { more, missing } = mostLacking(evaluation);
      return `it counts${where}, and ${more} more ${more === 1 ? 'has' : 'have'} to approve${seats(missing)}`;
    }
    case 'not-signed-in':
      return `it would count${where} once they have signed in`;
    case 'refused': {
      const { denial } = evaluation;
      if (denial.kind === 'unsure') return whyUnsure(denial);
      return `it is refused${where} (${denial.kind}): ${whyNot(denial, starter === ELSEWHERE ? null : SOMEBODY)}`;
    }
  }
}

function seats(missing: readonly string[]): string {
  return missing.length === 0 ? '' : `, one of each of: ${missing.join(', ')}`;
}

function whyUnsure({ approver, starter }: Extract<Denial, { kind: 'unsure' }>): string {
  const name = starter ?? approver ?? '';
  return parseApprover(name)?.kind === 'email'
    ? `the file doesn’t say under emails whose address ${name} is`
    : `the file doesn’t say under groups who is in ${name}`;
}
