import { charEnd } from './cut.ts';

/** Where people would stop reading, best first. The match ends where the text may be cut. */
const ENDS = [/\n\s*\n/g, /\n/g, /[.!?…。！？]["”’)]?\s/g, /\s/g];
/** An entity that the cut would split. */
const OPEN_ENTITY = /&(?:#?\w{0,31})$/;

/**
 * Where to cut a text that is longer than `at`: after a paragraph, else a line, else a sentence, else a word, as long as
 * that keeps more than half; else at `at`, but never within a character or an entity.
 */
export function sensibleEnd(text: string, at: number): number {
  if (text.length <= at) return text.length;
  const head = text.slice(0, at);
  for (const end of ENDS) {
    const found = lastEnd(head, end);
    if (found > at / 2) return found;
  }
  const entity = OPEN_ENTITY.exec(head);
  return charEnd(text, entity && entity.index > 0 ? entity.index : at) || at;
}

function lastEnd(head: string, pattern: RegExp): number {
  let last = 0;
  for (const match of head.matchAll(pattern)) last = match.index + match[0].length;
  return last;
}
