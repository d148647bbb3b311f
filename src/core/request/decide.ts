// A person's verdict on a request: the listeners for cards and the review call `decide`, which stores a vote or a whole decision.
// `name-task.ts` uses the lower half to complete a decision without a new click.

import { withRunStatus } from '../execution/run.ts';
import type { LedgerEvent } from '../ledger/entry.ts';
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
import { type Facts, isSamePerson } from '../policy/permits.ts';
import { settingsOf } from '../policy/policy.ts';
import { votesBefore } from '../policy/progress.ts';
import { type Refusal, whyClosed } from '../policy/refusal.ts';
import { findRules, findRulesAgain, type RequestRules } from '../policy/rules.ts';
import { type Counted, type CountedVote, type Course, evaluate, takesSignIn, votesIn } from '../policy/verdict.ts';
import { answerText } from '../state/answer.ts';
import { recordEvent } from '../state/events.ts';
import { type Execution, findRequest, shownAt, withRequest } from '../state/execution.ts';
import {
  allVotes,
  type CountedUnder,
  type Decision,
  type DirectMessages,
  type Discussion,
  type HumanRequest,
  hasStatus,
  type Output,
  type Pending,
  type Person,
  UNTRIED,
  type Vote,
} from '../state/request.ts';
import { countedSignIn, type SignIn } from '../state/sign-in.ts';
import { ok, type Result, refuse } from '../values/result.ts';
import type { Millis } from '../values/time.ts';
import { mentionsFor, withAlert } from './alerts.ts';
import {
  answerIn,
  type Choice,
  crewText,
  isSameBallot,
  reasonForComment,
  reasonNotOffered,
  rejectionText,
} from './choice.ts';
import { closeDeclined, lastRejection } from './decline.ts';
import { edit, isEditor } from './edits.ts';
import { decidedFacts, votedFacts, withdrawnEvents } from './ledger-facts.ts';
import { underRules } from './planned-times.ts';

interface Ballot extends Permission, OnText {
  choice: Choice;
  by: Person;
  /** `confirmed`: the person has confirmed that they approve this soon. */
  review?: 'confirmed' | 'unasked';
  /** The sign-in for exactly this approval; a rejection takes none. */
  signIn?: SignIn | undefined;
}

/**
 * Stores a person's verdict. A rejection or decline decides at once, an approval once it is complete by each of the possible rules.
 * The first decision wins. The same verdict by the same person again succeeds and changes nothing. The rules are checked first, then
 * the text that the person was shown. After an approval with edits, the others decide about the edited text.
 */
export function decide(
  execution: Execution,
  approvalId: string,
  { choice, by, review = 'unasked', signIn, ...ballot }: Ballot,
  now: Millis,
): Result<Execution, Refusal> {
  const edited = choice.verdict === 'approve' ? choice.edited : undefined;
  const { revision: shownText, ...permission } = ballot;
  // Slack may deliver the same edits twice. The request is about the edited text by then.
  const revision = edited && isEditedBy(execution, approvalId, { by, edited }) ? edited.hash : shownText;
  const asksAboutRevision = edited === undefined || edited.hash === revision;
  if (asksAboutRevision && completesAgain(execution, approvalId, { choice, by, revision, now, ...permission }))
    return ok(execution);
  const visible = findShown(execution, approvalId, { personId: by.id, now, revision, ...permission });
  if (!visible.ok) return visible;
  const { request, policies, facts } = visible.value;
  if (!hasStatus(request, 'pending')) return repeated(request, { choice, by }, execution);
  const permitted = { ...visible.value, request };
  const settings = settingsOf(policies);
  const unfit = reasonForComment(choice, settings) ?? reasonNotOffered(choice, by, permitted);
  if (unfit) return refuse(unfit);
  if (edited && edited.hash !== request.question.output.hash)
    return approveEdited(permitted, { choice, by, edited, signIn }, now);
  if (choice.verdict === 'approve' && review === 'unasked' && settings.minReviewMs > 0) {
    const afterMs = Math.max(0, now - shownAt(execution, request));
    if (afterMs < settings.minReviewMs) return refuse({ kind: 'too-soon', afterMs });
  }
  const unsure =
    choice.verdict === 'approve' && request.discussion.stages.length > 0 ? unsureBefore(request, facts) : null;
  if (unsure) return refuse({ kind: 'denied', denial: unsure });
  return count(permitted, { choice, by, signIn }, now);
}

