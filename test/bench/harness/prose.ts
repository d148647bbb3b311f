/** Text that compresses about as well as English does: words of a made-up language, some far more frequent than others. */
export function prose(bytes: number, seed: number): string {
  const random = createRandom(seed);
  let text = '';
  while (text.length < bytes) text += `${sentence(random)}${random() < 0.15 ? '\n\n' : ' '}`;
  return text
    .slice(0, bytes - 1)
    .trimEnd()
    .padEnd(bytes - 1, '.')
    .concat('.');
}

function sentence(random: () => number): string {
  const words = Array.from({ length: 6 + Math.floor(random() * 14) }, () => WORDS[rank(random)] ?? '');
  const [first = ''] = words;
  return `${first.charAt(0).toUpperCase()}${words.join(' ').slice(1)}.`;
}

const VOCABULARY = 5_000;

/** The probability of a word is in inverse proportion to its rank. */
function rank(random: () => number): number {
  return Math.floor(VOCABULARY ** (random() ** 0.75)) - 1;
}

const SYLLABLES =
  'a be con de er for ga in ka li men no o pre ra so ti un ver wa est ing ly tion th um sh ck or pul dex'.split(' ');

const WORDS = makeWords();

function makeWords(): string[] {
  const random = createRandom(1);
  const syllable = () => SYLLABLES[Math.floor(random() * SYLLABLES.length)] ?? '';
  // Frequent words are short.
  return Array.from({ length: VOCABULARY }, (_, i) =>
    Array.from({ length: 1 + Math.floor(random() * Math.log10(10 + i)) }, syllable).join(''),
  );
}

/** Numbers from 0 to 1, always the same for a seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
