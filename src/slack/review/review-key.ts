import { z } from 'zod';
import { type ApprovalKey, parse } from '../ui/button-value.ts';

/** A request that is reviewed, bound to the text that is shown. */
type ReviewKey = Required<ApprovalKey> & { hash: string };

/** What a button carries that leads to a page of the text, counted from 0. */
export function reviewPageValue({ ref, approvalId, hash }: ReviewKey, page: number): string {
  return JSON.stringify({ ref, approvalId, hash, page });
}

const pageKey = z.object({
  ref: z.string(),
  approvalId: z.string(),
  hash: z.string(),
  page: z.number().int().min(0),
});

/** Null if we didn't write the value. */
export function parseReviewPage(value: string): { key: ReviewKey; page: number } | null {
  const found = parse(pageKey, value);
  if (!found) return null;
  const { page, ...key } = found;
  return { key, page };
}
