import { withRunStatus } from '../execution/run.ts';
import {
  type CompletedFacts,
  type LedgerEvent,
  type LedgerFacts,
  type RightFacts,
  sha256,
  type TextFacts,
  type VoteFacts,
} from '../ledger/entry.ts';
import { type Facts, isSamePerson, OWN_DECISION, type Right } from '../policy/evaluate.ts';
import type { PossibleRules } from '../policy/in-force.ts';
import {
  ballotOn,
  findShown,
  forWhom,
  isOther,
  type OnText,
  type Permission,
  type Permitted,
  unsureBefore,
} from '../policy/permission.ts';
import { approvalsNeeded, type Policy } from '../policy/policy.ts';
import { votesBefore } from '../policy/progress.ts';
import { type Refusal, whyClosed } from '../policy/refusal.ts';
import { type DecisionRules, findRules, findRulesAgain, policyFacts, type RequestRules } from '../policy/rules.ts';
import { settingsOf, verdictUnder } from '../policy/settings.ts';
import {
  type Counted,
  type CountedVote,
  type Course,
  evaluate,
  type LapsedVote,
  takesSignIn,
  votesIn,
} from '../policy/verdict.ts';
import { answerFacts, answers, answerText, isSameAnswer } from '../state/answer.ts';
import {
  type Approval,
  allVotes,
  askedPart,
  type CountedUnder,
  type Decision,
  type DirectMessages,
  decisionOf,
  type Output,
  type Pending,
  type Person,
  type Retraction,
  retract,
  supersede,
  UNTRIED,
  type Vote,
} from '../state/approval.ts';
import { recordEvent } from '../state/events.ts';
import { type Execution, findApproval, starterOf, withApproval } from '../state/execution.ts';
import { shownAt } from '../state/message-subject.ts';
import { countedSignIn, proofOf, type SignIn } from '../state/sign-in.ts';
import type { Answer } from '../values/input-field.ts';
import { ok, type Result, refuse } from '../values/result.ts';
import { cleanText, oneLine } from '../values/text.ts';
import type { Millis } from '../values/time.ts';
import { mentionsFor, withAlert } from './alerts.ts';
import { closeDeclined, lastRejection } from './decline.ts';
import { approvesOwnEdits, EDITS_TEXT, edit, isEditor, withoutEdits } from './edits.ts';
import { underRules } from './planned-times.ts';

