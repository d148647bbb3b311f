import { withRunStatus } from '../execution/run.ts';
import {
  type LedgerEvent,
  type LedgerFacts,
  type RightFacts,
  sha256,
  type TextFacts,
  type VoteFacts,
} from '../ledger/entry.ts';
import { stageKey } from '../policy/document.ts';
import {
  type Counted,
  type CountedVote,
  evaluate,
  type Facts,
  type LapsedVote,
  OWN_DECISION,
  type Right,
} from '../policy/evaluate.ts';
import { verdictOf } from '../policy/outcomes.ts';
import {
  ballotOn,
  findShown,
  forWhom,
  isOther,
  type OnText,
  type Permission,
  type Permitted,
} from '../policy/permission.ts';
import { approvalsNeeded, type Policy } from '../policy/policy.ts';
import { type Refusal, whyClosed } from '../policy/refusal.ts';
import { findRules, findRulesAgain, policyFacts, type RequestRules } from '../policy/rules.ts';
import {
  type Approval,
  askedPart,
  type Decision,
  type DirectMessages,
  type Pending,
  type Person,
  retract,
  shownAt,
  supersede,
  type Vote,
  votesBefore,
} from '../state/approval.ts';
import { recordEvent } from '../state/events.ts';
import { type Execution, findApproval, starterOf, withApproval } from '../state/execution.ts';
import { countedSignIn, proofOf, type SignIn } from '../state/sign-in.ts';
import { ok, type Result, refuse } from '../values/result.ts';
import { cleanText, oneLine } from '../values/text.ts';
import type { Millis } from '../values/time.ts';
import { mentionsFor, withAlert } from './alerts.ts';
import { closeDeclined, lastRejection } from './decline.ts';
import { restartTimes, underRules } from './planned-times.ts';

/** A verdict before it is bound to a person and an instant. */
export type Choice = {
  /** What was chosen, where the request offers outcomes. */
  outcome?: string | undefined;
} & (
  | {
      verdict: 'approve';
      feedback: string | null;
      /** What the crew receives unless others have something to add. */
      text: string;
    }
  | { verdict: 'reject' | 'decline'; feedback: string | null }
);

interface Ballot extends Permission, OnText {
  choice: Choice;
  by: Person;
  /** `confirmed`: the person was asked whether they approve that soon. */
  review?: 'confirmed' | 'unasked';
  /** Where they have signed in to approve just this; a rejection takes none. */
  signIn?: SignIn | undefined;
}

/**
 * Takes a person's verdict. One rejection decides, as does a final no; of approvals, the last that the last stage needs. The first
 * decision wins, and the same person giving the same verdict again has succeeded, and changes nothing. The policy is asked
 * first, then whether it is about the text that the person was shown.
 */
export function decide(
  execution: Execution,
  approvalId: string,
  { choice, by, revision, review = 'unasked', signIn: given, ...permission }: Ballot,
  now: Millis,
): Result<Execution, Refusal> {
  if (completesAgain(execution, approvalId, { choice, by, revision, now, ...permission })) return ok(execution);
  const found = findShown(execution, approvalId, { personId: by.id, now, revision, ...permission });
  if (!found.ok) return found;
  const { request, policy, facts } = found.value;
  if (request.status !== 'pending') return repeated(execution, request, { choice, by });
  const permitted = { ...found.value, request };
  const unfit = whyUncommented(choice, policy) ?? whyNotChosen(choice, by, permitted);
  if (unfit) return refuse(unfit);
  if (choice.verdict === 'approve' && review === 'unasked' && policy.minReviewMs > 0) {
    const afterMs = Math.max(0, now - shownAt(request));
    if (afterMs < policy.minReviewMs) return refuse({ kind: 'too-soon', afterMs });
  }
  const signIn = given && choice.verdict === 'approve' ? countedSignIn(given, now) : null;
  const earlier = ballotOn(permitted, policy);
  const evaluation = evaluate(policy, {
    verdict: choice.verdict,
    personId: by.id,
    ...earlier,
    signedIn: signIn ? [...earlier.signedIn, by.id] : earlier.signedIn,
    facts,
  });
  if (evaluation.kind === 'refused') return refuse({ kind: 'denied', denial: evaluation.denial });
  if (evaluation.kind === 'not-signed-in') return refuse({ kind: 'sign-in-needed' });
  const judged = { ...permitted, choice, by, signIn, evaluation };
  if (isRepeatedVote(judged)) return ok(execution);
  if (choice.verdict === 'approve' && policy.stepUp && signIn === null) return refuse({ kind: 'sign-in-needed' });
  return ok(evaluation.kind === 'allowed' ? complete(judged, now) : vote(judged, now));
}

