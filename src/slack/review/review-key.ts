import { z } from 'zod';
import { type ApprovalKey, approvalKey, parse } from '../ui/button-value.ts';

/** What a button carries that leads to a page of the text of a request, counted from 0. */
export function reviewPageValue(key: ApprovalKey, page: number): string {
  return JSON.stringify({ ...key, page });
}

const pageKey = approvalKey.extend({ page: z.number().int().min(0) });

/** Null if we didn't write the value. */
export function parseReviewPage(value: string): { key: ApprovalKey; page: number } | null {
  const found = parse(pageKey, value);
  if (!found) return null;
  const { page, ...key } = found;
  return { key, page };
}
