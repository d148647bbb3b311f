/** Unsent text by channel and thread, kept while the page is open. */
const drafts = new Map<string, string>();

export function draftOf(key: string): string {
  return drafts.get(key) ?? '';
}

export function keepDraft(key: string, text: string): void {
  if (text === '') drafts.delete(key);
  else drafts.set(key, text);
}
