/** Without lone surrogates, which neither Slack nor UTF-8 can carry. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** At most `most` UTF-16 units, the cut marked and never within a character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${wellFormed(text.slice(0, most)).replace(/\uFFFD$/, '')}…`;
}

/**
 * Foreign text made safe to show in a sentence: one line, no markup, no control or direction characters, cut. An HTML page,
 * as proxies answer with, is reduced to its words.
 */
export function plainLine(text: string, most: number): string {
  return cutText(oneLine(withoutMarkup(wellFormed(text.slice(0, LONGEST_READ)))), most);
}

/** The same with its first `lines` lines kept apart. */
export function plainLines(text: string, { lines, most }: { lines: number; most: number }): string {
  const kept = wellFormed(text.slice(0, LONGEST_READ))
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(oneLine);
  return cutText(
    kept
      .filter((line) => line !== '')
      .slice(0, lines)
      .join('\n'),
    most,
  );
}

/** Characters that turn the direction of text around: https://www.unicode.org/reports/tr9/ */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Enough of any text to find the little that is shown of it. */
const LONGEST_READ = 20_000;

function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(DIRECTION, '')
    .trim();
}

/** Elements of HTML; `<class 'int'>` in an error of Python's is none. */
const ELEMENT =
  /<\/?(!doctype|html|head|body|title|script|style|h[1-6]|center|div|p|pre|br|hr|table|ul|li|a|b|i|em|strong|span)\b[^<>]*>/i;

function withoutMarkup(text: string): string {
  if (!ELEMENT.test(text)) return text;
  return text
    .replace(/<(script|style|head)\b[\s\S]*?(<\/\1>|$)/gi, ' ')
    .replace(/<\/?[a-z!][^<>]*>/gi, ' ')
    .replace(/&nbsp;/g, ' ');
}
