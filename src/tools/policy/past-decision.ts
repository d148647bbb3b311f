// Judges whether other rules would have allowed a past decision, as far as the entries of its run show.

import type { LedgerFacts, VoteFacts } from '../../core/ledger/entry.ts';
import { inputOf, type RequestFacts, valuesOf } from '../../core/policy/condition.ts';
import type { Crew } from '../../core/policy/crew.ts';
import {
  countingRules,
  type PossibleRules,
  possibleLevels,
  possibleRules,
  withoutTitle,
} from '../../core/policy/in-force.ts';
import { verdictUnder } from '../../core/policy/outcomes.ts';
import type { Facts } from '../../core/policy/permits.ts';
import {
  type Approver,
  barredStarters,
  type CrewPolicy,
  everNamed,
  mustBeLookedUp,
  type Policy,
} from '../../core/policy/policy.ts';
import type { Inputs } from '../../core/values/json.ts';
import { durationInWords, type Millis } from '../../core/values/time.ts';
import { afterWorkingTime } from '../../core/values/working-hours.ts';
import type { Request } from '../audit/verify/replay.ts';
import { accountOf, delegationsAt, factsFor, subjectOf } from '../audit/verify/rights.ts';
import { whyNot } from './explain-person.ts';
import { type Said, type Turn, takeTurns } from './turns.ts';

/** A decision of people, and the request as it was before. */
export interface PastDecision {
  request: Request;
  askedAt: Millis;
  at: Millis;
  decided: LedgerFacts['decided'] & { by: VoteFacts };
  /** Times of approvals by person id. */
  votedAt: ReadonlyMap<string, Millis>;
}

export type Judgement = { kind: 'allowed' } | { kind: 'not-allowed' | 'unknown'; why: string };

/**
 * Judges a decision by the rules of a crew. Unknown facts, such as the members of a group under which nobody counted, are never
 * guessed: a decision that is allowed only if they count in people's favour is `unknown`.
 */
export function judgePast(crew: Crew, past: PastDecision): Judgement {
  const request = askedOf(past);
  const possible = possibleRules(crew.approval, request);
  const world = (counts: World['counts'], place: string | null): World => ({
    past,
    crew,
    rulesAfter: (stages) =>
      possibleRules(crew.approval, { ...request, stages }).filter((rules) => place === null || rules.place === place),
    counts,
  });
  if (isAllowed(world('against', null))) return { kind: 'allowed' };
  const allowing = possible.find(({ place }) => isAllowed(world('for', place)));
  if (!allowing) return { kind: 'not-allowed', why: whyNotAllowed(world('for', possible[0]?.place ?? '')) };
  const { place } = allowing;
  const people = isAllowed(world('against', place)) ? [] : peopleUntold(world('for', place));
  const untold = [...valuesUntold(crew.approval, request), ...people];
  return { kind: 'unknown', why: `the ledger doesn’t tell ${untold.join(', ')}` };
}

/** One possible way in which it happened. */
interface World {
  past: PastDecision;
  crew: Crew;
  /** Returns the rules that may apply once these stages are complete. */
  rulesAfter: (stages: readonly string[]) => readonly PossibleRules[];
  /** Unknown facts about people count against them, or for them. */
  counts: 'against' | 'for';
}

/** The request, with the inputs that conditions saw then. */
function askedOf({ request: { asked, values }, askedAt }: PastDecision): RequestFacts {
  const { task, round, starter, channel } = asked;
  const inputs: Inputs = {};
  for (const [name, value] of values) {
    const input = inputOf(name);
    if (input !== null) inputs[input] = value;
  }
  const { id: taskId, name: taskName, titled: isTitled = false } = task;
  const facts = { taskId, taskName, isTitled, round, askedAt, inputs, starterId: starter, channel };
  return { ...facts, stages: [], escalated: [] };
}

/** Names of the values that decide which rules apply. */
function valuesUntold(policy: CrewPolicy, facts: RequestFacts): string[] {
  const request = withoutTitle(facts, policy);
  const levels = possibleLevels(policy, request);
  const values = valuesOf(request, policy);
  const unsure = levels
    .flatMap(({ rules }) => countingRules(rules, values))
    .filter(({ verdict }) => verdict === 'unknown');
  const unknown = unsure.flatMap(({ policy: { condition } }) => condition.sees.filter((name) => !values.has(name)));
  return [...new Set([...(levels.length > 1 ? ['the name of the task'] : []), ...unknown])];
}