/** The click that has completed a stage may be delivered again, when its person needn't be one of those who decide the next. */
function completesAgain(
  execution: Execution,
  approvalId: string,
  { choice, by, revision, now, ...permission }: Pick<Ballot, 'choice' | 'by'> & Permission & OnText & { now: Millis },
): boolean {
  const request = findApproval(execution, approvalId);
  if (request?.status !== 'pending' || request.stages.length === 0 || isOther(request, revision)) return false;
  const {
    policies: [policy],
  } = findRules(permission, { execution, request, now });
  const before = policy ? votesBefore(request, policy) : [];
  return choice.verdict === 'approve' && before.some((vote) => vote.by.id === by.id && isSameBallot(vote, choice));
}

function isSameBallot(given: Pick<Vote, 'feedback' | 'outcome'>, { feedback, outcome }: Choice): boolean {
  return given.feedback === feedback && given.outcome === outcome;
}

/** Why what was chosen isn't an answer to the request, or wouldn't add to the approvals of others. A final no needs no outcome. */
function whyNotChosen(
  { verdict, outcome }: Choice,
  by: Person,
  { request, policy }: Pick<Permitted, 'request' | 'policy'>,
): Refusal | null {
  if (verdict === 'decline') return null;
  if (request.outcomes === null) return outcome === undefined ? null : { kind: 'outcome-needed' };
  if (outcome === undefined || !request.outcomes.includes(outcome) || verdictOf(outcome, policy) !== verdict)
    return { kind: 'outcome-needed' };
  if (verdict === 'reject') return null;
  const others = [...votesBefore(request, policy), ...request.votes.filter((vote) => vote.by.id !== by.id)];
  // By other rules, some of them may have approved something else than others.
  const other = others.find((vote) => vote.outcome !== outcome);
  return other ? { kind: 'other-outcome', outcome: other.outcome ?? '' } : null;
}

/** Why a verdict can't come with what was typed, or without anything. A final no takes a reason wherever there is a field for one. */
function whyUncommented({ verdict, feedback }: Choice, { comment }: Policy): Refusal | null {
  const isEmpty = !feedback?.trim();
  switch (verdict) {
    case 'approve':
      if (isEmpty) return comment.approve === 'required' ? { kind: 'note-missing' } : null;
      return comment.approve === 'none' ? { kind: 'notes-not-taken' } : null;
    case 'reject':
      if (isEmpty) return comment.reject === 'required' ? { kind: 'feedback-missing' } : null;
      return comment.reject === 'none' ? { kind: 'feedback-not-taken' } : null;
    case 'decline':
      if (isEmpty) return comment.reject === 'none' ? null : { kind: 'reason-missing' };
      return comment.reject === 'none' ? { kind: 'feedback-not-taken' } : null;
  }
}

/** A verdict of a person who may give it, and what it amounts to. */
interface Judged extends Permitted<Pending> {
  choice: Choice;
  by: Person;
  signIn: SignIn | null;
  evaluation: Counted;
}

/** The same vote again changes nothing; with another note, it replaces the first. */
function isRepeatedVote({ choice, by, evaluation, request }: Judged): boolean {
  const given = request.votes.find((each) => each.by.id === by.id);
  return (
    given !== undefined && isSameBallot(given, choice) && evaluation.kind === 'needs' && evaluation.lapsed.length === 0
  );
}

