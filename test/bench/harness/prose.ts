/**
 * Text that compresses to a quarter, as reports of language models often do: words of a made-up language, each of which
 * is followed by one of two others. Always the same for a seed.
 */
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
  const length = 6 + Math.floor(random() * 14);
  let current = Math.floor(random() * FIRST_WORDS);
  let text = '';
  for (let i = 0; i < length; i++) {
    text += `${i > 0 ? ' ' : ''}${WORDS[current]}`;
    current = (current * 7 + 13 + Math.floor(random() ** 2 * SUCCESSORS) * 31) % WORDS.length;
  }
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

const FIRST_WORDS = 20;
const SUCCESSORS = 2;

const SYLLABLES = 'a be con de er for ga in ka li men no o pre ra so ti un ver wa est ing ly tion th um sh ck'.split(
  ' ',
);

const WORDS = makeWords(120);

function makeWords(count: number): string[] {
  const random = createRandom(1);
  const syllable = () => SYLLABLES[Math.floor(random() * SYLLABLES.length)] ?? '';
  return Array.from({ length: count }, () => Array.from({ length: 1 + Math.floor(random() * 3) }, syllable).join(''));
}

/** Numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