type Given = Pick<Ballot, 'choice' | 'by' | 'signIn'>;

/** Stores what a verdict amounts to. */
function count(permitted: Permitted<Pending>, ballot: Given, now: Millis): Result<Execution, Refusal> {
  const { choice, by } = ballot;
  const { execution, policies, facts } = permitted;
  const signIn = ballot.signIn && choice.verdict === 'approve' ? countedSignIn(ballot.signIn, now) : null;
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
 * Makes the request ask about the edited text, with this as the first vote. Edits open the first stage again: somebody who may decide
 * only a later stage approves the text once that stage is open.
 */
function approveEdited(
  permitted: Permitted<Pending>,
  { edited, ...ballot }: Given & { edited: Output },
  now: Millis,
): Result<Execution, Refusal> {
  const edition = edit(permitted, { by: ballot.by, output: edited }, now);
  const counted = count(edition, ballot, now);
  const isTooEarly = !counted.ok && counted.refusal.kind === 'denied' && counted.refusal.denial.kind !== 'unsure';
  return isTooEarly && permitted.request.discussion.stages.length > 0 ? ok(edition.execution) : counted;
}

function isEditedBy(execution: Execution, approvalId: string, { by, edited }: { by: Person; edited: Output }): boolean {
  const request = findRequest(execution, approvalId);
  if (request === null || request.question.output.hash !== edited.hash) return false;
  // Edits that restore the crew's text leave no editor: the vote is their only trace.
  return isEditor(request.question, by) || allVotes(request.discussion).some((vote) => vote.by.id === by.id);
}

/** Returns true for a repeated delivery of the click that completed a stage: its person may not be allowed to decide the next one. */
function completesAgain(
  execution: Execution,
  approvalId: string,
  { choice, by, revision, now, ...permission }: Pick<Ballot, 'choice' | 'by'> & Permission & OnText & { now: Millis },
): boolean {
  const request = findRequest(execution, approvalId);
  if (request?.state.status !== 'pending' || request.discussion.stages.length === 0 || isOther(request, revision))
    return false;
  const { policies } = findRules(permission, { execution, request, now });
  const isTheirs = (vote: Vote) => vote.by.id === by.id && isSameBallot(vote, choice);
  const isComplete = (rules: PossibleRules) => votesBefore(request.discussion, rules).some(isTheirs);
  return choice.verdict === 'approve' && policies.length > 0 && policies.every(isComplete);
}

/** Answers a verdict on a request that is closed. */
function repeated(
  request: HumanRequest,
  { choice, by }: Pick<Ballot, 'choice' | 'by'>,
  execution: Execution,
): Result<Execution, Refusal> {
  const closed = whyClosed(request);
  if (closed?.kind !== 'already-decided') return refuse(closed ?? { kind: 'unknown' });
  const { decision } = closed;
  const isTheirs = decision.by?.id === by.id;
  const vote =
    decision.verdict === 'approve' ? request.discussion.votes.find((each) => each.by.id === by.id) : undefined;
  const own = isTheirs ? decision : vote;
  const isRepeated = own && decision.verdict === choice.verdict && isSameBallot(own, choice);
  return isRepeated ? ok(execution) : refuse(closed);
}

/** Returns the request if this person may decide it on the text that they were shown, and it is still open. */
export function findDecidable(
  execution: Execution,
  approvalId: string,
  person: Permission & OnText & { personId: string; now: Millis },
): Result<Permitted, Refusal> {
  const visible = findShown(execution, approvalId, person);
  const closed = visible.ok ? whyClosed(visible.value.request) : null;
  return closed ? refuse(closed) : visible;
}

/** A verdict of a person who may give it, and what it amounts to. */
interface Judged extends RequestRules<Pending> {
  facts: Facts;
  choice: Choice;
  voter: Person;
  signIn: SignIn | null;
  evaluation: Counted;
}

/** A person's repeated vote changes nothing; a vote with another note replaces their first one. */
function isRepeatedVote({ choice, voter, signIn, evaluation, request }: Judged): boolean {
  const earlier = request.discussion.votes.find((each) => each.by.id === voter.id);
  if (!earlier || !isSameBallot(earlier, choice) || (signIn && !earlier.signIn)) return false;
  const completes = evaluation.courses.some((course) => course.completes.length > 0);
  return evaluation.kind === 'counts' && evaluation.lapsed.length === 0 && !completes;
}

function vote(judged: Judged, now: Millis): Execution {
  const { execution, request, evaluation } = judged;
  const { lapsed, courses } = evaluation;
  const events: LedgerEvent[] = [
    ...withdrawnEvents(request.id, lapsed, now),
    { kind: 'voted', at: now, facts: votedFacts(judged, judged) },
  ];
  const voted = {
    ...request,
    discussion: { ...request.discussion, votes: [...earlierVotes(judged), ownVote(judged, now)], judging: null },
  };
  const after = courses.some(({ completes }) => completes.length > 0)
    ? beginStage({ ...judged, request: withStages(voted, judged, now) }, now)
    : withRequest(execution, voted);
  return events.reduce(recordEvent, after);
}

/** Returns the votes of others as they count now, without lapsed ones. A person has one vote, whatever accounts they have. */
function earlierVotes({ request, policies, evaluation, voter, facts }: Judged): Vote[] {
  const { courses, lapsed } = evaluation;
  const lapsedIds = lapsed.map(({ personId }) => personId);
  const counted = courses.flatMap(votesIn);
  const left = request.discussion.votes.filter(
    ({ by }) => !lapsedIds.includes(by.id) && !isSamePerson(by.id, voter.id, facts),
  );
  return left.map((vote) => voteAs(request.discussion, vote, { counted: countedOf(vote, counted), policies }));
}

function countedOf({ by }: Vote, counted: readonly CountedVote[]): CountedVote[] {
  return counted.filter(({ personId }) => personId === by.id);
}

/** Adds the stages that the votes complete, and drops the votes that are of no more use by any of the rules. */
function withStages(request: Pending, { evaluation: { courses } }: Judged, now: Millis): Pending {
  const completed = courses.flatMap(({ completes }) =>
    completes.map(({ key, name, votes: counted }) => {
      const votes = request.discussion.votes.flatMap((vote) => {
        const own = countedOf(vote, counted);
        return own.length > 0 ? [voteAs(request.discussion, vote, { counted: own, policies: [] })] : [];
      });
      return { key, name, at: now, votes };
    }),
  );
  const stages = [...new Map([...request.discussion.stages, ...completed].map((stage) => [stage.key, stage])).values()];
  const rulesNow = courses.map(({ rules }) => rules);
  const votes = votesOfUse({ ...request.discussion, stages }, rulesNow);
  const begun = courses.flatMap(({ rules, completes }) => (completes.length > 0 ? [rules.place] : []));
  const escalations = request.discussion.times.escalations.filter(({ rules }) => !begun.includes(rules));
  return {
    ...request,
    discussion: { ...request.discussion, votes, stages, times: { ...request.discussion.times, escalations } },
  };
}

/** Returns the votes, without those that are part of a complete stage by each of the rules. */
export function votesOfUse(request: Pick<Discussion, 'stages' | 'votes'>, policies: readonly PossibleRules[]): Vote[] {
  const used = policies.map((rules) => votesBefore(request, rules).map(({ by }) => by.id));
  return request.votes.filter(({ by }) => !used.every((ids) => ids.includes(by.id)));
}

/** Begins the next stage, with clocks of its own, and notifies the people who can decide it. */
function beginStage(rules: RequestRules<Pending>, now: Millis): Execution {
  const { execution, request, notify } = rules;
  const restarted = {
    ...request,
    discussion: { ...request.discussion, times: { ...request.discussion.times, rules: '', reminders: 0 } },
  };
  const next = findRulesAgain(rules, { execution, request: restarted, now });
  const begun = underRules(next);
  const mentions = notify === 'none' ? [] : mentionsFor({ ...next, request: begun });
  const { list } = request.discussion.directMessages;
  const directMessages: DirectMessages =
    notify === 'dm' ? { status: 'due', tries: 0, notBefore: now, list } : request.discussion.directMessages;
  return withAlert(
    execution,
    { ...begun, discussion: { ...begun.discussion, directMessages: directMessages } },
    { kind: 'stage', by: null, mentions },
    now,
  ).execution;
}

function complete(judged: Judged, now: Millis): Execution {
  const { request, policies, choice, voter, signIn, evaluation } = judged;
  const { own, courses, lapsed } = evaluation;
  const isFirst = request.discussion.votes.length === 0 && request.discussion.stages.length === 0;
  const votes = choice.verdict === 'approve' && !isFirst ? earlierVotes(judged) : request.discussion.votes;
  const others = isFirst ? [] : countingVotes({ ...request.discussion, votes }, policies, courses);
  const text = textForCrew(judged, others);
  const decision = decisionAs(own[0], request, { ...choice, answer: answerIn(choice), text, by: voter, signIn }, now);
  const events = withdrawnEvents(request.id, lapsed, now);
  return decideNow(
    { ...judged, request: { ...request, discussion: { ...request.discussion, votes } } },
    { decision, own, courses, events },
    now,
  );
}

/** Returns the text for the crew; null if it isn't told. `others` are the votes of others that count. */
function textForCrew({ choice, voter, request, policies }: Judged, others: readonly Vote[]): string | null {
  switch (choice.verdict) {
    case 'approve':
      if (choice.answer) return answerText(choice.answer);
      return crewText(others, { ...choice, by: voter, isEdited: request.question.edited !== null }, policies);
    case 'reject':
      return rejectionText(choice);
    case 'decline':
      return lastRejection(request.question, choice.feedback, settingsOf(policies));
  }
}

type Decided = Pick<Decision, 'verdict' | 'outcome' | 'answer' | 'feedback' | 'text'> & {
  by: Person;
  signIn: SignIn | null | undefined;
};

/** Returns the decision of a person whose verdict counts like this. */
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
    ...forWhom(request.discussion, counted),
    ...(signIn && { signIn }),
    ownTokenOnly: false,
  };
}