function vote(judged: Judged, now: Millis): Execution {
  const { execution, request, policy, choice, by, signIn, evaluation } = judged;
  const { feedback, outcome } = choice;
  const own = ownVote(request, policy, evaluation.own, { by, signIn, at: now, feedback, outcome });
  const votes = [...countedVotes(request, policy, evaluation), own];
  const events: LedgerEvent[] = [
    ...withdrawnEvents(request.id, evaluation.lapsed, now),
    { kind: 'voted', at: now, facts: votedFacts(judged, { evaluation, feedback, outcome, signIn }) },
  ];
  const counting = { ...judged, request: { ...request, votes } };
  const after = evaluation.kind === 'stage' ? nextStage(counting, now) : counting.request;
  return events.reduce(recordEvent, withApproval(execution, after));
}

/** The stage is complete: the next one begins, with clocks of its own, and those who may decide it are told. */
export function nextStage(judged: Pick<Permitted<Pending>, 'policy'> & RequestRules<Pending>, now: Millis): Pending {
  const { execution, request, policy, notify } = judged;
  const { votes, times, directMessages } = request;
  const completed = policy.stages.slice(policy.stage, policy.stage + 1).map((stage) => ({
    key: stageKey(stage),
    name: stage.name,
    votes,
  }));
  const stages = [...request.stages.slice(0, policy.stage), ...completed];
  const restarted = { ...restartTimes(times, now), escalatedAt: null };
  const next = findRulesAgain(judged, {
    execution,
    request: { ...request, votes: [], stages, times: restarted },
    now,
  });
  const begun = underRules(next);
  const mentions = notify === 'none' ? [] : mentionsFor({ ...next, request: begun });
  const told: DirectMessages =
    notify === 'dm' ? { status: 'due', tries: 0, notBefore: now, list: directMessages.list } : directMessages;
  return withAlert({ ...begun, directMessages: told }, { kind: 'stage', by: null, mentions }, now);
}

function complete(judged: Judged, now: Millis): Execution {
  const { execution, request, policy, choice, by, signIn, evaluation } = judged;
  const votes = choice.verdict === 'approve' ? countedVotes(request, policy, evaluation) : request.votes;
  const text = textForCrew(judged, [...votesBefore(request, policy), ...votes]);
  const decision: Decision = {
    verdict: choice.verdict,
    ...(choice.verdict !== 'decline' && choice.outcome !== undefined && { outcome: choice.outcome }),
    feedback: choice.feedback,
    text,
    by,
    ...forWhom(request, evaluation.own),
    ...(signIn && { signIn }),
    at: now,
    ownTokenOnly: false,
  };
  const { undoMs } = policy;
  const undoUntil = undoMs > 0 ? now + undoMs : null;
  // By rules of before, others may have been complete.
  const completed = request.stages.slice(0, policy.stage);
  const decided: Approval =
    text === null && undoUntil === null
      ? { ...request, stages: completed, status: 'declined', decision, declinedAt: now }
      : {
          ...request,
          status: 'decided',
          votes,
          stages: completed,
          decision,
          attempts: [],
          tries: 0,
          sendAt: now + undoMs,
          undoUntil,
        };
  const facts = decidedFacts(judged, { decision, undoMs, own: evaluation.own, votes: evaluation.votes });
  const events: LedgerEvent[] = [
    ...withdrawnEvents(request.id, evaluation.lapsed, now),
    { kind: 'decided', at: now, facts },
  ];
  const after = withRunStatus(withApproval(execution, decided));
  // A final no, to this request or to another one, closes what waits in the run.
  const mayClose = choice.verdict === 'decline' || execution.approvals.length > 1;
  return events.reduce(recordEvent, mayClose ? closeDeclined(after, now) : after);
}

/** What the crew receives with a rejection that has no feedback. */
const REJECTION_TEXT = 'Rejected. Please revise it.';

