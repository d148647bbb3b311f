import { commandWordIn } from '../../../core/policy/crew.ts';
import { closestName } from '../../../core/values/closest-name.ts';
import { ok, type Result, refuse } from '../../../core/values/result.ts';

// Parses the text after `/kickoff`, as people type it, into what `command.ts` does.

export type CommandLine =
  | { kind: 'form' }
  /** Asks how to use the command, or what a crew needs. */
  | { kind: 'help'; crew: string | null }
  | { kind: 'status' }
  /** Asks who decides the requests of a crew, or, if it is null, those that wait in the channel. */
  | { kind: 'who'; crew: string | null }
  /** Asks for figures, which are in the report and on the dashboard. */
  | { kind: 'stats' }
  /** Is about the person's own token of a crew; null if the crew was left out. */
  | { kind: 'connect' | 'disconnect'; crew: string | null }
  | StartLine;

/** A start, as far as the line is understood. If it has problems, a form explains them. */
export interface StartLine {
  kind: 'start';
  /** Null if the line names no existing crew. Then nothing starts before a person has chosen one. */
  crew: string | null;
  values: Record<string, string>;
  problems: LineProblem[];
}

export type LineProblem =
  | { kind: 'unknown-crew'; word: string; meant: string | null }
  | { kind: 'crew-missing' }
  | { kind: 'unknown-word'; word: string }
  | { kind: 'repeated-name'; name: string }
  | { kind: 'open-quote'; at: string };

export type CommandProblem =
  | { kind: 'unknown-crew'; word: string; meant: string | null }
  /** Doesn't repeat the typed text, because it may be a token. */
  | { kind: 'crew-only'; after: 'connect' | 'disconnect' };

/** Parses the text of a `/kickoff` command as Slack sends it. The crew's name may be left out if there is only one crew. */
export function parseCommandLine(text: string, crews: string[]): Result<CommandLine, CommandProblem> {
  const { words, openQuote } = splitWords(text);
  const [first, ...rest] = words;
  if (!first) return ok({ kind: 'form' });
  const other = subcommand(first, rest, crews);
  if (other) return openQuote === null ? other : withoutToken(other);
  const open: LineProblem[] = openQuote === null ? [] : [{ kind: 'open-quote', at: openQuote }];
  const start = readStart(first, rest, crews);
  return ok({ ...start, problems: [...open, ...start.problems] });
}

/** Refuses an unclosed quote after `connect`: it may hold a token, even if it reads like the name of a crew. */
function withoutToken(line: Result<CommandLine, CommandProblem>): Result<CommandLine, CommandProblem> {
  if (!line.ok || (line.value.kind !== 'connect' && line.value.kind !== 'disconnect')) return line;
  return refuse({ kind: 'crew-only', after: line.value.kind });
}

function subcommand(first: Word, rest: Word[], crews: string[]): Result<CommandLine, CommandProblem> | null {
  const word = first.name === null ? commandWordIn(plainWord(first.value)) : null;
  if (word === null) return null;
  if (word === 'connect' || word === 'disconnect') return readTokenCommand(word, rest, crews);
  if (rest.some(({ name }) => name !== null)) return null;
  switch (word) {
    case 'help':
      return ok({ kind: 'help', crew: crewIn(rest, crews) });
    case 'status':
      return ok({ kind: 'status' });
    case 'stats':
      return ok({ kind: 'stats' });
    case 'who':
      return readWho(rest, crews);
  }
}

/** Finds a crew in a sentence such as `who can decide research?`. */
function readWho(rest: Word[], crews: string[]): Result<CommandLine, CommandProblem> {
  const crew = crewIn(rest, crews);
  const [only, ...others] = rest;
  const word = only && withoutEndMarks(only);
  if (crew === null && word !== undefined && others.length === 0)
    return refuse({ kind: 'unknown-crew', word, meant: nearest(word, crews) });
  return ok({ kind: 'who', crew });
}

function withoutEndMarks({ value }: Word): string {
  return value.replace(/(?<![?!.])[?!.]+$/, '');
}

function crewIn(words: Word[], crews: string[]): string | null {
  return words.map((word) => findCrew(withoutEndMarks(word), crews)).find((crew) => crew !== undefined) ?? null;
}

/** Reads `connect` and `disconnect`. A crew that has left the crews file can still be disconnected. */
function readTokenCommand(
  kind: 'connect' | 'disconnect',
  [first, ...others]: Word[],
  crews: string[],
): Result<CommandLine, CommandProblem> {
  if (first === undefined) return ok({ kind, crew: null });
  const crew = findCrew(first.value, crews) ?? (kind === 'disconnect' ? first.value : undefined);
  return crew === undefined || first.name !== null || others.length > 0
    ? refuse({ kind: 'crew-only', after: kind })
    : ok({ kind, crew });
}