/** A complete decision, with what its entry in the ledger says. */
interface Completed {
  decision: Decision;
  /** The verdict that completed the decision, as each of the possible rules counts it. */
  own: Counted['own'];
  courses: readonly Course[];
  /** Entries of the ledger that come before the decision's. */
  events: readonly LedgerEvent[];
}

/** Stores a complete decision, which is sent once it can no longer be undone. A decline that the crew isn't told closes the request. */
export function decideNow(
  judged: RequestRules<Pending> & { facts: Facts },
  { decision, own, courses, events }: Completed,
  now: Millis,
): Execution {
  const { execution, request, policies } = judged;
  // An approval is complete in the last stage, whichever stage was open before.
  const { undoMs } = settingsOf(courses.length > 0 ? courses.map(({ rules }) => rules) : policies);
  const undoUntil = undoMs > 0 ? now + undoMs : null;
  const current = { ...request, discussion: { ...request.discussion, judging: null } };
  const decided: HumanRequest =
    decision.text === null && undoUntil === null
      ? { ...current, state: { ...current.state, status: 'declined', decision, declinedAt: now } }
      : {
          ...current,
          state: {
            ...current.state,
            status: 'decided',
            decision,
            attempts: [],
            ...UNTRIED,
            sendAt: now + undoMs,
            undoUntil,
          },
        };
  const facts = decidedFacts(judged, { decision, undoMs, own, courses });
  const after = withRunStatus(withRequest(execution, decided));
  // A decline of this or another request closes what waits in the run.
  const mayClose = decision.verdict === 'decline' || execution.requests.length > 1;
  const entered: LedgerEvent[] = [...events, { kind: 'decided', at: now, facts }];
  return entered.reduce(recordEvent, mayClose ? closeDeclined(after, now) : after);
}

/** Returns the votes of all stages that at least one of the possible rules counts, oldest first. */
export function countingVotes(
  { stages, votes }: Pick<Discussion, 'stages' | 'votes'>,
  policies: readonly PossibleRules[],
  courses: readonly Course[],
): Vote[] {
  const keys = policies.flatMap(({ stageKeys }) => stageKeys);
  const before = stages.filter(({ key }) => keys.includes(key)).flatMap((stage) => stage.votes);
  const counting = courses.flatMap(votesIn).map(({ personId }) => personId);
  const all = [...before, ...votes.filter(({ by }) => counting.includes(by.id))];
  return [...new Map(all.map((vote) => [vote.by.id, vote])).values()].toSorted((one, other) => one.at - other.at);
}

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
  return voteAs(request.discussion, vote, { counted: evaluation.own, policies });
}

/** Returns a vote as it counts: with the right that it uses and, under `all_of`, its rule and its seat. */
function voteAs(
  approval: Pick<Discussion, 'handedOver'>,
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
