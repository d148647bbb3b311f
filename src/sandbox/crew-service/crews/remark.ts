import type { Instructions } from './instructions.ts';

const START = '*Not followed:* ';
const END = '\n\n---\n\n';
const MOST_NAMED = 5;

/**
 * The draft, saying above it what couldn't be followed and what can: of a long draft people see the beginning, and
 * that is where they look for an answer to their feedback.
 */
export function withRemark<Style>(
  draft: string,
  notFollowed: readonly string[],
  instructions: Instructions<Style>,
): string {
  if (notFollowed.length === 0) return draft;
  const named = notFollowed.slice(0, MOST_NAMED).map((sentence) => `“${sentence.slice(0, 200)}”`);
  const more = notFollowed.length > MOST_NAMED ? ` and ${notFollowed.length - MOST_NAMED} more` : '';
  const known = Object.keys(instructions).map((form) => `\`${form}\``);
  return `${START}${named.join(', ')}${more}.\nThis crew follows only: ${known.join(', ')}. Give each its own sentence, or join them with “and”.${END}${draft}`;
}

/** The draft alone. */
export function withoutRemark(draft: string): string {
  const end = draft.indexOf(END);
  return draft.startsWith(START) && end > 0 ? draft.slice(end + END.length) : draft;
}