function textForCrew({ choice, by, request, policy }: Judged, votes: readonly Vote[]): string | null {
  switch (choice.verdict) {
    case 'approve':
      return crewText(votes, { ...choice, by }, policy);
    case 'reject':
      if (choice.outcome !== undefined) return withOutcome(choice.outcome, choice.feedback);
      return choice.feedback?.trim() ? choice.feedback : REJECTION_TEXT;
    case 'decline':
      return lastRejection(request, choice.feedback, policy);
  }
}

/** Each names the right that it uses by now, and the place that it takes. */
function countedVotes(approval: Pending, policy: Policy, { votes: counted }: Counted): Vote[] {
  return approval.votes.flatMap(({ for: _, rule: _rule, seat: _seat, ...vote }) => {
    const found = counted.find(({ personId }) => personId === vote.by.id);
    return found ? [{ ...vote, ...countedAs(approval, policy, found) }] : [];
  });
}

/** The vote of a person who has approved, as it counts. */
export function ownVote(
  approval: Pick<Approval, 'handedOver'>,
  policy: Pick<Policy, 'allOf'>,
  counted: CountedVote,
  { by, signIn, at, feedback, outcome }: Pick<Vote, 'by' | 'at' | 'feedback' | 'outcome'> & { signIn: SignIn | null },
): Vote {
  return {
    by,
    ...countedAs(approval, policy, counted),
    ...(signIn && { signIn }),
    at,
    feedback,
    ...(outcome !== undefined && { outcome }),
  };
}

/** Whose right a vote uses, and where one each of several has to approve, as what it counts. */
function countedAs(
  approval: Pick<Approval, 'handedOver'>,
  { allOf }: Pick<Policy, 'allOf'>,
  counted: CountedVote,
): Pick<Vote, 'for' | 'rule' | 'seat'> {
  const { right, seat } = counted;
  const place = { rule: right.rule, ...(seat !== undefined && { seat }) };
  return { ...forWhom(approval, counted), ...(allOf.length > 0 && place) };
}

/** The request, if this person may decide it on the text that they were shown and it is still open. */
export function findDecidable(
  execution: Execution,
  approvalId: string,
  asked: Permission & OnText & { personId: string; now: Millis },
): Result<Permitted, Refusal> {
  const found = findShown(execution, approvalId, asked);
  const closed = found.ok ? whyClosed(found.value.request) : null;
  return closed ? refuse(closed) : found;
}

function repeated(
  execution: Execution,
  approval: Approval,
  { choice, by }: { choice: Choice; by: Person },
): Result<Execution, Refusal> {
  const closed = whyClosed(approval);
  if (closed?.kind !== 'already-decided') return refuse(closed ?? { kind: 'unknown' });
  const given = closed.decision.verdict === choice.verdict ? givenBy(by, approval, closed.decision) : null;
  return given && isSameBallot(given, choice) ? ok(execution) : refuse(closed);
}

/** What this person has contributed to the decision; null if they haven't. */
function givenBy(by: Person, { votes }: Approval, decision: Decision): Pick<Decision, 'feedback' | 'outcome'> | null {
  if (decision.by?.id === by.id) return decision;
  return decision.verdict === 'approve' ? (votes.find((each) => each.by.id === by.id) ?? null) : null;
}

/**
 * Takes a decision back that has not been sent: the request waits again, with the votes from before, and its times as they
 * were, so that it may expire at once. If nobody follows the run any more, or it was declined meanwhile, it is closed instead:
 * nothing is asked then. For the person who decided, and those who may decide.
 */
export function undo(
  execution: Execution,
  approvalId: string,
  { by, ...permission }: Permission & OnText & { by: Person },
  now: Millis,
): Result<Execution, Refusal> {
  const found = findUndoable(execution, approvalId, { by, now, ...permission });
  if (!found.ok) return found;
  const { request: approval, rule } = found.value;
  // The same click may be delivered again.
  if (approval.status === 'pending') return approval.takenBack > 0 ? ok(execution) : refuse({ kind: 'no-decision' });
  if (approval.status !== 'decided' || approval.undoUntil === null || now >= approval.undoUntil)
    return refuse(whyClosed(approval) ?? { kind: 'unknown' });
  const asked: Pending = { ...askedPart(approval), status: 'pending' };
  const { by: decider, feedback: text } = approval.decision;
  const waiting = retract(asked, { kind: 'decision', by, of: decider ?? by, text, at: now });
  const reopened = execution.unfollowed ? supersede(waiting, 'unfollowed', now) : waiting;
  const facts = { approval: approvalId, by: by.id, rule, ...policyFacts(found.value) };
  const undone = closeDeclined(withRunStatus(withApproval(execution, reopened)), now);
  return ok(recordEvent(undone, { kind: 'undone', at: now, facts }));
}

