import { cleanText, oneLine } from '../text.ts';
import type { Person, Vote } from './approval.ts';
import type { Policy } from './policy/policy.ts';

/**
 * Exactly what the crew receives with an approval: the one note as it is, or where several people have to approve, the notes of
 * all in the order of their votes. Each of those is quoted line by line under a line with its author, whom no line of a note
 * can name then.
 */
export function crewText(
  votes: readonly Vote[],
  own: { by: Person; feedback: string | null; text: string },
  { quorum }: Pick<Policy, 'quorum'>,
): string {
  if (quorum === 1 && votes.length === 0) return own.text;
  const notes = [...votes, own].flatMap(({ by, feedback }) => (feedback?.trim() ? [quoted(feedback, by)] : []));
  return notes.length === 0 ? own.text : notes.join('\n\n');
}

/** With the id, since people choose their names, and two may have the same. */
function quoted(note: string, { id, name }: Person): string {
  const lines = cleanText(note).split('\n');
  const author = oneLine(name).replace(/^[>\s]+/, '');
  return [`${author} (${id}):`, ...lines.map((line) => `> ${line}`.trimEnd())].join('\n');
}
