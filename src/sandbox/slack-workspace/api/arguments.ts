import { type Json, type JsonObject, parseJson } from '../json.ts';
import { ApiError, argumentError } from './api-error.ts';

// Arguments come as a form (all text) or as JSON (typed); these readers accept both.

export function textArg(args: JsonObject, name: string): string | undefined {
  const value = args[name];
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

export function requiredArg(args: JsonObject, name: string): string {
  const value = textArg(args, name);
  if (value === undefined || value === '') throw argumentError(`missing required field: ${name}`);
  return value;
}

export function flagArg(args: JsonObject, name: string): boolean {
  return ['true', '1'].includes(textArg(args, name) ?? '');
}

export function numberArg(args: JsonObject, name: string, fallback: number): number {
  const value = textArg(args, name);
  if (value === undefined) return fallback;
  const number = Number(value);
  if (!Number.isFinite(number)) throw argumentError(`must be a number: ${name}`);
  return number;
}

/**
 * A JSON argument: a value in a JSON body, text in a form; null is the same as none
 * (https://docs.slack.dev/apis/web-api#json-encoded-bodies). `refusal` is the error code for malformed text.
 */
export function jsonArg(args: JsonObject, name: string, refusal: string): Json | undefined {
  const value = args[name] ?? undefined;
  if (typeof value !== 'string') return value;
  if (value === '') return undefined;
  const parsed = parseJson(value);
  if (parsed === undefined) throw new ApiError(refusal);
  return parsed;
}
