// A choice is what a person enters when they decide. This file checks that it fits the request, and makes the text for the crew.

import type { PossibleRules } from '../policy/in-force.ts';
import { verdictUnder } from '../policy/outcomes.ts';
import { approvalsNeeded, type Policy } from '../policy/policy.ts';
import { votesBefore } from '../policy/progress.ts';
import type { Refusal } from '../policy/refusal.ts';
import type { RequestRules } from '../policy/rules.ts';
import { answers, isSameAnswer } from '../state/answer.ts';
import type { Output, Person, Question, Vote } from '../state/request.ts';
import type { Answer } from '../values/input-field.ts';
import { cleanText, oneLine } from '../values/text.ts';
import { EDITS_TEXT } from './edits.ts';

/** A verdict before it is bound to a person and an instant. */
export type Choice = {
  /** Left out where the request offers no outcomes. */
  outcome?: string | undefined;
} & (
  | {
      verdict: 'approve';
      /** The values of the request's fields; left out where it has none. */
      answer?: Answer | undefined;
      feedback: string | null;
      /** The text that the crew receives unless others have something to add. */
      text: string;
      /** The text that the person approves in place of the one that they were shown. */
      edited?: Output | undefined;
    }
  | { verdict: 'reject' | 'decline'; feedback: string | null }
);

export function isSameBallot(vote: Pick<Vote, 'feedback' | 'outcome' | 'answer'>, choice: Choice): boolean {
  const isSame = vote.feedback === choice.feedback && vote.outcome === choice.outcome;
  return isSame && isSameAnswer(vote.answer, answerIn(choice));
}

export function answerIn(choice: Choice): Answer | undefined {
  return choice.verdict === 'approve' ? choice.answer : undefined;
}

/** Returns why a choice doesn't answer the request, or adds nothing to the approvals of others. A decline needs no outcome. */
export function reasonNotOffered(
  choice: Choice,
  by: Person,
  { request, policies }: Pick<RequestRules, 'request' | 'policies'>,
): Refusal | null {
  const { verdict, outcome } = choice;
  if (verdict === 'decline') return null;
  const answer = answerIn(choice);
  const isPlain = outcome === undefined && answer === undefined;
  if (isPlain && request.question.outcomes === null && request.question.fields === null) return null;
  const isAnswered =
    request.question.fields === null ? answer === undefined : answer && answers(answer, request.question.fields);
  if (verdict === 'approve' && !isAnswered) return { kind: 'answer-needed' };
  if (!isOffered(request.question, { verdict, outcome }, policies)) return { kind: 'outcome-needed' };
  if (verdict === 'reject') return null;
  const before = policies.flatMap((rules) => votesBefore(request.discussion, rules));
  const others = [...before, ...request.discussion.votes.filter((vote) => vote.by.id !== by.id)];
  // Under other possible rules, others may have approved different things.
  if (others.some((vote) => !isSameAnswer(vote.answer, answer))) return { kind: 'other-answer' };
  const other = others.find((vote) => vote.outcome !== outcome);
  return other ? { kind: 'other-outcome', outcome: other.outcome ?? '' } : null;
}

function isOffered(
  { outcomes }: Pick<Question, 'outcomes'>,
  { verdict, outcome }: Pick<Choice, 'verdict' | 'outcome'>,
  policies: readonly PossibleRules[],
): boolean {
  if (outcome === undefined) return outcomes === null || (verdict === 'reject' && outcomes.length === 1);
  return outcomes?.includes(outcome) === true && verdictUnder(outcome, policies) === verdict;
}

/** Returns why a verdict needs a comment, or takes none. Edits count as a comment. A decline takes a reason unless rejections take none. */
export function reasonForComment(choice: Choice, { comment }: Pick<Policy, 'comment'>): Refusal | null {
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

/**
 * Returns exactly what the crew receives with an approval. One approver's note goes as it is. Where several people have to approve,
 * their notes follow in the order of the votes, each quoted line by line under a line with its author, so that no note can pretend to
 * have another author. An outcome comes first, since flows read it from the beginning. With an edited text, this ends by saying so,
 * and the edited text follows.
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
  const comments = isAlone ? own.feedback : notes.join('\n\n');
  if (outcome !== undefined) return withOutcome(outcome, comments);
  return isAlone || notes.length === 0 ? own.text : notes.join('\n\n');
}

/** Returns what the crew receives with a rejection. */
export function rejectionText({ outcome, feedback }: Pick<Choice, 'outcome' | 'feedback'>): string {
  if (outcome !== undefined) return withOutcome(outcome, feedback);
  return feedback?.trim() ? feedback : 'Rejected. Please revise it.';
}

function withOutcome(outcome: string, feedback: string | null): string {
  return feedback?.trim() ? `${outcome}\n\n${feedback}` : outcome;
}

/** Includes the id, since people choose their names, and two may have the same. */
function quoted(note: string, { id, name }: Person): string {
  const lines = cleanText(note).split('\n');
  const author = oneLine(name).replace(/^[>\s]+/, '');
  return [`${author} (${id}):`, ...lines.map((line) => `> ${line}`.trimEnd())].join('\n');
}
