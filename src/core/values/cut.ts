// Cutting texts between characters as people see them, and outside secrets.

import { outsideSecret } from './secrets.ts';

/** Returns at most the first `most` UTF-16 units of a text, and an ellipsis. */
export function shortened(text: string, most: number): string {
  return `${text.slice(0, cutEnd(text, most)).trimEnd()}…`;
}

/** Returns the last place up to `at` that splits neither a character nor a secret. Part of a secret lacks its shape and would be shown. */
export function cutEnd(text: string, at: number): number {
  return outsideSecret(text, characterEnd(text, at));
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Two of these are always two characters, and segmenting is slow. https://www.unicode.org/reports/tr29/#Grapheme_Cluster_Boundary_Rules */
const PRINTABLE_ASCII = /^[ -~]{2}$/;

function isBetweenAscii(text: string, at: number): boolean {
  return at > 0 && PRINTABLE_ASCII.test(text.slice(at - 1, at + 1));
}

/** The length of the text around a cut that is segmented. No honest character is longer. */
const LONGEST_CHARACTER = 64;

/**
 * Returns the last place up to `at` that splits no character as people see them, such as a flag or a family. A longer character is cut
 * at `at`, but never within a surrogate pair.
 */
export function characterEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  if (isBetweenAscii(text, at)) return at;
  const from = Math.max(0, at - LONGEST_CHARACTER);
  const around = characters.segment(text.slice(from, at + 2));
  const start = from + (around.containing(at - from)?.index ?? 0);
  if (start > from) return start;
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}