function findUndoable(
  execution: Execution,
  approvalId: string,
  { by, ...asked }: Permission & OnText & { by: Person; now: Millis },
): Result<RequestRules & { rule: string }, Refusal> {
  const request = findApproval(execution, approvalId);
  if (request?.status === 'decided' && request.decision.by?.id === by.id) {
    if (isOther(request, asked.revision)) return refuse({ kind: 'other-text' });
    return ok({ ...findRules(asked, { execution, request, now: asked.now }), rule: OWN_DECISION });
  }
  return findShown(execution, approvalId, { personId: by.id, ...asked });
}

/** Takes a person's own vote back, which everyone may until the decision is complete. */
export function withdraw(
  execution: Execution,
  approvalId: string,
  { by, revision }: OnText & { by: Person },
  now: Millis,
): Result<Execution, Refusal> {
  const approval = findApproval(execution, approvalId);
  if (!approval) return refuse({ kind: 'unknown' });
  if (isOther(approval, revision)) return refuse({ kind: 'other-text' });
  if (approval.status !== 'pending') return refuse(whyClosed(approval) ?? { kind: 'unknown' });
  const vote = approval.votes.find((each) => each.by.id === by.id);
  if (!vote) {
    const isRepeated = approval.retractions.some(({ kind, of }) => kind === 'vote' && of.id === by.id);
    const complete = approval.stages.find(({ votes }) => votes.some((each) => each.by.id === by.id));
    return isRepeated && !complete
      ? ok(execution)
      : refuse({ kind: 'no-vote', ...(complete && { stage: complete.name }) });
  }
  const votes = approval.votes.filter((each) => each !== vote);
  const withdrawn = retract({ ...approval, votes }, { kind: 'vote', by, of: by, text: vote.feedback, at: now });
  const facts = { approval: approvalId, by: by.id, reason: 'own' };
  return ok(recordEvent(withApproval(execution, withdrawn), { kind: 'withdrawn', at: now, facts }));
}

/**
 * Exactly what the crew receives with an approval: the one note as it is, or where several people have to approve, the notes of
 * all in the order of their votes. Each of those is quoted line by line under a line with its author, whom no line of a note
 * can name then. An outcome comes first, since flows read from the beginning which one was chosen.
 */
export function crewText(
  votes: readonly Vote[],
  own: { by: Person; feedback: string | null; text: string; outcome?: string | undefined },
  policy: Pick<Policy, 'quorum' | 'allOf'>,
): string {
  const { outcome } = own;
  const isAlone = approvalsNeeded(policy) === 1 && votes.length === 0;
  const notes = [...votes, own].flatMap(({ by, feedback }) => (feedback?.trim() ? [quoted(feedback, by)] : []));
  const said = isAlone ? own.feedback : notes.join('\n\n');
  if (outcome !== undefined) return withOutcome(outcome, said);
  return isAlone || notes.length === 0 ? own.text : notes.join('\n\n');
}

function withOutcome(outcome: string, feedback: string | null): string {
  return feedback?.trim() ? `${outcome}\n\n${feedback}` : outcome;
}

/** With the id, since people choose their names, and two may have the same. */
function quoted(note: string, { id, name }: Person): string {
  const lines = cleanText(note).split('\n');
  const author = oneLine(name).replace(/^[>\s]+/, '');
  return [`${author} (${id}):`, ...lines.map((line) => `> ${line}`.trimEnd())].join('\n');
}

