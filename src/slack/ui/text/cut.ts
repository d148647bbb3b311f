import { clean, oneLine } from './clean.ts';

/** Marks that belong to the character before them, and the joiner that glues two characters into one. */
const CONTINUES = /^(?:\p{M}|\u200D|\p{Emoji_Modifier})/u;
const LOOK_BACK = 32;

/** The greatest place up to `at` where the text can be cut without splitting a character. */
export function charEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  let end = at;
  while (end > 0 && at - end < LOOK_BACK && splits(text, end)) end--;
  return end;
}

function splits(text: string, at: number): boolean {
  if (isLow(text, at) && isHigh(text, at - 1)) return true;
  return text.charAt(at - 1) === '\u200D' || CONTINUES.test(text.slice(at, at + 2));
}

function isHigh(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Clean text of at most `most` UTF-16 units, with an ellipsis where something was left out. */
export function cut(text: string, most: number): string {
  const cleaned = clean(nearOf(text, most));
  return cleaned.length <= most && text.length <= farthest(most) ? cleaned : ended(cleaned, most);
}

/** One line of clean text of at most `most` UTF-16 units, with an ellipsis where something was left out. */
export function cutLine(text: string, most: number): string {
  const line = oneLine(nearOf(text, most));
  return line.length <= most && text.length <= farthest(most) ? line : oneLine(ended(line, most - 2));
}

/** Of a text of megabytes only the beginning is worth cleaning. */
function nearOf(text: string, most: number): string {
  return text.length <= farthest(most) ? text : text.slice(0, farthest(most));
}

function farthest(most: number): number {
  return most * 4 + 64;
}

function ended(text: string, most: number): string {
  return `${text.slice(0, charEnd(text, Math.max(0, most - 1))).trimEnd()}…`;
}
