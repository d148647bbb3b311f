import { z } from 'zod';
import { cut } from './text/cut.ts';

/** The request for human input that a button or modal is about. A key to look it up, never an authority. */
export interface ApprovalKey {
  ref: string;
  approvalId: string;
}

/** A stored text that can be read whole, and what to call it. */
export interface TextKey {
  ref: string;
  hash: string;
  title: string;
  /** What became of the part that no pages hold: only requests for human input have a file in the thread. */
  rest: 'attached' | 'left-out';
}

const approvalKey = z.object({ ref: z.string(), approvalId: z.string() });
/** Buttons of older versions don't say what became of the rest. */
export const textKey = z.object({
  ref: z.string(),
  hash: z.string(),
  title: z.string(),
  rest: z.enum(['attached', 'left-out']).default('left-out'),
});

/** Keeps a value well below the 2,000 characters of https://docs.slack.dev/reference/block-kit/block-elements/button-element */
export const TITLE_LIMIT = 150;

export function approvalValue({ ref, approvalId }: ApprovalKey): string {
  return JSON.stringify({ ref, approvalId });
}

/** Null for a value that none of our buttons carries. */
export function parseApprovalValue(value: string | undefined): ApprovalKey | null {
  return parse(approvalKey, value);
}

export function textValue({ ref, hash, title, rest }: TextKey): string {
  return JSON.stringify({ ref, hash, title: cut(title, TITLE_LIMIT), rest });
}

export function parseTextValue(value: string | undefined): TextKey | null {
  return parse(textKey, value);
}

/** What a value or metadata of ours says; null where it is not ours, or of an older version that said less. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: string | undefined): z.infer<Schema> | null {
  try {
    return schema.safeParse(JSON.parse(value ?? '')).data ?? null;
  } catch {
    return null;
  }
}