/** A verdict before it is bound to a person and an instant. */
export type Choice = {
  /** What was chosen, where the request offers outcomes. */
  outcome?: string | undefined;
} & (
  | {
      verdict: 'approve';
      /** What was filled in, where the request has fields. */
      answer?: Answer | undefined;
      feedback: string | null;
      /** What the crew receives unless others have something to add. */
      text: string;
      /** What the person has made of the text that they were shown, and approves instead. */
      edited?: Output | undefined;
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
 * Takes a person's verdict. One rejection decides, as does a decline; of approvals, the last that one of the rules that may turn
 * out to apply needs. The first decision wins, and the same person giving the same verdict again has succeeded, and changes
 * nothing. The rules are asked first, then whether it is about the text that the person was shown. Whoever approves with edits has
 * the others decide about the edited text.
 */
export function decide(
  execution: Execution,
  approvalId: string,
  { choice, by, review = 'unasked', signIn: given, ...ballot }: Ballot,
  now: Millis,
): Result<Execution, Refusal> {
  const edited = choice.verdict === 'approve' ? choice.edited : undefined;
  const { revision: shownText, ...permission } = ballot;
  // Slack may deliver the same edits twice. The request is about the edited text by then.
  const revision = edited && isEditedBy(execution, approvalId, { by, edited }) ? edited.hash : shownText;
  const isAboutIt = edited === undefined || edited.hash === revision;
  if (isAboutIt && completesAgain(execution, approvalId, { choice, by, revision, now, ...permission }))
    return ok(execution);
  const shown = findShown(execution, approvalId, { personId: by.id, now, revision, ...permission });
  if (!shown.ok) return shown;
  const { request, policies, facts } = shown.value;
  if (request.status !== 'pending') return repeated(execution, request, { choice, by });
  const permitted = { ...shown.value, request };
  const settings = settingsOf(policies);
  const unfit = whyUncommented(choice, settings) ?? whyNotChosen(choice, by, permitted);
  if (unfit) return refuse(unfit);
  if (edited && edited.hash !== request.output.hash)
    return approveEdited(permitted, { choice, by, edited, given }, now);
  if (choice.verdict === 'approve' && review === 'unasked' && settings.minReviewMs > 0) {
    const afterMs = Math.max(0, now - shownAt(execution, request));
    if (afterMs < settings.minReviewMs) return refuse({ kind: 'too-soon', afterMs });
  }
  const unsure = choice.verdict === 'approve' && request.stages.length > 0 ? unsureBefore(request, facts) : null;
  if (unsure) return refuse({ kind: 'denied', denial: unsure });
  return count(permitted, { choice, by, given }, now);
}

type Given = Pick<Ballot, 'choice' | 'by'> & { given: SignIn | null | undefined };

/** Stores what a verdict amounts to. */
function count(permitted: Permitted<Pending>, { choice, by, given }: Given, now: Millis): Result<Execution, Refusal> {
  const { execution, policies, facts } = permitted;
  const signIn = given && choice.verdict === 'approve' ? countedSignIn(given, now) : null;
  const earlier = ballotOn(permitted);
  const signedIn = signIn ? [...earlier.signedIn, by.id] : earlier.signedIn;
  const evaluation = evaluate(policies, { ...earlier, verdict: choice.verdict, personId: by.id, signedIn, facts });
  if (evaluation.kind === 'refused') return refuse({ kind: 'denied', denial: evaluation.denial });
  if (evaluation.kind === 'not-signed-in') return refuse({ kind: 'sign-in-needed' });
  const judged: Judged = { ...permitted, choice, voter: by, signIn, evaluation };
  if (isRepeatedVote(judged)) return ok(execution);
  if (signIn === null && takesSignIn(evaluation.courses, by.id)) return refuse({ kind: 'sign-in-needed' });
  return ok(evaluation.kind === 'decides' ? complete(judged, now) : vote(judged, now));
}

/**
 * The edited text is decided from now on, and this is the first vote for it. Whoever may decide only a later stage than the first,
 * which is open again, approves the text once it is their turn.
 */
function approveEdited(
  permitted: Permitted<Pending>,
  { edited, ...given }: Given & { edited: Output },
  now: Millis,
): Result<Execution, Refusal> {
  const { by } = given;
  const asked = edit(permitted, { by, output: edited }, now);
  const counted = count(asked, given, now);
  const isTooEarly = !counted.ok && counted.refusal.kind === 'denied' && counted.refusal.denial.kind !== 'unsure';
  return isTooEarly && permitted.request.stages.length > 0 ? ok(asked.execution) : counted;
}

function isEditedBy(execution: Execution, approvalId: string, { by, edited }: { by: Person; edited: Output }): boolean {
  const request = findApproval(execution, approvalId);
  if (request === null || request.output.hash !== edited.hash) return false;
  // Edits that restore the text of the crew leave nobody who has edited it: their vote is all that is left of them.
  return isEditor(request, by) || allVotes(request).some((vote) => vote.by.id === by.id);
}

/** The click that has completed a stage may be delivered again, when its person needn't be one of those who decide the next. */
function completesAgain(
  execution: Execution,
  approvalId: string,
  { choice, by, revision, now, ...permission }: Pick<Ballot, 'choice' | 'by'> & Permission & OnText & { now: Millis },
): boolean {
  const request = findApproval(execution, approvalId);
  if (request?.status !== 'pending' || request.stages.length === 0 || isOther(request, revision)) return false;
  const { policies } = findRules(permission, { execution, request, now });
  const isTheirs = (vote: Vote) => vote.by.id === by.id && isSameBallot(vote, choice);
  const isComplete = (rules: PossibleRules) => votesBefore(request, rules).some(isTheirs);
  return choice.verdict === 'approve' && policies.length > 0 && policies.every(isComplete);
}

function isSameBallot(given: Pick<Vote, 'feedback' | 'outcome' | 'answer'>, choice: Choice): boolean {
  const isSame = given.feedback === choice.feedback && given.outcome === choice.outcome;
  return isSame && isSameAnswer(given.answer, answerIn(choice));
}

function answerIn(choice: Choice): Answer | undefined {
  return choice.verdict === 'approve' ? choice.answer : undefined;
}

/** Why what was chosen isn't an answer to the request, or wouldn't add to the approvals of others. A decline needs no outcome. */
function whyNotChosen(
  choice: Choice,
  by: Person,
  { request, policies }: Pick<Permitted, 'request' | 'policies'>,
): Refusal | null {
  const { verdict, outcome } = choice;
  if (verdict === 'decline') return null;
  const answer = answerIn(choice);
  const isPlain = outcome === undefined && answer === undefined;
  if (isPlain && request.outcomes === null && request.fields === null) return null;
  const isAnswered = request.fields === null ? answer === undefined : answer && answers(answer, request.fields);
  if (verdict === 'approve' && !isAnswered) return { kind: 'answer-needed' };
  if (!isOffered(request, { verdict, outcome }, policies)) return { kind: 'outcome-needed' };
  if (verdict === 'reject') return null;
  const before = policies.flatMap((rules) => votesBefore(request, rules));
  const others = [...before, ...request.votes.filter((vote) => vote.by.id !== by.id)];
  // By other rules, some of them may have approved something else than others.
  if (others.some((vote) => !isSameAnswer(vote.answer, answer))) return { kind: 'other-answer' };
  const other = others.find((vote) => vote.outcome !== outcome);
  return other ? { kind: 'other-outcome', outcome: other.outcome ?? '' } : null;
}

function isOffered(
  { outcomes }: Pick<Approval, 'outcomes'>,
  { verdict, outcome }: Pick<Choice, 'verdict' | 'outcome'>,
  policies: readonly Policy[],
): boolean {
  if (outcome === undefined) return outcomes === null || (verdict === 'reject' && outcomes.length === 1);
  return outcomes?.includes(outcome) === true && verdictUnder(outcome, policies) === verdict;
}

/**
 * Why a verdict can't come with what was typed, or without anything. Edits say something. A decline takes a reason wherever there is
 * a field for one.
 */
function whyUncommented(choice: Choice, { comment }: Pick<Policy, 'comment'>): Refusal | null {
  const { verdict, feedback } = choice;
  const isEmpty = !feedback?.trim() && !('edited' in choice && choice.edited);
  switch (verdict) {
    case 'approve':
      // An answer says more than a note.
      if (answerIn(choice)) return isEmpty ? null : { kind: 'notes-not-taken' };
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
interface Judged extends RequestRules<Pending> {
  facts: Facts;
  choice: Choice;
  voter: Person;
  signIn: SignIn | null;
  evaluation: Counted;
}

/** The same vote again changes nothing; with another note, it replaces the first. */
function isRepeatedVote({ choice, voter, signIn, evaluation, request }: Judged): boolean {
  const given = request.votes.find((each) => each.by.id === voter.id);
  if (!given || !isSameBallot(given, choice) || (signIn && !given.signIn)) return false;
  const completes = evaluation.courses.some((course) => course.completes.length > 0);
  return evaluation.kind === 'counts' && evaluation.lapsed.length === 0 && !completes;
}

function vote(judged: Judged, now: Millis): Execution {
  const { execution, request, evaluation } = judged;
  const { lapsed, courses } = evaluation;
  const events: LedgerEvent[] = [
    ...withdrawnEvents(request.id, lapsed, now),
    { kind: 'voted', at: now, facts: votedFacts(judged) },
  ];
  const given = { ...request, votes: [...earlierVotes(judged), ownVote(judged, now)], judging: null };
  const after = courses.some(({ completes }) => completes.length > 0)
    ? beginStage({ ...judged, request: withStages(given, judged, now) }, now)
    : withApproval(execution, given);
  return events.reduce(recordEvent, after);
}

/** The votes of others as they count now, without those that have lapsed. A person has one vote, whatever accounts they have. */
function earlierVotes({ request, policies, evaluation, voter, facts }: Judged): Vote[] {
  const { courses, lapsed } = evaluation;
  const gone = lapsed.map(({ personId }) => personId);
  const counted = courses.flatMap(votesIn);
  const left = request.votes.filter(({ by }) => !gone.includes(by.id) && !isSamePerson(by.id, voter.id, facts));
  return left.map((vote) => voteAs(request, vote, { counted: countedOf(vote, counted), policies }));
}

function countedOf({ by }: Vote, counted: readonly CountedVote[]): CountedVote[] {
  return counted.filter(({ personId }) => personId === by.id);
}

/** The request with the stages that its votes complete, and without the votes that are of no more use by any of the rules. */
function withStages(request: Pending, { evaluation: { courses } }: Judged, now: Millis): Pending {
  const completed = courses.flatMap(({ completes }) =>
    completes.map(({ key, name, votes: counted }) => {
      const votes = request.votes.flatMap((vote) => {
        const own = countedOf(vote, counted);
        return own.length > 0 ? [voteAs(request, vote, { counted: own, policies: [] })] : [];
      });
      return { key, name, at: now, votes };
    }),
  );
  const stages = [...new Map([...request.stages, ...completed].map((stage) => [stage.key, stage])).values()];
  const votes = votesOfUse(
    { ...request, stages },
    courses.map(({ rules }) => rules),
  );
  const begun = courses.flatMap(({ rules, completes }) => (completes.length > 0 ? [rules.place] : []));
  const escalations = request.times.escalations.filter(({ rules }) => !begun.includes(rules));
  return { ...request, votes, stages, times: { ...request.times, escalations } };
}

/** The votes that aren't part of a complete stage by each of the rules. */
export function votesOfUse(request: Pick<Approval, 'stages' | 'votes'>, policies: readonly PossibleRules[]): Vote[] {
  const used = policies.map((rules) => votesBefore(request, rules).map(({ by }) => by.id));
  return request.votes.filter(({ by }) => !used.every((ids) => ids.includes(by.id)));
}

/** A stage is complete: the next one begins, with clocks of its own, and those who may decide it are told. */
export function beginStage(rules: RequestRules<Pending>, now: Millis): Execution {
  const { execution, request, notify } = rules;
  const restarted = { ...request, times: { ...request.times, rules: '', reminders: 0 } };
  const next = findRulesAgain(rules, { execution, request: restarted, now });
  const begun = underRules(next);
  const mentions = notify === 'none' ? [] : mentionsFor({ ...next, request: begun });
  const { list } = request.directMessages;
  const told: DirectMessages =
    notify === 'dm' ? { status: 'due', tries: 0, notBefore: now, list } : request.directMessages;
  return withAlert(execution, { ...begun, directMessages: told }, { kind: 'stage', by: null, mentions }, now).execution;
}

function complete(judged: Judged, now: Millis): Execution {
  const { request, policies, choice, voter, signIn, evaluation } = judged;
  const { own, courses, lapsed } = evaluation;
  const isFirst = request.votes.length === 0 && request.stages.length === 0;
  const votes = choice.verdict === 'approve' && !isFirst ? earlierVotes(judged) : request.votes;
  const others = isFirst ? [] : countingVotes({ ...request, votes }, policies, courses);
  const text = textForCrew(judged, others);
  const decision = decisionAs(own[0], request, { ...choice, answer: answerIn(choice), text, by: voter, signIn }, now);
  const events = withdrawnEvents(request.id, lapsed, now);
  return decideNow({ ...judged, request: { ...request, votes } }, { decision, own, courses, events }, now);
}

type Decided = Pick<Decision, 'verdict' | 'outcome' | 'answer' | 'feedback' | 'text'> & {
  by: Person;
  signIn: SignIn | null | undefined;
};

/** The decision of a person whose verdict counts like this. */
export function decisionAs(
  counted: CountedVote,
  request: Pending,
  { verdict, outcome, answer, feedback, text, by, signIn }: Decided,
  at: Millis,
): Decision {
  return {
    ...{ verdict, feedback, text, by, at },
    ...(verdict !== 'decline' && outcome !== undefined && { outcome }),
    ...(answer && { answer }),
    ...forWhom(request, counted),
    ...(signIn && { signIn }),
    ownTokenOnly: false,
  };
}

/** A decision that is complete, with what its entry in the ledger tells. */
interface Completed {
  decision: Decision;
  /** How each of the possible rules counts the verdict that completed it. */
  own: readonly [CountedVote, ...CountedVote[]];
  courses: readonly Course[];
  /** The ledger's entries that come before that of the decision. */
  events: readonly LedgerEvent[];
}

/** Stores a complete decision: it is sent once it can't be undone any more, or closes the request if the crew isn't told. */
export function decideNow(
  judged: RequestRules<Pending> & { facts: Facts },
  { decision, own, courses, events }: Completed,
  now: Millis,
): Execution {
  const { execution, request, policies } = judged;
  // An approval is complete in the last stage, whichever stage was open before.
  const { undoMs } = settingsOf(courses.length > 0 ? courses.map(({ rules }) => rules) : policies);
  const undoUntil = undoMs > 0 ? now + undoMs : null;
  const asked = { ...request, judging: null };
  const decided: Approval =
    decision.text === null && undoUntil === null
      ? { ...asked, status: 'declined', decision, declinedAt: now }
      : {
          ...asked,
          status: 'decided',
          decision,
          attempts: [],
          ...UNTRIED,
          sendAt: now + undoMs,
          undoUntil,
        };
  const facts = decidedFacts(judged, { decision, undoMs, own, courses });
  const after = withRunStatus(withApproval(execution, decided));
  // A decline, to this request or to another one, closes what waits in the run.
  const mayClose = decision.verdict === 'decline' || execution.approvals.length > 1;
  const entered: LedgerEvent[] = [...events, { kind: 'decided', at: now, facts }];
  return entered.reduce(recordEvent, mayClose ? closeDeclined(after, now) : after);
}

/** The votes that at least one of the possible rules counts, of all stages, oldest first. */
export function countingVotes(
  { stages, votes }: Pick<Approval, 'stages' | 'votes'>,
  policies: readonly PossibleRules[],
  courses: readonly Course[],
): Vote[] {
  const keys = policies.flatMap(({ stageKeys }) => stageKeys);
  const before = stages.filter(({ key }) => keys.includes(key)).flatMap((stage) => stage.votes);
  const counting = courses.flatMap(votesIn).map(({ personId }) => personId);
  const all = [...before, ...votes.filter(({ by }) => counting.includes(by.id))];
  return [...new Map(all.map((vote) => [vote.by.id, vote])).values()].toSorted((one, other) => one.at - other.at);
}

/** What the crew receives with a rejection that has no feedback. */
const REJECTION_TEXT = 'Rejected. Please revise it.';

/** @param others the votes of others that count */
function textForCrew({ choice, voter, request, policies }: Judged, others: readonly Vote[]): string | null {
  switch (choice.verdict) {
    case 'approve':
      if (choice.answer) return answerText(choice.answer);
      return crewText(others, { ...choice, by: voter, isEdited: request.edited !== null }, policies);
    case 'reject':
      if (choice.outcome !== undefined) return withOutcome(choice.outcome, choice.feedback);
      return choice.feedback?.trim() ? choice.feedback : REJECTION_TEXT;
    case 'decline':
      return lastRejection(request, choice.feedback, settingsOf(policies));
  }
}

/** The vote of a person who has approved, as it counts. */
function ownVote({ request, policies, choice, voter, signIn, evaluation }: Judged, now: Millis): Vote {
  const { feedback, outcome } = choice;
  const answer = answerIn(choice);
  const vote: Vote = {
    by: voter,
    ...(signIn && { signIn }),
    at: now,
    feedback,
    ...(outcome !== undefined && { outcome }),
    ...(answer && { answer }),
  };
  return voteAs(request, vote, { counted: evaluation.own, policies });
}

/** A vote as it counts: whose right it uses, and where one each of several has to approve, by which rule and in whose place. */
function voteAs(
  approval: Pick<Approval, 'handedOver'>,
  { for: _, rule: _rule, seat: _seat, under: _under, ...vote }: Vote,
  { counted, policies }: { counted: readonly CountedVote[]; policies: readonly PossibleRules[] },
): Vote {
  const as = counted.map((each): CountedUnder => {
    const { right, seat, place } = each;
    const isSeated = policies.some((rules) => rules.place === place && rules.allOf.length > 0);
    const seated = { ...(isSeated && { rule: right.rule }), ...(seat !== undefined && { seat }) };
    return { place, ...forWhom(approval, each), ...seated };
  });
  const [{ place: _place, ...first } = { place: '' }] = as;
  return { ...vote, ...first, ...(policies.length > 1 && { under: as }) };
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
function givenBy(
  by: Person,
  { votes }: Approval,
  decision: Decision,
): Pick<Decision, 'feedback' | 'outcome' | 'answer'> | null {
  if (decision.by?.id === by.id) return decision;
  return decision.verdict === 'approve' ? (votes.find((each) => each.by.id === by.id) ?? null) : null;
}

/**
 * Takes a decision back that has not been sent: the request waits again, with the votes from before, and its times as they
 * were, so that it may expire at once. If nobody follows the run any more, or it was declined meanwhile, it is closed instead:
 * nothing is asked then. For the person who decided, and those who may decide; a rejection, by each of the possible rules.
 */
export function undo(
  execution: Execution,
  approvalId: string,
  { by, ...permission }: Permission & OnText & { by: Person },
  now: Millis,
): Result<Execution, Refusal> {
  const found = findUndoable(execution, approvalId, { by, now, ...permission });
  if (!found.ok)
    return isTakenBack(execution, approvalId, { kind: 'decision', by }, found.refusal) ? ok(execution) : found;
  const { request: approval, rule, isSure } = found.value;
  // The same click may be delivered again.
  if (approval.status === 'pending') return approval.takenBack > 0 ? ok(execution) : refuse({ kind: 'no-decision' });
  if (approval.status !== 'decided' || approval.undoUntil === null || now >= approval.undoUntil)
    return refuse(whyClosed(approval) ?? { kind: 'unknown' });
  if (approval.decision.verdict !== 'approve' && !isSure)
    return refuse({ kind: 'denied', denial: { kind: 'not-approver' } });
  const asked: Pending = { ...askedPart(approval), status: 'pending' };
  const { by: decider, feedback: text } = approval.decision;
  const restored = approvesOwnEdits(approval, approval.decision)
    ? withoutEdits(asked, { by, execution, rules: permission }, now)
    : { execution, request: asked };
  const waiting = retract(restored.request, { kind: 'decision', by, of: decider ?? by, text, at: now });
  const reopened = execution.unfollowed ? supersede(waiting, 'unfollowed', now) : waiting;
  const facts = { approval: approvalId, by: by.id, rule, ...policyFacts(found.value) };
  const undone = closeDeclined(withRunStatus(withApproval(restored.execution, reopened)), now);
  return ok(recordEvent(undone, { kind: 'undone', at: now, facts }));
}

function findUndoable(
  execution: Execution,
  approvalId: string,
  { by, ...asked }: Permission & OnText & { by: Person; now: Millis },
): Result<RequestRules & { rule: string; isSure: boolean }, Refusal> {
  const request = findApproval(execution, approvalId);
  if (request?.status === 'decided' && request.decision.by?.id === by.id) {
    if (isOther(request, asked.revision)) return refuse({ kind: 'other-text' });
    return ok({ ...findRules(asked, { execution, request, now: asked.now }), rule: OWN_DECISION, isSure: true });
  }
  return findShown(execution, approvalId, { personId: by.id, ...asked });
}

/** The same click may be delivered again after it has taken back edits, so that the request is about the text of the crew by now. */
function isTakenBack(
  execution: Execution,
  approvalId: string,
  { kind, by }: Pick<Retraction, 'kind' | 'by'>,
  refusal: Refusal,
): boolean {
  const request = findApproval(execution, approvalId);
  if (request?.status !== 'pending' || refusal.kind !== 'other-text') return false;
  return request.retractions.some((each) => each.kind === kind && each.by.id === by.id);
}

/** Takes a person's own vote back, which everyone may until the decision is complete; their edits of the text go with it. */
export function withdraw(
  execution: Execution,
  approvalId: string,
  { by, revision, ...rules }: OnText & { by: Person } & Partial<DecisionRules>,
  now: Millis,
): Result<Execution, Refusal> {
  const approval = findApproval(execution, approvalId);
  if (!approval) return refuse({ kind: 'unknown' });
  if (isOther(approval, revision)) {
    const refusal = { kind: 'other-text' } as const;
    return isTakenBack(execution, approvalId, { kind: 'vote', by }, refusal) ? ok(execution) : refuse(refusal);
  }
  const vote = approval.votes.find((each) => each.by.id === by.id);
  const complete = approval.stages.find(({ votes }) => votes.some((each) => each.by.id === by.id));
  const decider = decisionOf(approval)?.by ?? null;
  const counts = vote !== undefined || complete !== undefined || decider?.id === by.id;
  // The same click may be delivered again, also once others have decided.
  if (!counts && approval.retractions.some(({ kind, of }) => kind === 'vote' && of.id === by.id)) return ok(execution);
  if (approval.status !== 'pending') return refuse(whyClosed(approval) ?? { kind: 'unknown' });
  // A vote that has completed a stage by some rules can't be taken out of it, even if it waits by others.
  if (!vote || complete) return refuse({ kind: 'no-vote', ...(complete && { stage: complete.name }) });
  const votes = approval.votes.filter((each) => each !== vote);
  const left = isEditor(approval, by)
    ? withoutEdits(approval, { by, execution, rules }, now)
    : { execution, request: { ...approval, votes } };
  const withdrawn = retract(left.request, { kind: 'vote', by, of: by, text: vote.feedback, at: now });
  const facts = { approval: approvalId, by: by.id, reason: 'own' };
  return ok(recordEvent(withApproval(left.execution, withdrawn), { kind: 'withdrawn', at: now, facts }));
}

/**
 * Exactly what the crew receives with an approval: the one note as it is, or where several people have to approve, the notes of
 * all in the order of their votes. Each of those is quoted line by line under a line with its author, whom no line of a note
 * can name then. An outcome comes first, since flows read from the beginning which one was chosen. An edited text follows on
 * what this returns, which ends by saying so.
 */
export function crewText(
  votes: readonly Vote[],
  own: { by: Person; feedback: string | null; text: string; outcome?: string | undefined; isEdited?: boolean },
  policies: readonly Pick<Policy, 'quorum' | 'allOf'>[],
): string {
  const { outcome, isEdited = false } = own;
  const isAlone = policies.every((policy) => approvalsNeeded(policy) === 1) && votes.length === 0;
  const notes = [...votes, own].flatMap(({ by, feedback }) => (feedback?.trim() ? [quoted(feedback, by)] : []));
  if (isEdited) return [...notes, EDITS_TEXT].join('\n\n');
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

/** A vote by the first of the rules that count it, and where there are several rules, by each of them. */
function voteFacts(
  [first, ...others]: readonly [CountedVote, ...CountedVote[]],
  { policies, facts }: Pick<Counting, 'policies' | 'facts'>,
): VoteFacts {
  const { rule, named, right, seat, personId } = first;
  const by = rightFacts({ holder: personId, rule }, facts);
  const own = { ...by, ...countedFacts({ rule, named, right, seat, personId }, facts) };
  if (policies.length < 2) return own;
  return { ...own, under: [first, ...others].map((each) => ({ place: each.place, ...countedFacts(each, facts) })) };
}

function countedFacts({ personId, rule, right, named, seat }: Omit<CountedVote, 'place'>, facts: Facts) {
  return {
    rule,
    ...(named !== undefined && { named }),
    ...(right.holder !== personId && { for: rightFacts(right, facts) }),
    ...(seat !== undefined && { seat }),
  };
}

/** The text that an approval is about, where people have edited that of the crew. */
function editedFacts({ edited, output: { hash, length } }: Pick<Approval, 'edited' | 'output'>): {
  edited?: TextFacts;
} {
  return edited ? { edited: { sha256: hash, length } } : {};
}

/** The vote that the entry is about. */
function ownFacts(own: Counted['own'], signIn: SignIn | null, counting: Counting): VoteFacts {
  return { ...voteFacts(own, counting), ...(signIn && { proof: proofOf(signIn) }) };
}

/** The stages that votes complete; empty where they complete none. */
function completesFacts(courses: readonly Course[], counting: Counting): { completes?: CompletedFacts[] } {
  const completes: CompletedFacts[] = [];
  for (const { rules, completes: stages } of courses)
    for (const { name: stage, votes: counted } of stages) {
      const votes = counted.map((vote) => voteFacts([vote], { ...counting, policies: [] }));
      completes.push({ place: rules.place, stage, votes });
    }
  return completes.length > 0 ? { completes } : {};
}

function rightFacts({ holder, rule }: Right, { accounts }: Facts): RightFacts {
  const account = accounts[holder];
  const kind = account?.isStranger ? 'stranger' : account?.isGuest ? 'guest' : 'member';
  return { by: holder, rule, account: kind };
}

export function askedFacts(rules: RequestRules): LedgerFacts['asked'] {
  const { execution, request } = rules;
  const { id, taskId, taskName, isTitled, round, output, outcomes, fields, destination, limitMs } = request;
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

/** What entries about votes are told from. */
type Counting = RequestRules & { facts: Facts };

function votedFacts(judged: Judged): LedgerFacts['voted'] {
  const { request, policies, choice, signIn, evaluation } = judged;
  const { feedback, outcome } = choice;
  const answer = answerIn(choice);
  return {
    approval: request.id,
    ...ownFacts(evaluation.own, signIn, judged),
    text: feedback === null ? null : textFacts(feedback),
    ...editedFacts(request),
    ...(outcome !== undefined && { outcome }),
    ...(answer && { answer: answerFacts(answer) }),
    ...stageFacts(policies, policies[0]),
    ...completesFacts(evaluation.courses, judged),
    ...policyFacts(judged),
  };
}

/** Which stage it is about, where only one of the rules is possible and has several. */
function stageFacts({ length }: readonly PossibleRules[], rules?: PossibleRules): { stage?: string } {
  const name = length === 1 ? rules?.stages[rules.stage]?.name : undefined;
  return name === undefined ? {} : { stage: name };
}

export function decidedFacts(
  judged: Counting,
  {
    decision,
    undoMs,
    own,
    courses,
  }: {
    decision: Decision;
    undoMs: Millis;
    /** The vote that completed it; null if it was nobody's. */
    own: Counted['own'] | null;
    courses: readonly Course[];
  },
): LedgerFacts['decided'] {
  const { request, policies, subject } = judged;
  const { verdict, outcome, answer, text, feedback, signIn = null } = decision;
  const { escalations } = request.times;
  return {
    approval: request.id,
    verdict,
    ...(outcome !== undefined && { outcome }),
    ...(answer && { answer: answerFacts(answer) }),
    by: own && ownFacts(own, signIn, judged),
    votes: othersFacts(courses, own?.[0].personId, judged),
    text: textFacts(text ?? feedback ?? ''),
    ...(verdict === 'approve' && editedFacts(request)),
    ...stageFacts(policies, courses[0]?.rules ?? policies[0]),
    ...completesFacts(courses, judged),
    ...policyFacts(judged),
    escalated: escalations.length === 0 ? [] : policies.flatMap((each) => (each.isEscalated ? [each.place] : [])),
    handed_to: [...new Set(subject.handedOver.map(({ to }) => to))],
    undo_ms: undoMs,
  };
}

/** The votes of others that count for the last stage. */
function othersFacts(courses: readonly Course[], own: string | undefined, judged: Counting): VoteFacts[] {
  const others = new Map<string, [CountedVote, ...CountedVote[]]>();
  for (const { votes } of courses)
    for (const vote of votes) {
      if (vote.personId === own) continue;
      const known = others.get(vote.personId);
      if (known) known.push(vote);
      else others.set(vote.personId, [vote]);
    }
  return [...others.values()].map((counted) => voteFacts(counted, judged));
}

/** The votes of people who may not decide any more. */
export function withdrawnEvents(approval: string, lapsed: readonly LapsedVote[], at: Millis): LedgerEvent[] {
  return lapsed.map(({ personId, denial }) => ({
    kind: 'withdrawn',
    at,
    facts: { approval, by: personId, reason: denial.kind },
  }));
}
