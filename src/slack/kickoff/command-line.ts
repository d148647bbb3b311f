import type { InputField } from '../../core/crew.ts';
import type { Inputs, Json } from '../../core/json.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import { splitWords, type Word } from './command-words.ts';
import { toInput } from './to-input.ts';

/** The text after `/kickoff`. */
export type CommandLine =
  | { kind: 'form' }
  | { kind: 'help' }
  | { kind: 'status' }
  /** Who decides: the requests of a crew, or, if it is null, those that wait in the channel. */
  | { kind: 'who'; crew: string | null }
  /** For the person's own token of a crew; null if the crew was left out. */
  | { kind: 'connect' | 'disconnect'; crew: string | null }
  | { kind: 'start'; crew: string; values: Record<string, string> };

/** Why a command line can't be used. */
export type CommandProblem =
  | { kind: 'unknown-crew'; to: 'start' | 'ask about'; word: string; meant: string | null }
  | { kind: 'crew-missing' }
  | { kind: 'unknown-word'; word: string }
  /** What was typed isn't repeated: it may be a token. */
  | { kind: 'crew-only'; after: 'connect' | 'disconnect' }
  | { kind: 'repeated-name'; name: string }
  | { kind: 'open-quote'; at: string }
  | { kind: 'unknown-inputs'; names: string[]; known: string[] }
  | { kind: 'bad-values'; values: { name: string; why: string }[] };

/** Parses the text of a `/kickoff` command as Slack sends it. The crew's name may be left out if there is only one crew. */
export function parseCommandLine(text: string, crews: string[]): Result<CommandLine, CommandProblem> {
  const words = splitWords(text);
  if (!words.ok) return refuse(openQuote(text, words.refusal));
  const [first, ...rest] = words.value;
  if (!first) return ok({ kind: 'form' });
  return subcommand(first, rest, crews) ?? readStart(first, rest, crews);
}

function openQuote(text: string, at: string): CommandProblem {
  if (/^\s*connect\b/i.test(text)) return { kind: 'crew-only', after: 'connect' };
  return /^\s*disconnect\b/i.test(text) ? { kind: 'crew-only', after: 'disconnect' } : { kind: 'open-quote', at };
}

/** `help`, `status`, `who` and the like, as people type them: `--help`, `Status?`, `help me`. A crew of that name wins if more words follow. */
function subcommand(first: Word, rest: Word[], crews: string[]): Result<CommandLine, CommandProblem> | null {
  const isCrew = rest.length > 0 && crews.some((name) => isAlike(name, first.value));
  if (first.name !== null || isCrew) return null;
  const word = first.value.toLowerCase().replace(/^[-/]+|(?<=\w)[?!.]+$/g, '');
  if (word === 'connect' || word === 'disconnect') return readTokenCommand(word, rest, crews);
  if (rest.some(({ name }) => name !== null)) return null;
  if (word === 'help' || word === '?' || first.value === '-h') return ok({ kind: 'help' });
  if (word === 'who') return readWho(rest, crews);
  return word === 'status' ? ok({ kind: 'status' }) : null;
}

/** People may ask it in a sentence, as in `who can decide research?`. */
function readWho(rest: Word[], crews: string[]): Result<CommandLine, CommandProblem> {
  const words = rest.map(({ value }) => value.replace(/[?!.]+$/, ''));
  const crew = words.map((word) => findCrew(word, crews)).find((found) => found !== undefined);
  const [only, ...others] = words;
  if (crew === undefined && only !== undefined && others.length === 0)
    return refuse({ kind: 'unknown-crew', to: 'ask about', word: only, meant: nearest(only, crews) });
  return ok({ kind: 'who', crew: crew ?? null });
}

/** A crew that has left the crews file can still be disconnected. */
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

function readStart(first: Word, rest: Word[], crews: string[]): Result<CommandLine, CommandProblem> {
  if (first.name !== null) {
    const [only, ...others] = crews;
    if (only === undefined || others.length > 0) return refuse({ kind: 'crew-missing' });
    return readValues(only, [first, ...rest]);
  }
  const crew = findCrew(first.value, crews);
  if (crew === undefined)
    return refuse({ kind: 'unknown-crew', to: 'start', word: first.value, meant: nearest(first.value, crews) });
  return readValues(crew, rest);
}

function readValues(crew: string, words: Word[]): Result<CommandLine, CommandProblem> {
  const values = new Map<string, string>();
  for (const { name, value } of words) {
    if (name === null) return refuse({ kind: 'unknown-word', word: value });
    if (values.has(name)) return refuse({ kind: 'repeated-name', name });
    values.set(name, value);
  }
  return ok({ kind: 'start', crew, values: Object.fromEntries(values) });
}

function findCrew(word: string, crews: string[]): string | undefined {
  return crews.find((name) => name === word) ?? crews.find((name) => isAlike(name, word));
}

function isAlike(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function nearest(word: string, crews: string[]): string | null {
  const start = word.toLowerCase();
  return crews.find((crew) => crew.toLowerCase().startsWith(start) || start.startsWith(crew.toLowerCase())) ?? null;
}

/** The inputs that a command line gives, defaults included, and the names that are still missing. */
interface GivenInputs {
  inputs: Inputs;
  missing: string[];
}

/** Matches typed values with the crew's fields. A missing value is no problem: the form asks for it. */
export function readGiven(values: Record<string, string>, fields: InputField[]): Result<GivenInputs, CommandProblem> {
  const known = fields.map(({ name }) => name);
  const unknown = Object.keys(values).filter((name) => !known.includes(name));
  if (unknown.length > 0) return refuse({ kind: 'unknown-inputs', names: unknown, known });
  const given = fields.filter(({ name }) => Object.hasOwn(values, name));
  const read = given.map((field) => ({ field, result: toInput(field, values[field.name] ?? '') }));
  const bad = read.flatMap(({ field, result }) => (result.ok ? [] : [{ name: field.name, why: result.refusal }]));
  if (bad.length > 0) return refuse({ kind: 'bad-values', values: bad });
  const typed = read.flatMap(({ field, result }): [string, Json][] => (result.ok ? [[field.name, result.value]] : []));
  const left = fields.filter(({ name }) => !Object.hasOwn(values, name));
  const byDefault = left.flatMap((field): [string, Json][] =>
    field.default === null ? [] : [[field.name, field.default]],
  );
  const inputs = [...typed, ...byDefault].sort(([one], [other]) => known.indexOf(one) - known.indexOf(other));
  return ok({
    inputs: Object.fromEntries(inputs),
    missing: left.filter((field) => field.default === null).map(({ name }) => name),
  });
}