interface Voter extends Said {
  vote: VoteFacts;
  at: Millis;
}

function turnsIn({ past, crew, rulesAfter, counts }: World): Turn<Voter>[] {
  const { request, decided, at, askedAt, votedAt } = past;
  const { by, outcome } = decided;
  const verdict = outcome === undefined ? decided.verdict : verdictUnder(outcome, rulesAfter([]));
  const earlier = votesBefore(past);
  const voter = (vote: VoteFacts, said: Pick<Voter, 'verdict' | 'at'>): Voter => ({
    vote,
    ...said,
    personId: vote.by,
    isSignedIn: vote.proof !== undefined || request.proofs.has(vote.by),
  });
  const voters = [
    ...earlier.map((vote) => voter(vote, { verdict: 'approve', at: votedAt.get(vote.by) ?? askedAt })),
    voter(by, { verdict, at }),
  ];
  const all = [...earlier, by].flatMap(partsOf);
  // A handover at the time of a completed stage may have ended since.
  const staged = request.stages.flatMap(({ votes }) => votes);
  const then = staged.flatMap((vote) => (vote.for ? [{ by: vote.for.by, to: vote.by }] : []));
  const delegations = [...delegationsAt(request, at), ...then];
  return takeTurns(voters, {
    rulesAfter: (stages, { said, opened }) =>
      rulesAfter(stages).map((rules) => ({
        ...(counts === 'for' ? withUntoldInputs(rules) : rules),
        isEscalated: isOver(rules.escalateAfterMs, { said, since: opened.get(rules.place) }, { past, crew }),
      })),
    known: ({ policies }) => {
      const factsByPolicy = policies.map((policy) => {
        const ownFacts = factsFor(request, all, policy);
        return counts === 'for' ? inFavour(ownFacts, policy) : against(ownFacts, policy, request.asked.starter);
      });
      const { starter } = request.asked;
      const started = starter === null ? {} : { [starter]: accountOf(starter, 'member') };
      const facts = {
        accounts: Object.assign(started, ...factsByPolicy.map(({ accounts }) => accounts)),
        members: Object.assign({}, ...factsByPolicy.map(({ members }) => members)),
        connected: null,
      };
      const [policy = crew.approval] = policies;
      return { subject: subjectOf(request, { votes: all, delegations, policy }), facts };
    },
  });
}

/** Returns the approvals that counted before the last one, each once, in order. */
function votesBefore({ request, decided, votedAt }: PastDecision): VoteFacts[] {
  const { by, votes, completes = [] } = decided;
  const staged = [...request.stages, ...completes].flatMap((stage) => stage.votes);
  const all = [...staged, ...votes].filter((vote) => vote.by !== by.by);
  const unique = [...new Map(all.map((vote) => [vote.by, vote])).values()];
  return unique.toSorted((one, other) => (votedAt.get(one.by) ?? 0) - (votedAt.get(other.by) ?? 0));
}

/** Returns a vote as it counted by each rule that was possible then. */
function partsOf({ under, ...vote }: VoteFacts): VoteFacts[] {
  const { by, account } = vote;
  return under ? under.map(({ place: _, ...counted }) => ({ by, account, ...counted })) : [vote];
}

/** Returns true if this much time had passed, in the crew's hours, since the stage was opened. */
function isOver(
  ms: Millis | null,
  { said, since }: { said: Voter; since: Voter | undefined },
  { past, crew }: Pick<World, 'past' | 'crew'>,
): boolean {
  return ms !== null && said.at >= afterWorkingTime(since?.at ?? past.askedAt, ms, crew.hours);
}

function isAllowed(world: World): boolean {
  const turns = turnsIn(world);
  return turns.at(-1)?.evaluation.kind === 'decides' && !turns.some((turn) => expiryOf(turn, world) !== null);
}

/** Returns the time after which the request would have expired by then, the longest of those possible; null if it wouldn't. */
function expiryOf({ policies, said, opened }: Turn<Voter>, world: World): Millis | null {
  const isEnd = policies.every((rules) => isOver(rules.expireAfterMs, { said, since: opened.get(rules.place) }, world));
  return isEnd ? Math.max(...policies.map(({ expireAfterMs }) => expireAfterMs ?? 0)) : null;
}

