// Reads the arguments of Web API calls. They come as a form (all text) or as JSON (typed); these readers accept both.

import { type Json, type JsonObject, parseJson } from '../json.ts';
import { ApiError, argumentError } from './api-error.ts';

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

/** https://docs.slack.dev/reference/methods/conversations.history */
const MOST = 999;

/** One page of a list, and the cursor of the next one ('' on the last page). https://docs.slack.dev/apis/web-api/pagination */
export function pageOf<T>(all: readonly T[], args: JsonObject, usual = 100): { page: T[]; nextCursor: string } {
  const limit = numberArg(args, 'limit', usual);
  const most = Math.max(usual, MOST);
  if (!Number.isInteger(limit) || limit < 1 || limit > most) throw new ApiError('invalid_limit');
  const cursor = textArg(args, 'cursor');
  const from = cursor ? positionOf(cursor) : 0;
  const to = from + limit;
  return { page: all.slice(from, to), nextCursor: to < all.length ? Buffer.from(`next:${to}`).toString('base64') : '' };
}

function positionOf(cursor: string): number {
  const match = /^next:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString());
  if (!match) throw new ApiError('invalid_cursor');
  return Number(match[1]);
}
