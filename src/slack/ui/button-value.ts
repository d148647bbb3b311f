import type { BlockElementAction, ViewOutput } from '@slack/bolt';
import type { ActionsBlock, Button, Overflow, StaticSelect } from '@slack/types';
import { z } from 'zod';
import type { ActionId } from './action-ids.ts';
import { buttons, plain } from './blocks.ts';
import { OPTION_LIMIT } from './limits.ts';

/** Where a person is on their way through what waits for them, in one window. */
const inboxPlace = z.object({
  /** From 1, of all that they have been shown or will be. */
  place: z.number().int().min(1),
  of: z.number().int().min(1),
  /** How many they have skipped. */
  skipped: z.number().int().min(0),
  /** The short ids of what they have been shown. */
  seen: z.array(z.string()),
});
export type InboxPlace = z.infer<typeof inboxPlace>;

export const approvalKey = z.object({
  ref: z.string(),
  approvalId: z.string(),
  /** The hash of the text that was shown, which the request must be about; null in what older versions left behind. */
  hash: z.string().nullable().default(null),
  /** The person reads it in a window, which says what came of their decision. */
  isRead: z.literal(true).optional(),
  /** The place, from 0, of the outcome that was chosen, where the request offers some. */
  choice: z.number().int().min(0).optional(),
  /** The hash of the answer of others that is confirmed, where the request has fields. */
  confirms: z.string().optional(),
  /** When it took the place of another request, on which they may still have meant to click. */
  openedAt: z.number().optional(),
  inbox: inboxPlace.optional(),
});
/** The request for human input that a button or modal is about: a key to look it up, which proves nothing. */
export type ApprovalKey = z.infer<typeof approvalKey>;

export type ShownRequest = Omit<ApprovalKey, 'hash' | 'openedAt'> & { output: { hash: string } };

export function keyOf({ ref, approvalId, output, isRead, choice, inbox }: ShownRequest): ApprovalKey {
  return { ref, approvalId, hash: output.hash, isRead, choice, inbox };
}

/** The number of a page, counted from 0. */
export const pageNumber = z.number().int().min(0);

const reviewKey = approvalKey.extend({
  /** The request that asks about the text; none for any other text of a run. */
  approvalId: z.string().optional(),
  /** What the text is called where no request says it. */
  title: z.string().optional(),
  page: pageNumber.catch(0),
  isRevealed: z.literal(true).optional(),
});
/** A page of a stored text that is read in *Review*. Also what the buttons of older versions carry that opened a text. */
export type ReviewKey = z.infer<typeof reviewKey>;

/** Keeps a value well below the 2,000 characters of https://docs.slack.dev/reference/block-kit/block-elements/button-element */
export const TITLE_LIMIT = 150;

export function approvalValue({
  ref,
  approvalId,
  hash,
  isRead,
  choice,
  confirms,
  openedAt,
  inbox,
}: ApprovalKey): string {
  return JSON.stringify({ ref, approvalId, hash, isRead, choice, confirms, openedAt, inbox });
}

/** Null if we didn't write the value. */
export function parseApprovalValue(value: string | undefined): ApprovalKey | null {
  return parse(approvalKey, value);
}

const anyKey = z.object({ ref: z.string() });

/** The execution that a button of any kind is about; null if there is none. */
export function parseRef(value: string): string | null {
  return parse(anyKey, value)?.ref ?? (/^[\w-]+$/.test(value) ? value : null);
}

const id = z.string().regex(/^[\w-]{1,100}$/);
const anyKeys = z.object({ ref: id, approvalId: id.optional() });

/** The ids in a button's value or a view's metadata of any kind, and nothing else of it. */
export function keysIn(value: string): { ref?: string; approvalId?: string | undefined } {
  return parse(anyKeys, value) ?? {};
}

/** The content of a button's value or a view's metadata; null if we didn't write it, or an older version wrote less. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: string | undefined): z.infer<Schema> | null {
  try {
    return schema.safeParse(JSON.parse(value ?? '')).data ?? null;
  } catch {
    return null;
  }
}

/** How a button's value or a view's metadata is written, and read again by `parse`. */
export function codec<Value>(schema: z.ZodType<Value>) {
  return {
    /** Leaves out what the schema doesn't have. */
    write: (value: Value): string => JSON.stringify(schema.parse(value)),
    read: (text: string | undefined): Value | null => parse(schema, text),
  };
}

