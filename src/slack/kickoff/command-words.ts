/** One word of a command line: `value`, or `name=value`. */
export interface Word {
  name: string | null;
  value: string;
}

// Slack and macOS turn typed quotes into typographic ones, which vary by language.
const DOUBLE = '"“”„‟«»';
const SINGLE = "'‘’‚‛";

/** The words of a line. A quote that isn't closed reaches to the end; `openQuote` is the text from there on. */
export function splitWords(text: string): { words: Word[]; openQuote: string | null } {
  const line = unescaped(text);
  const words: Word[] = [];
  let openQuote: string | null = null;
  let at = skipSpace(line, 0);
  while (at < line.length) {
    const next = readWord(line, at);
    if (!next.isClosed) openQuote = line.slice(at, at + 40);
    words.push(next.word);
    at = skipSpace(line, next.end);
  }
  return { words, openQuote };
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
  end: number;
  isClosed: boolean;
}

function readWord(line: string, at: number): Read & { word: Word } {
  const [found, name] = /^([^\s="'“”„‟«»‘’‚‛]+)=/u.exec(line.slice(at, at + 300)) ?? [];
  const { value, ...read } = readValue(line, at + (found?.length ?? 0));
  return { word: { name: name ?? null, value }, ...read };
}

/** Only a quote at the beginning of a value counts, so that `topic=it’s` needs no quotes. */
function readValue(line: string, at: number): Read & { value: string } {
  const opening = line.charAt(at);
  if (opening !== '' && DOUBLE.includes(opening)) return readQuoted(line, at + 1, DOUBLE);
  if (opening !== '' && SINGLE.includes(opening)) return readQuoted(line, at + 1, SINGLE);
  let end = at;
  while (!isSpace(line.charAt(end))) end++;
  return { value: line.slice(at, end), end, isClosed: true };
}

/** Only a quote at the end of a word closes, so that `'it's fine'` is one value. A backslash escapes a quote or itself. */
function readQuoted(line: string, from: number, quotes: string): Read & { value: string } {
  let value = '';
  for (let at = from; at < line.length; at++) {
    const char = line.charAt(at);
    const next = line.charAt(at + 1);
    if (char === '\\' && next !== '' && (next === '\\' || quotes.includes(next))) {
      value += next;
      at++;
    } else if (quotes.includes(char) && isSpace(next)) return { value, end: at + 1, isClosed: true };
    else value += char;
  }
  return { value, end: line.length, isClosed: false };
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
