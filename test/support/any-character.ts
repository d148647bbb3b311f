import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;
const LAST = 0x10ffff;

/**
 * Any code point but half of a surrogate pair. The unit 'binary' of fast-check is the same, but keeps a table of all of
 * them in each process: a second of CPU time and 110 MB.
 */
export const anyCharacter = fc.integer({ min: 0, max: LAST - SURROGATES }).map(
  (n) => String.fromCodePoint(n < FIRST_SURROGATE ? n : n + SURROGATES),
  (character) => {
    const [codePoint, ...more] = Array.from(String(character), (each) => each.codePointAt(0) ?? 0);
    // fast-check asks this for any value, to find out which ones it could have made.
    if (codePoint === undefined || more.length > 0) throw new Error('not one character');
    return codePoint < FIRST_SURROGATE ? codePoint : codePoint - SURROGATES;
  },
);
