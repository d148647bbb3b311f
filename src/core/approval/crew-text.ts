import type { Person, Vote } from './approval.ts';
import type { Policy } from './policy/policy.ts';

/**
 * Exactly what the crew receives with an approval: the one note as it is, or where several people have to approve, the notes of
 * all in the order of their votes, each with the name of its author.
 */
export function crewText(
  votes: readonly Vote[],
  own: { by: Person; feedback: string | null; text: string },
  { quorum }: Pick<Policy, 'quorum'>,
): string {
  if (quorum === 1 && votes.length === 0) return own.text;
  const notes = [...votes, own].flatMap(({ by, feedback }) => (feedback?.trim() ? [`${by.name}: ${feedback}`] : []));
  return notes.length === 0 ? own.text : notes.join('\n\n');
}
