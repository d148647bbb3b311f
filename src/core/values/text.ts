// Text from outside, cleaned of what people can't see.

export const LINE_END = /\r\n?|[\n\u2028\u2029]/g;
/** Control characters other than line ends and tabs. */
const CONTROLS = /[^\P{Cc}\n\t]/gu;
/** Characters that reorder the text around them: https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters */
const DIRECTION_CONTROLS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;
/**
 * Characters that people can't see and models read: joiners, selectors and tags where they join, select or tag nothing, and those
 * that are always invisible. https://www.unicode.org/reports/tr36/#Recommendations_General
 */
const INVISIBLE = new RegExp(
  [
    '[\\u00AD\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180E\\u2060-\\u2064\\u206A-\\u206F\\u3164\\uFEFF\\uFFA0\\uFFF0-\\uFFFB]',
    '[\\u{1BCA0}-\\u{1BCA3}\\u{1D173}-\\u{1D17A}]',
    // They separate words where these scripts have no spaces.
    '\\u200B(?<![\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}\\p{sc=Tibetan}]\\u200B)',
    '[\\u200C\\u200D](?<![^\\p{sc=Latin}\\p{sc=Cyrillic}\\p{sc=Greek}\\p{sc=Han}\\p{N}\\p{P}\\p{Z}\\p{Cc}\\p{Cf}].)',
    '[\\uFE00-\\uFE0F](?<![^\\p{sc=Latin}\\p{sc=Cyrillic}\\p{sc=Greek}\\p{Z}\\p{C}\\uFE00-\\uFE0F].)',
    '[\\u{E0100}-\\u{E01EF}](?<!\\p{sc=Han}.)',
    // The flags of parts of countries.
    '[\\u{E0000}-\\u{E007F}](?<!\\u{1F3F4}[\\u{E0020}-\\u{E007F}]{1,7})',
  ].join('|'),
  'gu',
);
/** Characters that nobody sees. */
export const UNSEEN = new RegExp(`${DIRECTION_CONTROLS.source}|${INVISIBLE.source}`, 'gu');
export const NOT_ASCII = /[^\0-\x7F]/;
const RIGHT_TO_LEFT = /\p{sc=Arabic}|\p{sc=Hebrew}|\p{sc=Syriac}|\p{sc=Thaana}|\p{sc=Nko}/u;

/** Returns well-formed text with `\n` for line ends, without control characters, direction controls and invisible characters. */
export function cleanText(text: string): string {
  const visible = text.toWellFormed().replace(LINE_END, '\n').replace(CONTROLS, '').replace(DIRECTION_CONTROLS, '');
  return NOT_ASCII.test(visible) ? visible.replace(INVISIBLE, '') : visible;
}

/** Returns the invisible characters of a text. Direction controls count only in a text that has nothing written from right to left. */
export function invisibleIn(text: string): string[] {
  if (!NOT_ASCII.test(text)) return [];
  const controls = isRightToLeft(text) ? [] : (text.match(DIRECTION_CONTROLS) ?? []);
  return [...controls, ...(text.replace(DIRECTION_CONTROLS, '').match(INVISIBLE) ?? [])];
}

/** Replaces each invisible character by a sign, and tag characters by the text that they spell. */
export function withSigns(text: string): string {
  const sign = (character: string) => {
    const code = character.codePointAt(0) ?? 0;
    const isTag = code >= 0xe0020 && code <= 0xe007e;
    return isTag
      ? `⟨${String.fromCodePoint(code - 0xe0000)}⟩`
      : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  };
  const marked = isRightToLeft(text) ? text : text.replace(DIRECTION_CONTROLS, sign);
  return marked.replace(INVISIBLE, sign).replaceAll('⟩⟨', '');
}

export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/** Returns clean text on one line, with single spaces. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(DIRECTION_CONTROLS, '')
    .replace(INVISIBLE, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** Replaces a text that is a mention of Slack's by `@name`. */
export function mentionName(text: string): string {
  return text.replace(/^<@[A-Z0-9]+\|([^<>]+)>$/, '@$1');
}

/**
 * Returns a short text that changes with the value, to tell whether a message still shows the state from which it was rendered. It is
 * not collision-resistant: cyrb53, 53 bits, https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js
 */
export function fingerprint(value: unknown): string {
  return hash53(JSON.stringify(value)).toString(36);
}

/** Returns a number in [0, 1), always the same for the same text: jitter without randomness. */
export function spread(text: string): number {
  return hash53(text) / 2 ** 53;
}

function hash53(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}
