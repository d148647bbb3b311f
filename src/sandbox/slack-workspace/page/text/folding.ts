/** Shown of a long text until the person asks for all of it. */
export const FOLDED_LINES = 5;

/** Shorter text fits into the folded lines even in a narrow thread, so that it needs no measuring. */
const MAX_SHORT_CHARACTERS = 120;

/** Returns true if a text may be taller than the part of a long one that is visible. */
export function mayBeLong(text: string): boolean {
  return text.length > MAX_SHORT_CHARACTERS || text.split('\n').length > FOLDED_LINES;
}

/**
 * Returns true if a text of this height is folded. Slack decides by the height, and doesn't say at which:
 * https://github.com/NousResearch/hermes-agent/issues/95565. The number of lines is that of its attachments, which “will
 * automatically collapse” with “5+ line breaks” (`MessageAttachment.text` in `@slack/types`). Half a line more is left
 * for what has margins of its own.
 */
export function isTall(heightPx: number, linePx: number): boolean {
  return heightPx > (FOLDED_LINES + 0.5) * linePx;
}
