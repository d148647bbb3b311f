import { LINE_END, oneLine, shortened } from '../../core/text.ts';

/** Enough of any text to find the little that is shown of it. */
const LONGEST_READ = 20_000;

/**
 * Foreign text made safe to show in a sentence: one line without markup, cut after `most` UTF-16 units. An HTML page, as
 * proxies answer with, is reduced to its words.
 */
export function plainLine(text: string, most: number): string {
  return fitted(oneLine(withoutMarkup(text.slice(0, LONGEST_READ))), most);
}

/** The first `lines` lines that say something, cut after `most` UTF-16 units; markup stays. */
export function plainLines(text: string, { lines, most }: { lines: number; most: number }): string {
  const all = text.slice(0, LONGEST_READ).split(LINE_END).map(oneLine);
  const kept = all.filter((line) => line !== '').slice(0, lines);
  return fitted(kept.join('\n'), most);
}

function fitted(text: string, most: number): string {
  return text.length <= most ? text : shortened(text, most);
}

/** HTML elements; `<class 'int'>` in a Python error is none. */
const ELEMENT =
  /<\/?(!doctype|html|head|body|title|script|style|h[1-6]|center|div|p|pre|br|hr|table|ul|li|a|b|i|em|strong|span)\b[^<>]*>/i;

function withoutMarkup(text: string): string {
  if (!ELEMENT.test(text)) return text;
  return text
    .replace(/<(script|style|head)\b[\s\S]*?(<\/\1>|$)/gi, ' ')
    .replace(/<\/?[a-z!][^<>]*>/gi, ' ')
    .replace(/&nbsp;/g, ' ');
}
