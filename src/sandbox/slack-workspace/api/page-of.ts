import type { JsonObject } from '../json.ts';
import { ApiError } from './api-error.ts';
import { numberArg, textArg } from './arguments.ts';

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
