const MARK = '\n\n---\n*Could not follow:* ';

/** The draft, saying below it which instructions could not be followed. */
export function withRemark(draft: string, notFollowed: readonly string[]): string {
  if (notFollowed.length === 0) return draft;
  return `${draft}${MARK}${notFollowed.map((one) => `“${one.replace(/\s+/g, ' ').slice(0, 200)}”`).join(', ')}`;
}

/** The draft alone. */
export function withoutRemark(draft: string): string {
  const at = draft.lastIndexOf(MARK);
  return at < 0 ? draft : draft.slice(0, at);
}