function textFacts(text: string): TextFacts {
  return { sha256: sha256(text), length: text.length };
}

function voteFacts({ personId, rule, right, named, seat }: CountedVote, facts: Facts): VoteFacts {
  const own = { ...rightFacts({ holder: personId, rule }, facts), ...(named !== undefined && { named }) };
  const given = right.holder !== personId && { for: rightFacts(right, facts) };
  return { ...own, ...given, ...(seat !== undefined && { seat }) };
}

/** Of the vote that the entry is about. */
function ownFacts(own: CountedVote, signIn: SignIn | null, facts: Facts): VoteFacts {
  return { ...voteFacts(own, facts), ...(signIn && { proof: proofOf(signIn) }) };
}

function rightFacts({ holder, rule }: Right, { accounts }: Facts): RightFacts {
  const account = accounts[holder];
  const kind = account?.isStranger ? 'stranger' : account?.isGuest ? 'guest' : 'member';
  return { by: holder, rule, account: kind };
}

export function askedFacts(rules: RequestRules): LedgerFacts['asked'] {
  const { execution, request } = rules;
  const { id, taskId, taskName, round, output, outcomes, destination, limitMs } = request;
  const { crew, channel } = execution;
  return {
    approval: id,
    crew,
    channel,
    round,
    task: { id: taskId, name: taskName },
    output: { sha256: output.hash, length: output.length },
    ...(outcomes && { outcomes: [...outcomes] }),
    ...(destination && { destination: destination.kind }),
    ...(limitMs !== null && { limit_ms: limitMs }),
    starter: starterOf(execution)?.id ?? null,
    ...policyFacts(rules),
  };
}

export function votedFacts(
  judged: Pick<Permitted, 'policy' | 'facts'> & RequestRules,
  {
    evaluation,
    feedback,
    outcome,
    signIn,
  }: { evaluation: Counted; feedback: string | null; outcome: string | undefined; signIn: SignIn | null },
): LedgerFacts['voted'] {
  const { request, policy, facts } = judged;
  return {
    approval: request.id,
    ...ownFacts(evaluation.own, signIn, facts),
    text: feedback === null ? null : textFacts(feedback),
    ...(outcome !== undefined && { outcome }),
    ...stageFacts(policy),
    ...(evaluation.kind === 'stage' && { completes: evaluation.votes.map((vote) => voteFacts(vote, facts)) }),
    ...policyFacts(judged),
  };
}

/** Which stage it is about, where there are several. */
function stageFacts({ stages, stage }: Policy): { stage?: string } {
  const name = stages[stage]?.name;
  return name === undefined ? {} : { stage: name };
}

export function decidedFacts(
  judged: Pick<Permitted, 'policy' | 'facts'> & RequestRules,
  {
    decision,
    undoMs,
    own,
    votes,
  }: {
    decision: Decision;
    undoMs: Millis;
    /** The vote that completed it; null if it was nobody's. */
    own: CountedVote | null;
    votes: readonly CountedVote[];
  },
): LedgerFacts['decided'] {
  const { request, policy, facts, subject } = judged;
  const { verdict, outcome, text, feedback, signIn = null } = decision;
  return {
    approval: request.id,
    verdict,
    ...(outcome !== undefined && { outcome }),
    by: own && ownFacts(own, signIn, facts),
    votes: votes.map((vote) => voteFacts(vote, facts)),
    text: textFacts(text ?? feedback ?? ''),
    ...stageFacts(policy),
    ...policyFacts(judged),
    escalated: subject.isEscalated,
    handed_to: [...new Set(subject.handedOver.map(({ to }) => to))],
    undo_ms: undoMs,
  };
}

/** The votes of people who may not decide any more. */
export function withdrawnEvents(approval: string, lapsed: readonly LapsedVote[], at: Millis): LedgerEvent[] {
  return lapsed.map(({ personId, denial }) => ({
    kind: 'withdrawn',
    at,
    facts: { approval, by: personId, reason: denial.kind },
  }));
}
