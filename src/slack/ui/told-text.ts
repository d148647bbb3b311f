import type { Decision, Vote } from '../../core/approval/approval.ts';

/** What people have written of what the crew receives; null for an approval without notes. */
export function toldText({ verdict, feedback, text }: Decision, votes: readonly Vote[]): string | null {
  if (verdict === 'reject') return feedback?.trim() ? feedback : null;
  const notes = [feedback, ...votes.map((vote) => vote.feedback)];
  return notes.some((each) => each?.trim()) ? text : null;
}
