// Whether other rules would have allowed a decision that was made, as far as the entries of its run tell.

import type { LedgerFacts, VoteFacts } from '../../core/ledger/entry.ts';
import { type Asked, inputOf, valuesOf } from '../../core/policy/condition.ts';
import type { Crew } from '../../core/policy/crew.ts';
import type { Facts } from '../../core/policy/evaluate.ts';
import { countingRules, inForce, levelFor } from '../../core/policy/in-force.ts';
import { verdictOf } from '../../core/policy/outcomes.ts';
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
import { delegationsAt, factsFor, subjectOf } from '../audit/verify/rights.ts';
import { whyNot } from './explain-person.ts';
import { type Said, type Turn, takeTurns } from './turns.ts';

/** A decision of people, and the request as it was before. */
export interface PastDecision {
  request: Request;
  askedAt: Millis;
  at: Millis;
  decided: LedgerFacts['decided'] & { by: VoteFacts };
  /** When people have approved, by their ids. */
  votedAt: ReadonlyMap<string, Millis>;
}

export type Judgement = { kind: 'allowed' } | { kind: 'not-allowed' | 'unknown'; why: string };

/**
 * Judges a decision by the rules of a crew. What the entries don't tell, such as who was in a group under which nobody counted, is
 * never guessed: what isn't allowed if it counts against people may be if it counts in their favour.
 */
export function judgePast(crew: Crew, past: PastDecision): Judgement {
  const asked = askedOf(past);
  const world = (policy: CrewPolicy, counts: World['counts']): World => ({
    past,
    crew,
    rulesAfter: (stages) => inForce(policy, { ...asked, values: valuesOf(asked, policy), stages }),
    counts,
  });
  if (isAllowed(world(crew.approval, 'against'))) return { kind: 'allowed' };
  const { rules, unknown } = rulesThatMayApply(crew.approval, asked);
  const possible = rules.find((policy) => isAllowed(world(policy, 'for')));
  if (!possible) return { kind: 'not-allowed', why: whyNotAllowed(world(rules[0], 'for')) };
  const people = isAllowed(world(possible, 'against')) ? [] : peopleUntold(world(possible, 'for'));
  return { kind: 'unknown', why: `the ledger doesn’t tell ${[...unknown, ...people].join(', ')}` };
}

/** A way in which it may have been. */
interface World {
  past: PastDecision;
  crew: Crew;
  /** The rules in force once these stages are complete. */
  rulesAfter: (stages: readonly string[]) => Policy;
  /** What isn't told about people counts against them, or for them. */
  counts: 'against' | 'for';
}

/** What was asked, with the inputs that conditions have seen then. */
function askedOf({ request: { asked, values }, askedAt }: PastDecision): Asked {
  const { task, round, starter, channel } = asked;
  const inputs: Inputs = {};
  for (const [name, value] of values) {
    const input = inputOf(name);
    if (input !== null) inputs[input] = value;
  }
  return { taskId: task.id, taskName: task.name, round, askedAt, inputs, starterId: starter, channel, stages: [] };
}

/** The rules of a task of which any may apply, and the names of the values that it takes to tell. */
function rulesThatMayApply(
  policy: CrewPolicy,
  asked: Asked,
): { rules: [CrewPolicy, ...CrewPolicy[]]; unknown: string[] } {
  const level = levelFor(policy, asked);
  const values = valuesOf(asked, policy);
  const counting = countingRules(level, values);
  const { inputs, timeZone } = policy;
  const alone = (rules: Policy): CrewPolicy => ({ ...rules, when: [], tasks: [], inputs, timeZone });
  const unsure = counting.filter(({ verdict }) => verdict === 'unknown');
  const unknown = unsure.flatMap(({ policy: { condition } }) => condition.sees.filter((name) => !values.has(name)));
  const others = unsure.length === counting.length ? [level] : [];
  const [first = level, ...more] = [...counting.map((each) => each.policy), ...others];
  return { rules: [alone(first), ...more.map(alone)], unknown: [...new Set(unknown)] };
}

interface Voter extends Said {
  vote: VoteFacts;
  at: Millis;
}

function turnsIn({ past, crew, rulesAfter, counts }: World): Turn<Voter>[] {
  const { request, decided, at, askedAt, votedAt } = past;
  const { by, outcome, votes } = decided;
  const verdict = outcome === undefined ? decided.verdict : verdictOf(outcome, rulesAfter([]));
  const staged = request.stages.flatMap((stage) => stage.votes);
  const earlier = [...staged, ...votes];
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
  const all = [...earlier, by];
  // What was handed over when a stage was completed may have ended since.
  const then = staged.flatMap((vote) => (vote.for ? [{ by: vote.for.by, to: vote.by }] : []));
  const delegations = [...delegationsAt(request, at), ...then];
  return takeTurns(voters, {
    rulesAfter: (stages) => (counts === 'for' ? withUntoldInputs(rulesAfter(stages)) : rulesAfter(stages)),
    known: ({ policy, said, opened }) => {
      const isEscalated = isOver(policy.escalateAfterMs, { said, opened }, { past, crew });
      const subject = subjectOf({ ...request, isEscalated }, { votes: all, delegations, policy });
      const told = factsFor(request, all, policy);
      return {
        subject,
        facts: counts === 'for' ? inFavour(told, policy) : against(told, policy, request.asked.starter),
      };
    },
  });
}

