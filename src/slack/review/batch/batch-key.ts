import { z } from 'zod';
import type { TickedRequest } from '../../home/ticks.ts';
import { parse } from '../../ui/button-value.ts';

/** How many can be stored before Slack shows an error, and fit into one modal. */
export const MOST_AT_ONCE = 20;

/** The requests that a modal approves, short enough for its `private_metadata`. */
export function batchValue(keys: readonly TickedRequest[]): string {
  return JSON.stringify(keys.map(({ ref, approvalId, hash }) => [ref, approvalId, hash]));
}

const batchKeys = z.array(z.tuple([z.string(), z.string(), z.string()])).max(MOST_AT_ONCE);

/** Null if we didn't write the value. */
export function parseBatch(value: string): TickedRequest[] | null {
  return parse(batchKeys, value)?.map(([ref, approvalId, hash]) => ({ ref, approvalId, hash })) ?? null;
}
