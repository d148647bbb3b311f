import type { Change, Edit, Span } from './edit.ts';
import { wordEnd, wordStart } from './words.ts';

/** What is replaced is quoted in full up to this length. */
const QUOTED_IN_FULL = 150;
/** Of the words that it begins with, and of those that it ends with. */
const LEAST = 16;

/** A change as an edit. Of a long text that is replaced or deleted it has only the beginning and the end. */
export function shortEdit(text: string, { start, end, replace }: Change): Edit {
  const find = text.slice(start, end);
  const whole = { find, through: null, replace };
  if (find.length <= QUOTED_IN_FULL || replace.includes(find)) return whole;
  const head = beginning(text, { start, end });
  const through = head === null ? null : ending(text, { start: start + head.length, end });
  if (head === null || through === null || head.length + through.length > find.length / 2) return whole;
  return { find: head, through, replace };
}

/** As many words as the text has only once; null if it takes too many. */
function beginning(text: string, { start, end }: Span): string | null {
  const most = start + (end - start) / 2;
  for (let at = start; at < most; at = wordEnd(text, at)) {
    const head = text.slice(start, at);
    if (head.length >= LEAST && head.endsWith(head.trimEnd()) && isOnce(text, head)) return head;
  }
  return null;
}

function isOnce(text: string, words: string): boolean {
  const first = text.indexOf(words);
  return text.indexOf(words, first + 1) === -1;
}

/** As many words as come first at the end of the part; null if it takes too many. */
function ending(text: string, { start, end }: Span): string | null {
  for (let at = end; at > start; at = wordStart(text, at)) {
    const tail = text.slice(at, end);
    if (tail.length >= LEAST && tail.startsWith(tail.trimStart()) && text.indexOf(tail, start) === at) return tail;
  }
  return null;
}