function readStart(first: Word, rest: Word[], crews: string[]): StartLine {
  if (first.name !== null) {
    const [only, ...others] = crews;
    const crew = others.length > 0 ? undefined : only;
    return readValues([first, ...rest], crew ?? null, crew === undefined ? [{ kind: 'crew-missing' }] : []);
  }
  const crew = findCrew(first.value, crews);
  if (crew !== undefined) return readValues(rest, crew, []);
  return readValues(rest, null, [{ kind: 'unknown-crew', word: first.value, meant: nearest(first.value, crews) }]);
}

function readValues(words: Word[], crew: string | null, before: LineProblem[]): StartLine {
  const values = new Map<string, string>();
  const problems = [...before];
  for (const { name, value } of words) {
    if (name === null) problems.push({ kind: 'unknown-word', word: value });
    else {
      if (values.has(name)) problems.push({ kind: 'repeated-name', name });
      values.set(name, value);
    }
  }
  return { kind: 'start', crew, values: Object.fromEntries(values), problems };
}

function findCrew(word: string, crews: string[]): string | undefined {
  const plain = plainWord(word).toLowerCase();
  return crews.find((name) => name === word) ?? crews.find((name) => plainWord(name).toLowerCase() === plain);
}

/** Returns the crew that was probably meant: one that begins alike, or has almost the same spelling. */
function nearest(word: string, crews: string[]): string | null {
  const start = plainWord(word).toLowerCase();
  const alike = crews.find((crew) => crew.toLowerCase().startsWith(start) || start.startsWith(crew.toLowerCase()));
  return (start === '' ? undefined : alike) ?? closestName(word, crews);
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Slack's marks of bold, italic, struck and code around a text. https://docs.slack.dev/messaging/formatting-message-text */
const FORMATTED = /^([*_~`])(.+)\1$/su;

/** Returns a word as people see it: without Slack's formatting and invisible characters. */
function plainWord(word: string): string {
  const text = word.replace(INVISIBLE, '').trim();
  const [, , inside] = FORMATTED.exec(text) ?? [];
  return inside === undefined ? text : plainWord(inside);
}

interface Word {
  name: string | null;
  value: string;
}

// Slack and macOS turn typed quotes into typographic ones, which vary by language.
const DOUBLE = '"“”„‟«»';
const SINGLE = "'‘’‚‛";

/** Splits a line into words. An unclosed quote reaches to the end; `openQuote` is the text from there on. */
function splitWords(text: string): { words: Word[]; openQuote: string | null } {
  const line = withoutFormatting(unescaped(text).trim());
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

/** Removes formatting of the whole line, unless only the first and the last word look formatted. */
function withoutFormatting(line: string): string {
  const [first = ''] = line.split(/\s/, 1);
  return FORMATTED.test(first) ? line : line.replace(FORMATTED, '$2');
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
  const [prefix = '', name] = /^([^\s="'“”„‟«»‘’‚‛]+)=/u.exec(line.slice(at, at + 300)) ?? [];
  const { value, ...read } = readValue(line, at + prefix.length);
  return { word: { name: name === undefined ? null : inputName(name), value: readable(value) }, ...read };
}

/** Removes the dashes of people who write inputs like options of a shell. macOS makes one dash of two. */
function inputName(typed: string): string {
  return plainWord(typed).replace(/^[-–—]+(?=.)/, '');
}

/** Reads a value. Only a quote at its beginning counts, so that `topic=it’s` needs no quotes. */
function readValue(line: string, at: number): Read & { value: string } {
  const opening = line.charAt(at);
  if (opening !== '' && DOUBLE.includes(opening)) return readQuoted(line, at + 1, DOUBLE);
  if (opening !== '' && SINGLE.includes(opening)) return readQuoted(line, at + 1, SINGLE);
  let end = at;
  while (!isSpace(line.charAt(end))) end++;
  return { value: line.slice(at, end), end, isClosed: true };
}

/** Reads to a closing quote at the end of a word, so that `'it's fine'` is one value. A backslash escapes a quote or itself. */
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
 * Returns what the person typed. Slack escapes `&`, `<` and `>`, and turns people, channels and addresses into links if the app asks for it.
 * https://docs.slack.dev/interactivity/implementing-slash-commands
 */
function unescaped(text: string): string {
  return text
    .replace(LINK, (_, target: string, label: string | undefined) => typedLink(target, label))
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
}

function typedLink(target: string, label = ''): string {
  if (target.startsWith('@')) return label === '' ? `<${target}>` : `<${target}|${label.replace(/^@/, '')}>`;
  if (/^[#!]/.test(target)) {
    if (label === '') return `<${target}>`;
    return `${target.startsWith('#') ? '#' : '@'}${label.replace(/^[@#]/, '')}`;
  }
  return label === '' ? target.replace(/^mailto:/, '') : label;
}

/**
 * Replaces mentions of people by their names. A value that is only a mention stays: where rules name that input, the name alone doesn't say
 * who decides.
 */
function readable(value: string): string {
  return /^<@[^<>]*>$/.test(value) ? value : value.replace(/<@[^<>|]*\|([^<>]*)>/g, '@$1');
}
