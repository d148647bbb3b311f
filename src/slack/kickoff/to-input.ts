import type { InputField } from '../../core/crew.ts';
import type { Json } from '../../core/json.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import { cutLine } from '../ui/text/cut.ts';

const YES = new Set(['yes', 'y', 'true', 'on', '1']);
const NO = new Set(['no', 'n', 'false', 'off', '0']);

/** Typed text as the JSON that the crew expects; the refusal is a sentence for the person who typed it. */
export function toInput(field: InputField, typed: string): Result<Json, string> {
  switch (field.type) {
    case 'text':
    case 'long_text':
      return ok(typed);
    case 'number':
      return toNumber(typed);
    case 'yes_no':
      return toYesNo(typed);
    case 'choice':
      return toChoice(field.options, typed);
    case 'date':
      return isDate(typed.trim()) ? ok(typed.trim()) : refuse('Please give a date like 2026-12-31.');
    case 'json':
      return toJson(typed);
  }
}

function toNumber(typed: string): Result<Json, string> {
  const number = Number(typed.trim());
  if (typed.trim() === '' || !Number.isFinite(number)) return refuse('Please give a number like 12 or 3.5.');
  // JSON.stringify would send a different number.
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) return refuse('This number has too many digits to be sent exactly.');
  return ok(number);
}

function toYesNo(typed: string): Result<Json, string> {
  const word = typed.trim().toLowerCase();
  if (YES.has(word)) return ok(true);
  return NO.has(word) ? ok(false) : refuse('Please say yes or no.');
}

function toChoice(options: Json[], typed: string): Result<Json, string> {
  if (options.length === 0) return ok(typed);
  const wanted = typed.trim();
  const found =
    options.find((option) => asText(option) === wanted) ??
    options.find((option) => asText(option).toLowerCase() === wanted.toLowerCase());
  return found === undefined ? refuse(`Please choose one of ${someOf(options)}.`) : ok(found);
}

function someOf(options: Json[]): string {
  const shown = options.slice(0, 8).map((option) => cutLine(asText(option), 60));
  return shown.join(', ') + (options.length > shown.length ? ` and ${options.length - shown.length} more` : '');
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function toJson(typed: string): Result<Json, string> {
  try {
    const value: Json = JSON.parse(straightQuotes(typed));
    return ok(value);
  } catch {
    return refuse('This is not valid JSON. It looks like {"name": "value"}, ["a", "b"], 12, true or "text".');
  }
}

/** Slack and macOS turn typed quotes into typographic ones, which are kept if the text is valid JSON with them. */
function straightQuotes(typed: string): string {
  try {
    JSON.parse(typed);
    return typed;
  } catch {
    return typed.replace(/[“”„‟]/g, '"');
  }
}

/** Whether a text is an existing date like `2026-12-31`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
