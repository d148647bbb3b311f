// Builds the ledger's entries about questions, votes and decisions. The names of the fields are the ledger's format
// (docs/audit.md), which readers of exports rely on.

import {
  type CompletedFacts,
  type LedgerEvent,
  type LedgerFacts,
  type RightFacts,
  sha256,
  type TextFacts,
  type VoteFacts,
} from '../ledger/entry.ts';
import type { PossibleRules } from '../policy/in-force.ts';
import type { Facts, Right } from '../policy/permits.ts';
import { policyFacts, type RequestRules } from '../policy/rules.ts';
import type { Counted, CountedVote, Course, LapsedVote } from '../policy/verdict.ts';
import { answerFacts } from '../state/answer.ts';
import { starterOf } from '../state/execution.ts';
import type { Decision, Question } from '../state/request.ts';
import { proofOf, type SignIn } from '../state/sign-in.ts';
import type { Millis } from '../values/time.ts';
import { answerIn, type Choice } from './choice.ts';

/** A request with its rules, and what Slack said about its voters. */
type Counting = RequestRules & { facts: Facts };

export function askedFacts(rules: RequestRules): LedgerFacts['asked'] {
  const { execution, request } = rules;
  const { id } = request;
  const { taskId, taskName, isTitled, round, output, outcomes, fields, destination, limitMs } = request.question;
  const { crew, channel } = execution;
  return {
    approval: id,
    crew,
    channel,
    round,
    task: { id: taskId, name: taskName, ...(isTitled && { titled: isTitled }) },
    output: { sha256: output.hash, length: output.length },
    ...(outcomes && { outcomes: [...outcomes] }),
    ...(fields && { fields: fields.map(({ name }) => name) }),
    ...(destination && { destination: destination.kind }),
    ...(limitMs !== null && { limit_ms: limitMs }),
    starter: starterOf(execution)?.id ?? null,
    ...policyFacts(rules),
  };
}

export function votedFacts(
  counting: Counting,
  { choice, signIn, evaluation }: { choice: Choice; signIn: SignIn | null; evaluation: Counted },
): LedgerFacts['voted'] {
  const { request, policies } = counting;
  const { feedback, outcome } = choice;
  const answer = answerIn(choice);
  return {
    approval: request.id,
    ...ownFacts(evaluation.own, signIn, counting),
    text: feedback === null ? null : textFacts(feedback),
    ...editedFacts(request.question),
    ...(outcome !== undefined && { outcome }),
    ...(answer && { answer: answerFacts(answer) }),
    ...stageFacts(policies, policies[0]),
    ...completesFacts(evaluation.courses, counting),
    ...policyFacts(counting),
  };
}

/** @param own the vote that completed the decision; null if it was nobody's */
export function decidedFacts(
  counting: Counting,
  {
    decision,
    undoMs,
    own,
    courses,
  }: { decision: Decision; undoMs: Millis; own: Counted['own'] | null; courses: readonly Course[] },
): LedgerFacts['decided'] {
  const { request, policies, subject } = counting;
  const { verdict, outcome, answer, text, feedback, signIn = null } = decision;
  const { escalations } = request.discussion.times;
  return {
    approval: request.id,
    verdict,
    ...(outcome !== undefined && { outcome }),
    ...(answer && { answer: answerFacts(answer) }),
    by: own && ownFacts(own, signIn, counting),
    votes: othersFacts(courses, own?.[0].personId, counting),
    text: textFacts(text ?? feedback ?? ''),
    ...(verdict === 'approve' && editedFacts(request.question)),
    ...stageFacts(policies, courses[0]?.rules ?? policies[0]),
    ...completesFacts(courses, counting),
    ...policyFacts(counting),
    escalated: escalations.length === 0 ? [] : policies.flatMap((each) => (each.isEscalated ? [each.place] : [])),
    handed_to: [...new Set(subject.handedOver.map(({ to }) => to))],
    undo_ms: undoMs,
  };
}

/** Returns the entries about votes that no longer count. */
export function withdrawnEvents(approval: string, lapsed: readonly LapsedVote[], at: Millis): LedgerEvent[] {
  return lapsed.map(({ personId, denial }) => ({
    kind: 'withdrawn',
    at,
    facts: { approval, by: personId, reason: denial.kind },
  }));
}

function textFacts(text: string): TextFacts {
  return { sha256: sha256(text), length: text.length };
}

/** Describes a vote by the first of the rules that count it and, if several rules are possible, by each of them. */
function voteFacts(
  [first, ...others]: readonly [CountedVote, ...CountedVote[]],
  { policies, facts }: Pick<Counting, 'policies' | 'facts'>,
): VoteFacts {
  const { rule, personId } = first;
  const own = { ...rightFacts({ holder: personId, rule }, facts), ...countedFacts(first, facts) };
  if (policies.length < 2) return own;
  return { ...own, under: [first, ...others].map((each) => ({ place: each.place, ...countedFacts(each, facts) })) };
}

function countedFacts({ personId, rule, right, named, seat }: CountedVote, facts: Facts) {
  return {
    rule,
    ...(named !== undefined && { named }),
    ...(right.holder !== personId && { for: rightFacts(right, facts) }),
    ...(seat !== undefined && { seat }),
  };
}

/** Names the text that an approval is about, if people have edited the crew's. */
function editedFacts({ edited, output: { hash, length } }: Pick<Question, 'edited' | 'output'>) {
  return edited ? { edited: { sha256: hash, length } } : {};
}

/** Describes the vote that the entry is about. */
function ownFacts(own: Counted['own'], signIn: SignIn | null, counting: Counting): VoteFacts {
  return { ...voteFacts(own, counting), ...(signIn && { proof: proofOf(signIn) }) };
}

/** Lists the stages that votes complete. */
function completesFacts(courses: readonly Course[], { facts }: Counting): { completes?: CompletedFacts[] } {
  const completes = courses.flatMap(({ rules: { place }, completes: stages }) =>
    stages.map(({ name: stage, votes }) => ({
      place,
      stage,
      votes: votes.map((vote) => voteFacts([vote], { facts, policies: [] })),
    })),
  );
  return completes.length > 0 ? { completes } : {};
}

function rightFacts({ holder, rule }: Right, { accounts }: Facts): RightFacts {
  const account = accounts[holder];
  const kind = account?.isStranger ? 'stranger' : account?.isGuest ? 'guest' : 'member';
  return { by: holder, rule, account: kind };
}

/** Names the stage, if only one of the rules is possible and it has stages. */
function stageFacts({ length }: readonly PossibleRules[], rules?: PossibleRules): { stage?: string } {
  const name = length === 1 ? rules?.stages[rules.stage]?.name : undefined;
  return name === undefined ? {} : { stage: name };
}

/** Lists the votes of others that count for the last stage. */
function othersFacts(courses: readonly Course[], own: string | undefined, counting: Counting): VoteFacts[] {
  const others = new Map<string, [CountedVote, ...CountedVote[]]>();
  for (const vote of courses.flatMap(({ votes }) => votes)) {
    if (vote.personId === own) continue;
    const earlier = others.get(vote.personId);
    if (earlier) earlier.push(vote);
    else others.set(vote.personId, [vote]);
  }
  return [...others.values()].map((counted) => voteFacts(counted, counting));
}