export const reviewValue = codec(reviewKey);

/** The part of a submitted view's `state.values` that we read, by block id and action id. */
export type FormValues = Record<string, Record<string, FormValue>>;

interface FormValue {
  type: string;
  value?: string | null;
  selected_date?: string | null;
  selected_user?: string | null;
  selected_conversation?: string | null;
  selected_option?: { value?: string } | null;
  selected_options?: readonly { value?: string }[] | null;
}

/** The only element of a block; null if the form has no such block. */
export function elementIn(values: FormValues, blockId: string): FormValue | null {
  const block = Object.hasOwn(values, blockId) ? values[blockId] : undefined;
  return Object.values(block ?? {})[0] ?? null;
}

/** The value of a block's element as text, whatever its kind; empty if nothing was entered. */
export function typedText(values: FormValues, blockId: string): string {
  const element = elementIn(values, blockId);
  const picked = element?.selected_date ?? element?.selected_user;
  return element?.value ?? picked ?? element?.selected_conversation ?? element?.selected_option?.value ?? '';
}

export function tickedIn(values: FormValues, blockId: string): string[] {
  return (elementIn(values, blockId)?.selected_options ?? []).flatMap(({ value }) => value ?? []);
}

/** The `action_id` of a menu. What is chosen in it counts as a click on the button that it stands for. */
const MENU = 'more';

/** Options are too short for the hash of a text, which the block of the menu carries, above the text or at its end. */
const BLOCK = /^text:([^:]+)/;

interface Entry {
  label: string;
  actionId: ActionId;
}

interface Choices {
  place?: 'above' | 'end';
  inRow: readonly (Button | StaticSelect | null)[];
  /** At most five. https://docs.slack.dev/reference/block-kit/block-elements/overflow-menu-element */
  inMenu: readonly (Entry | null)[];
}

export function choices(
  { ref, approvalId, hash }: ApprovalKey,
  { place = 'above', inRow, inMenu }: Choices,
): ActionsBlock[] {
  const rows = buttons(...inRow, menu(inMenu, `${ref} ${approvalId}`));
  return rows.map((row) => ({ ...row, block_id: `text:${hash}${place === 'end' ? ':end' : ''}` }));
}

/** The `action_id` of a list of outcomes, whose options are too short for the hash, too. */
const OUTCOMES = 'outcome' satisfies ActionId;

/** The outcomes of a request, where they are too many for buttons. https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element */
export function outcomeList(
  { ref, approvalId }: ApprovalKey,
  { placeholder, outcomes }: { placeholder: string; outcomes: readonly string[] },
): StaticSelect {
  const options = outcomes.map((outcome, choice) => ({
    text: plain(outcome, OPTION_LIMIT),
    value: `${OUTCOMES} ${ref} ${approvalId} ${choice}`,
  }));
  return { type: 'static_select', action_id: OUTCOMES, placeholder: plain(placeholder), options };
}

/** Each button that an entry stands for is about this: a ref, perhaps with the id of a request. */
export function menu(entries: Choices['inMenu'], about: string): Overflow {
  const options = entries
    .filter((entry) => entry !== null)
    .map(({ label, actionId }) => ({ text: plain(label, OPTION_LIMIT), value: `${actionId} ${about}` }));
  return { type: 'overflow', action_id: MENU, options };
}

/** The button that an entry of a menu stands for; null for any other click. In a modal it is about the text that the modal shows. */
export function buttonChosenIn(
  action: BlockElementAction,
  view: Pick<ViewOutput, 'private_metadata'> | undefined,
): { action_id: string; value: string } | null {
  const isList = action.action_id === MENU || action.action_id === OUTCOMES;
  const chosen = isList && 'selected_option' in action ? action.selected_option?.value : null;
  const [, actionId, ref, approvalId, choice] = /^(\w+) (\S+)(?: (\S+?))?(?: (\d+))?$/.exec(chosen ?? '') ?? [];
  if (!actionId || !ref) return null;
  if (!approvalId) return { action_id: actionId, value: ref };
  const hash = BLOCK.exec(action.block_id)?.[1] ?? null;
  const { isRead, inbox } = parseApprovalValue(view?.private_metadata) ?? {};
  const placed = choice === undefined ? {} : { choice: Number(choice) };
  return { action_id: actionId, value: approvalValue({ ref, approvalId, hash, isRead, inbox, ...placed }) };
}
