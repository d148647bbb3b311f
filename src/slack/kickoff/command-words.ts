import { ok, type Result, refuse } from '../../core/result.ts';

/** One word of a command line: `value`, or `name=value`. */
export interface Word {
  name: string | null;
  value: string;
}

// Slack and macOS turn typed quotes into typographic ones, which vary by language.
const DOUBLE = '"“”„‟«»';
const SINGLE = "'‘’‚‛";

/** The words of a line; the refusal is the text from a quote that isn't closed. */
export function splitWords(text: string): Result<Word[], string> {
  const line = unescaped(text);
  const words: Word[] = [];
  let at = skipSpace(line, 0);
  while (at < line.length) {
    const next = readWord(line, at);
    if (next === null) return refuse(line.slice(at, at + 40));
    words.push(next.word);
    at = skipSpace(line, next.end);
  }
  return ok(words);
}

function skipSpace(line: string, from: number): number {
  let at = from;
  while (at < line.length && isSpace(line.charAt(at))) at++;
  return at;
}

function isSpace(char: string): boolean {
  return char === '' || /\s/.test(char);
}

interface Read {
  word: Word;
  end: number;
}

function readWord(line: string, at: number): Read | null {
  const [found, name] = /^([^\s="'“”„‟«»‘’‚‛]+)=/u.exec(line.slice(at, at + 300)) ?? [];
  const value = readValue(line, at + (found?.length ?? 0));
  return value && { word: { name: name ?? null, value: value.value }, end: value.end };
}

/** Only a quote at the beginning of a value counts, so that `topic=it’s` needs no quotes. */
function readValue(line: string, at: number): { value: string; end: number } | null {
  const opening = line.charAt(at);
  if (opening !== '' && DOUBLE.includes(opening)) return readQuoted(line, at + 1, DOUBLE);
  if (opening !== '' && SINGLE.includes(opening)) return readQuoted(line, at + 1, SINGLE);
  let end = at;
  while (!isSpace(line.charAt(end))) end++;
  return { value: line.slice(at, end), end };
}

/** Only a quote at the end of a word closes, so that `'it's fine'` is one value. A backslash escapes a quote or itself. */
function readQuoted(line: string, from: number, quotes: string): { value: string; end: number } | null {
  let value = '';
  for (let at = from; at < line.length; at++) {
    const char = line.charAt(at);
    const next = line.charAt(at + 1);
    if (char === '\\' && next !== '' && (next === '\\' || quotes.includes(next))) {
      value += next;
      at++;
    } else if (quotes.includes(char) && isSpace(next)) return { value, end: at + 1 };
    else value += char;
  }
  return null;
}

const LINK = /<([^<>|]*)(?:\|([^<>]*))?>/g;

/**
 * What the person typed: Slack escapes `&`, `<` and `>`, and turns people, channels and addresses into links if the app
 * asks for it. https://docs.slack.dev/interactivity/implementing-slash-commands
 */
function unescaped(text: string): string {
  return text
    .replace(LINK, (_, target: string, label: string | undefined) => typedLink(target, label))
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
}

function typedLink(target: string, label: string | undefined): string {
  if (/^[@#!]/.test(target))
    return label === undefined || label === '' ? `<${target}>` : `${target.charAt(0)}${label.replace(/^[@#]/, '')}`;
  return label === undefined || label === '' ? target.replace(/^mailto:/, '') : label;
}
