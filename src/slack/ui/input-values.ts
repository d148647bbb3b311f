import type { InputField } from '../../core/values/input-field.ts';
import type { Inputs, Json } from '../../core/values/json.ts';
import { ok, type Result, refuse } from '../../core/values/result.ts';
import type { Say } from '../language/say.ts';
import { cutLine } from './text/escape.ts';

/** Parses typed text as the JSON that the crew expects. The refusal is a sentence for the person who typed it. */
export function parseInput(field: InputField, typed: string, say: Say): Result<Json, string> {
  switch (field.type) {
    case 'text':
    case 'long_text':
      return ok(typed);
    case 'number':
      return parseNumber(field, typed.trim(), say);
    case 'yes_no':
      return parseYesNo(typed, say);
    case 'choice':
      return parseChoice(field.options, typed, say);
    case 'date':
      return isDate(typed.trim()) ? ok(typed.trim()) : refuse(say('input.not-a-date'));
    case 'json':
      return parseJson(typed, say);
  }
}

function parseNumber({ min, max }: InputField, typed: string, say: Say): Result<Json, string> {
  const number = Number(typed);
  if (typed === '' || !Number.isFinite(number)) return refuse(say('input.not-a-number', { decimal: '3.5' }));
  // JSON.stringify would send a different number.
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER || !isExact(typed, number))
    return refuse(say('input.too-many-digits'));
  const value = cutLine(typed, 40);
  if (min !== null && number < min) return refuse(say('input.too-small', { value, min: String(min) }));
  if (max !== null && number > max) return refuse(say('input.too-large', { value, max: String(max) }));
  return ok(number);
}

/** Returns true if a number has all the digits that were typed. */
function isExact(typed: string, number: number): boolean {
  const [one, other] = [decimalOf(typed), decimalOf(String(number))];
  // A number in another base, such as `0x1f`, is a whole number.
  return one === null || other === null || (one.digits === other.digits && one.exponent === other.exponent);
}

/** Returns the digits of a decimal without zeros around them, and the exponent of ten; null if the text is no decimal. */
function decimalOf(text: string): { digits: string; exponent: number } | null {
  const [, whole = '', fraction = '', power = '0'] = /^[+-]?(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  if (whole + fraction === '') return null;
  const significant = (whole + fraction).replace(/^0+/, '');
  const digits = significant.replace(/0+$/, '');
  if (digits === '') return { digits: '0', exponent: 0 };
  return { digits, exponent: Number(power) - fraction.length + significant.length - digits.length };
}

const YES = new Set(['yes', 'y', 'true', 'on', '1', 'ja', 'j']);
const NO = new Set(['no', 'n', 'false', 'off', '0', 'nein']);

function parseYesNo(typed: string, say: Say): Result<Json, string> {
  const word = typed.trim().toLowerCase();
  if (YES.has(word)) return ok(true);
  return NO.has(word) ? ok(false) : refuse(say('input.not-yes-no'));
}

function parseChoice(options: Json[], typed: string, say: Say): Result<Json, string> {
  if (options.length === 0) return ok(typed);
  const text = typed.trim();
  const option =
    options.find((each) => asText(each) === text) ??
    options.find((each) => asText(each).toLowerCase() === text.toLowerCase());
  return option === undefined ? refuse(say('input.not-a-choice', { options: someOptions(options, say) })) : ok(option);
}

/** Lists at most eight options as plain text. */
export function someOptions(options: readonly Json[], say: Say): string {
  const items = options.slice(0, 8).map((option) => cutLine(asText(option), 60));
  const more = options.length - items.length;
  return more > 0 ? say.list([...items, say('list.more', { count: more })]) : items.join(', ');
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const JSON_EXAMPLES = '{"name": "value"}, ["a", "b"], 12, true, "text"';

function parseJson(typed: string, say: Say): Result<Json, string> {
  try {
    const value: Json = JSON.parse(straightQuotes(typed));
    return ok(value);
  } catch {
    return refuse(say('input.not-json', { examples: JSON_EXAMPLES }));
  }
}

/** Replaces typographic quotes, which Slack and macOS make of typed ones, unless the text is valid JSON with them. */
function straightQuotes(typed: string): string {
  try {
    JSON.parse(typed);
    return typed;
  } catch {
    return typed.replace(/[“”„‟]/g, '"');
  }
}

/** Returns true for an existing date like `2026-12-31`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

interface GivenInputs {
  /** Inputs in the crew's order, with defaults. */
  inputs: Inputs;
  missing: string[];
  wrong: Record<string, string>;
  unknown: string[];
}

/** Matches typed values with the crew's fields. A value that can't be used stays among the inputs as it was typed. */
export function matchInputs(values: Record<string, string>, fields: InputField[], say: Say): GivenInputs {
  const names = new Map(fields.map((field) => [field, typedName(field, { values, fields })]));
  const read = fields.map((field) => ({ field, ...readValue(field, values[names.get(field) ?? ''], say) }));
  const ownNames = new Set(names.values());
  return {
    inputs: Object.fromEntries(read.flatMap(({ field, value }) => (value === null ? [] : [[field.name, value.given]]))),
    missing: read.filter(({ value }) => value === null).map(({ field }) => field.name),
    wrong: Object.fromEntries(read.flatMap(({ field, why }) => (why === null ? [] : [[field.name, why]]))),
    unknown: Object.keys(values).filter((name) => !ownNames.has(name)),
  };
}

/** Finds the typed name of an input, perhaps with other capitals, unless those are the name of another input. */
function typedName(
  { name }: InputField,
  { values, fields }: { values: Record<string, string>; fields: readonly InputField[] },
): string | undefined {
  if (Object.hasOwn(values, name)) return name;
  const alike = Object.keys(values).filter((typed) => typed.toLowerCase() === name.toLowerCase());
  return alike.find((typed) => fields.every((field) => field.name !== typed));
}

function readValue(
  field: InputField,
  typed: string | undefined,
  say: Say,
): { value: { given: Json } | null; why: string | null } {
  if (typed === undefined) return { value: field.default === null ? null : { given: field.default }, why: null };
  const result = parseInput(field, typed, say);
  return { value: { given: result.ok ? result.value : typed }, why: result.ok ? null : result.refusal };
}