/** Whether this much time was over, in the hours of the crew, since the stage was open. */
function isOver(
  ms: Millis | null,
  { said, opened }: Pick<Turn<Voter>, 'said' | 'opened'>,
  { past, crew }: Pick<World, 'past' | 'crew'>,
): boolean {
  return ms !== null && said.at >= afterWorkingTime(opened?.at ?? past.askedAt, ms, crew.hours);
}

function isAllowed(world: World): boolean {
  const turns = turnsIn(world);
  return turns.at(-1)?.evaluation.kind === 'allowed' && !turns.some((turn) => isExpired(turn, world));
}

function isExpired(turn: Turn<Voter>, world: World): boolean {
  return isOver(turn.policy.expireAfterMs, turn, world);
}

/** The entries tell nothing of whose addresses those are who count as starters of runs that were started elsewhere. */
function against(told: Facts, policy: Policy, starter: string | null): Facts {
  const addresses = barredStarters(policy, starter).filter(({ kind }) => kind === 'email');
  return { ...told, members: { ...told.members, ...Object.fromEntries(addresses.map(({ name }) => [name, null])) } };
}

/** As if everybody who voted, or whose right was used, were in every group. */
function inFavour(told: Facts, policy: Policy): Facts {
  const everybody = new Set(Object.keys(told.accounts));
  const members = everNamed(policy)
    .filter(mustBeLookedUp)
    .map(({ name }) => [name, everybody]);
  return { ...told, members: { ...told.members, ...Object.fromEntries(members) } };
}

/** Whom an input names that isn't told may be anybody. */
function withUntoldInputs(policy: Policy): Policy {
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

/** What the entries don't tell about people that it takes to judge them. */
function peopleUntold(world: World): string[] {
  const { request, decided } = world.past;
  const voters = [...request.stages.flatMap((stage) => stage.votes), ...decided.votes, decided.by];
  const holders = voters.map((vote) => vote.for?.by ?? vote.by);
  const untold = turnsIn(world).flatMap(({ policy }) => {
    const { members } = factsFor(request, voters, policy);
    return everNamed(policy)
      .filter((approver) => mustBeLookedUp(approver) && holders.some((id) => !members[approver.name]?.has(id)))
      .map(whoThatIs);
  });
  const { asked } = request;
  const starters = turnsIn(world).flatMap(({ policy }) =>
    barredStarters(policy, asked.starter).filter(({ kind }) => kind === 'email'),
  );
  return [...new Set([...untold, ...starters.map(whoThatIs)])];
}

function whoThatIs({ kind, name, input }: Approver): string {
  if (input !== undefined && name === input) return `whom ${name} named`;
  if (kind === 'email') return `whose address ${name} was`;
  return `who was in ${kind === 'channel' ? 'the channel' : name}`;
}

const VERBS = { approve: 'approve', reject: 'reject it', decline: 'close it for good' } as const;

function whyNotAllowed(world: World): string {
  const turns = turnsIn(world);
  const expired = turns.find((turn) => isExpired(turn, world));
  if (expired) return `it would have expired after ${durationInWords(expired.policy.expireAfterMs ?? 0)}`;
  const starter = world.past.request.asked.starter;
  const last = turns.at(-1);
  // A rejection needs no votes.
  const counting = last?.said.verdict === 'approve' ? turns : turns.slice(-1);
  const refused = counting.flatMap((turn) => whyRefused(turn, starter) ?? []);
  if (refused.length > 0 || !last) return refused.join('; ');
  return whyIncomplete(last);
}

function whyRefused({ said, policy, evaluation }: Turn<Voter>, starter: string | null): string | null {
  const who = `${said.personId} can’t ${VERBS[said.verdict]}${stageOf(policy)}`;
  if (evaluation.kind === 'not-signed-in') return `${who} without signing in`;
  return evaluation.kind === 'refused' ? `${who}: ${whyNot(evaluation.denial, starter)}` : null;
}

/** What comes after the last approval. */
function whyIncomplete({ policy, evaluation }: Turn<Voter>): string {
  if (evaluation.kind !== 'needs') return `${policy.stages[policy.stage + 1]?.name} comes after${stageOf(policy)}`;
  const { more, missing } = evaluation;
  const seats = missing.length === 0 ? '' : `, one of each of: ${missing.join(', ')}`;
  return `${more} more ${more === 1 ? 'has' : 'have'} to approve${stageOf(policy)}${seats}`;
}

function stageOf({ stages, stage }: Policy): string {
  const open = stages[stage];
  return open ? ` in the stage ${open.name}` : '';
}
