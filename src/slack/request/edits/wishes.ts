// Reads what a sentence of feedback asks for word for word: `“May” instead of “April”`. Cards tick such points.
import type { Tick, Versions } from './edit.ts';

/** Words to take out, words to put in, or both. */
interface Wish {
  gone: string | null;
  there: string | null;
}

const QUOTED = '(?:“([^“”\\n]+)”|„([^„“”\\n]+)[“”]|"([^"\\n]+)"|«([^«»\\n]+)»|`([^`\\n]+)`)';
const QUOTES = 5;

const wishFor = (pattern: string, read: (words: readonly string[]) => Wish) => ({
  pattern: new RegExp(pattern.replaceAll('Q', QUOTED), 'giu'),
  read,
});

const swapped = ([gone = '', there = '']: readonly string[]): Wish => ({ gone, there });
const replaced = ([there = '', gone = '']: readonly string[]): Wish => ({ gone, there });
const removed = ([gone = '']: readonly string[]): Wish => ({ gone, there: null });

/** People write in any of our languages. Apart from `FILLERS`, a sentence must consist of matches. */
const WISHES = [
  wishFor('\\b(?:replace|change|ersetze|ändere) Q (?:with|by|to|into|durch|in|zu) Q', swapped),
  wishFor('Q (?:→|->|=>) Q', swapped),
  wishFor('Q,? (?:instead of|rather than|statt|anstatt|anstelle von) Q', replaced),
  wishFor('(?<![\\p{L}])(?:remove|delete|drop|entferne|lösche|streiche) Q', removed),
];

const FILLERS = new Set(
  'please and also then use write say put it as the word words bitte und auch dann nimm verwende schreib schreibe das die den wort wörter'.split(
    ' ',
  ),
);

/** Returns nothing if the point asks for anything else, too, or for the opposite. */
export function wishesIn(point: string): Wish[] {
  const rest = WISHES.reduce((text, { pattern }) => text.replace(pattern, ' '), point);
  const words = rest.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (!words.every((word) => FILLERS.has(word))) return [];
  return WISHES.flatMap(({ pattern, read }) => Array.from(point.matchAll(pattern), (match) => read(quotedIn(match))));
}

function quotedIn(match: readonly (string | undefined)[]): string[] {
  const groups = match.slice(1);
  return [groups.slice(0, QUOTES), groups.slice(QUOTES)].flatMap(
    (each) => each.find((words) => words !== undefined) ?? [],
  );
}

/** Returns true if all of the words have changed as they should, false if none have; null otherwise. */
export function tickOfWish({ gone, there }: Wish, { oldText, nextText }: Versions): Tick {
  const left = (text: string) => (gone === null ? 0 : countOf(there === null ? text : withoutWords(text, there), gone));
  const [goneBefore, goneAfter] = [left(oldText), left(nextText)];
  if (goneBefore === 0) return null;
  const added = there === null ? 0 : countOf(nextText, there) - countOf(oldText, there);
  if (goneAfter === 0) return there === null || added > 0 ? true : null;
  return goneAfter >= goneBefore && added <= 0 ? false : null;
}

function countOf(text: string, words: string): number {
  return text.match(wholeWords(words))?.length ?? 0;
}

function withoutWords(text: string, words: string): string {
  return text.replace(wholeWords(words), ' ');
}

/** Matches words that aren't a part of longer words. */
function wholeWords(words: string): RegExp {
  const escaped = words
    .trim()
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\s+/g, '\\s+');
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'gu');
}