/** Entries don't say whose addresses count as starters of runs that were started elsewhere. */
function against(facts: Facts, policy: Policy, starter: string | null): Facts {
  const addresses = barredStarters(policy, starter).filter(({ kind }) => kind === 'email');
  return { ...facts, members: { ...facts.members, ...Object.fromEntries(addresses.map(({ name }) => [name, null])) } };
}

/** Returns facts as if every voter, and everyone whose right was used, were in every group. */
function inFavour(facts: Facts, policy: Policy): Facts {
  const everybody = new Set(Object.keys(facts.accounts));
  const members = everNamed(policy)
    .filter(mustBeLookedUp)
    .map(({ name }) => [name, everybody]);
  return { ...facts, members: { ...facts.members, ...Object.fromEntries(members) } };
}

/** A person named by an unknown input may be anybody. */
function withUntoldInputs<Rules extends Policy>(policy: Rules): Rules {
  const open = (approvers: readonly Approver[]) =>
    approvers.map(
      (each): Approver => (each.kind === 'input' ? { kind: 'handle', name: each.name, input: each.name } : each),
    );
  return {
    ...policy,
    approvers: open(policy.approvers),
    allOf: open(policy.allOf),
    escalateTo: open(policy.escalateTo),
  };
}

/** Returns the facts about people that the entries lack for a judgement. */
function peopleUntold(world: World): string[] {
  const { request, decided } = world.past;
  const voters = [...votesBefore(world.past), decided.by].flatMap(partsOf);
  const holders = voters.map((vote) => vote.for?.by ?? vote.by);
  const policies = turnsIn(world).flatMap((turn) => turn.policies);
  const untold = policies.flatMap((policy) => {
    const { members } = factsFor(request, voters, policy);
    return everNamed(policy)
      .filter((approver) => mustBeLookedUp(approver) && holders.some((id) => !members[approver.name]?.has(id)))
      .map(whoThatIs);
  });
  const starters = policies.flatMap((policy) =>
    barredStarters(policy, request.asked.starter).filter(({ kind }) => kind === 'email'),
  );
  return [...new Set([...untold, ...starters.map(whoThatIs)])];
}

function whoThatIs({ kind, name, input }: Approver): string {
  if (input !== undefined && name === input) return `whom ${name} named`;
  if (kind === 'email') return `whose address ${name} was`;
  return `who was in ${kind === 'channel' ? 'the channel' : name}`;
}

const VERBS = { approve: 'approve', reject: 'reject it', decline: 'decline it' } as const;

function whyNotAllowed(world: World): string {
  const turns = turnsIn(world);
  const [expired] = turns.flatMap((turn) => expiryOf(turn, world) ?? []);
  if (expired !== undefined) return `it would have expired after ${durationInWords(expired)}`;
  const starter = world.past.request.asked.starter;
  const last = turns.at(-1);
  // A rejection needs no votes.
  const counting = last?.said.verdict === 'approve' ? turns : turns.slice(-1);
  const refused = counting.flatMap((turn) => whyRefused(turn, starter) ?? []);
  if (refused.length > 0 || !last) return refused.join('; ');
  return whyIncomplete(last);
}

function whyRefused({ said, policies, evaluation }: Turn<Voter>, starter: string | null): string | null {
  const who = `${said.personId} can’t ${VERBS[said.verdict]}${stageOf(policies[0])}`;
  if (evaluation.kind === 'not-signed-in') return `${who} without signing in`;
  return evaluation.kind === 'refused' ? `${who}: ${whyNot(evaluation.denial, starter)}` : null;
}

/** The state after the last approval, by one of the rules. */
function whyIncomplete({ evaluation }: Turn<Voter>): string {
  const [course] = evaluation.kind === 'counts' ? evaluation.courses : [];
  if (!course) return 'nobody has approved it';
  const { rules, completes, more, missing } = course;
  const complete = completes.at(-1);
  if (complete) return `${rules.stages[rules.stage]?.name} comes after in the stage ${complete.name}`;
  const seats = missing.length === 0 ? '' : `, one of each of: ${missing.join(', ')}`;
  return `${more} more ${more === 1 ? 'has' : 'have'} to approve${stageOf(rules)}${seats}`;
}

function stageOf(rules: Policy | undefined): string {
  const open = rules?.stages[rules.stage];
  return open ? ` in the stage ${open.name}` : '';
}
