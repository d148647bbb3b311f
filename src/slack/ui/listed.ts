import type { Say } from '../language/say.ts';

const MOST_WORDS = 12;
const MOST_LENGTH = 600;

/** Words on one line: `A`, `A and B`, `A, B and C`, `A, B and 48 more`. They are escaped already. */
export function listed(words: readonly string[], say: Say): string {
  const shown = fitting(words);
  const more = words.length - shown.length;
  return say.list(more > 0 ? [...shown, say('list.more', { count: more })] : shown);
}

function fitting(words: readonly string[]): string[] {
  let length = 0;
  return words.slice(0, MOST_WORDS).filter((word, i) => {
    length += word.length + 2;
    return i === 0 || length <= MOST_LENGTH;
  });
}
