const START = '*Could not follow:* ';
const END = '\n\n---\n\n';
const MOST_NAMED = 5;

/**
 * The draft, saying above it which instructions could not be followed: of a long draft people see the beginning, and who
 * asked for something looks for the answer there.
 */
export function withRemark(draft: string, notFollowed: readonly string[]): string {
  const each = [...new Set(notFollowed.map((one) => one.replace(/\s+/g, ' ').slice(0, 200)))];
  if (each.length === 0) return draft;
  const named = each.slice(0, MOST_NAMED).map((one) => `“${one}”`);
  const more = each.length > MOST_NAMED ? [`and ${each.length - MOST_NAMED} more`] : [];
  return `${START}${[...named, ...more].join(', ')}${END}${draft}`;
}

/** The draft alone. */
export function withoutRemark(draft: string): string {
  const end = draft.indexOf(END);
  return draft.startsWith(START) && end > 0 ? draft.slice(end + END.length) : draft;
}
