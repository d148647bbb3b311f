// Answers to a question that isn't yes or no.
import { canonicalJson, sha256, type TextFacts } from '../ledger/entry.ts';
import type { Answer, InputField } from '../values/input-field.ts';
import { allVotes, type Discussion } from './request.ts';

/** Returns the text of an answer that is sent, and whose hash the ledger has. */
export function answerText(answer: Answer): string {
  return canonicalJson(answer);
}

export function answerFacts(answer: Answer): TextFacts {
  const text = answerText(answer);
  return { sha256: sha256(text), length: text.length };
}

export function isSameAnswer(one: Answer | undefined, other: Answer | undefined): boolean {
  return (one && answerText(one)) === (other && answerText(other));
}

/** Returns true if an answer has exactly the fields of a question. Field values are validated in the modal. */
export function answers(answer: Answer, fields: readonly InputField[]): boolean {
  const names = fields.map(({ name }) => name);
  const isComplete = fields.every(({ name, isOptional }) => isOptional || Object.hasOwn(answer, name));
  return isComplete && Object.keys(answer).every((name) => names.includes(name));
}

/** Returns the vote whose answer others are asked to confirm; undefined if nobody has answered yet. */
export function answeredVote({ stages = [], votes }: Pick<Discussion, 'votes'> & Partial<Pick<Discussion, 'stages'>>) {
  return allVotes({ stages, votes }).find((vote) => vote.answer !== undefined);
}

/** Returns the answer of this hash that people have given; undefined if no vote has it any more. */
export function answerGiven(request: Pick<Discussion, 'votes' | 'stages'>, hash: string): Answer | undefined {
  const allAnswers = allVotes(request).map(({ answer }) => answer);
  return allAnswers.find((answer) => answer !== undefined && answerFacts(answer).sha256 === hash);
}
