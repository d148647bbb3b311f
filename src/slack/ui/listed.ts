const MOST_WORDS = 12;
const MOST_LENGTH = 600;

/** Words on one line: `A`, `A and B`, `A, B and C`, `A, B and 48 more`. They are escaped already. */
export function listed(words: readonly string[]): string {
  const shown = fitting(words);
  const more = words.length - shown.length;
  const parts = more > 0 ? [...shown, `${more} more`] : shown;
  const [last = ''] = parts.slice(-1);
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}

function fitting(words: readonly string[]): string[] {
  let length = 0;
  return words.slice(0, MOST_WORDS).filter((word, i) => {
    length += word.length + 2;
    return i === 0 || length <= MOST_LENGTH;
  });
}
