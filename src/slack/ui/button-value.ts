import type { BlockElementAction, ViewOutput } from '@slack/bolt';
import type { ActionsBlock, Button, Overflow, StaticSelect } from '@slack/types';
import { z } from 'zod';
import type { ActionId } from './action-ids.ts';
import { buttons, plain } from './blocks.ts';
import { OPTION_LIMIT } from './limits.ts';

// The values that buttons and modals carry: which request, text and place a click is about.

/** The place of a person on their way through waiting requests in one window. */
const inboxPlace = z.object({
  /** Counted from 1, among all requests that the person has seen or will see. */
  place: z.number().int().min(1),
  of: z.number().int().min(1),
  skipped: z.number().int().min(0),
  seen: z.array(z.string()),
});
export type InboxPlace = z.infer<typeof inboxPlace>;

export const requestKey = z.object({
  ref: z.string(),
  approvalId: z.string(),
  /** The hash of the text that was shown. The request must be about it. Null in buttons of older versions. */
  hash: z.string().nullable().default(null),
  /** Set if the person reads the text in a window, which then says what came of their decision. */
  isRead: z.literal(true).optional(),
  /** The chosen outcome, counted from 0, if the request offers some. */
  choice: z.number().int().min(0).optional(),
  /** The hash of other people's answer that this vote confirms, if the request has fields. */
  confirms: z.string().optional(),
  /** The time at which this request replaced another one, which the person may have meant to click. */
  openedAt: z.number().optional(),
  inbox: inboxPlace.optional(),
});
/** Identifies the request that a button or modal is about. It proves nothing. */
export type RequestKey = z.infer<typeof requestKey>;

export type ShownRequest = Omit<RequestKey, 'hash' | 'openedAt'> & { output: { hash: string } };

export function keyOf({ ref, approvalId, output, isRead, choice, inbox }: ShownRequest): RequestKey {
  return { ref, approvalId, hash: output.hash, isRead, choice, inbox };
}

export const pageNumber = z.number().int().min(0);

const reviewKey = requestKey.extend({
  /** Left out for a text of a run that no request asks about. */
  approvalId: z.string().optional(),
  title: z.string().optional(),
  page: pageNumber.catch(0),
  isRevealed: z.literal(true).optional(),
});
/** A page of a stored text in *Review*. Buttons of older versions that opened a text carry it, too. */
export type ReviewKey = z.infer<typeof reviewKey>;

/** Keeps a value well below 2,000 characters. https://docs.slack.dev/reference/block-kit/block-elements/button-element */
export const TITLE_LIMIT = 150;

export const { write: approvalValue, read: parseApprovalValue } = codec(requestKey);

const anyKey = z.object({ ref: z.string() });

/** Returns the ref in the value of any button; null if there is none. */
export function parseRef(value: string): string | null {
  return parse(anyKey, value)?.ref ?? (/^[\w-]+$/.test(value) ? value : null);
}

const id = z.string().regex(/^[\w-]{1,100}$/);
const anyKeys = z.object({ ref: id, approvalId: id.optional() });

/** Returns the ids in the value of any button or the metadata of any view, and nothing else. */
export function keysIn(value: string): { ref?: string; approvalId?: string | undefined } {
  return parse(anyKeys, value) ?? {};
}

/** Parses the value of a button or the metadata of a view. Null if we didn't write it, or an older version wrote less. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: string | undefined): z.infer<Schema> | null {
  try {
    return schema.safeParse(JSON.parse(value ?? '')).data ?? null;
  } catch {
    return null;
  }
}

/** Writes and reads the value of a button or the metadata of a view. */
export function codec<Value>(schema: z.ZodType<Value>) {
  return {
    /** Leaves out fields that the schema doesn't have. */
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

export function elementIn(values: FormValues, blockId: string): FormValue | null {
  const block = Object.hasOwn(values, blockId) ? values[blockId] : undefined;
  return Object.values(block ?? {})[0] ?? null;
}

/** Returns the value of a block's element as text; empty if nothing was entered. */
export function typedText(values: FormValues, blockId: string): string {
  const element = elementIn(values, blockId);
  const picked = element?.selected_date ?? element?.selected_user;
  return element?.value ?? picked ?? element?.selected_conversation ?? element?.selected_option?.value ?? '';
}

export function tickedIn(values: FormValues, blockId: string): string[] {
  return (elementIn(values, blockId)?.selected_options ?? []).flatMap(({ value }) => value ?? []);
}

/** The `action_id` of a menu. An option that is chosen in it counts as a click on a button. */
const MENU = 'more';

/** Options are too short for the hash of a text, so the id of the menu's block carries it. */
const BLOCK = /^text:([^:]+)/;

interface Entry {
  label: string;
  actionId: ActionId;
}

interface Choices {
  /** Tells apart the two rows that one view may have, above the text and at its end. */
  place?: 'above' | 'end';
  inRow: readonly (Button | StaticSelect | null)[];
  /** Slack takes five at most. https://docs.slack.dev/reference/block-kit/block-elements/overflow-menu-element */
  inMenu: readonly (Entry | null)[];
}

export function choices(
  { ref, approvalId, hash }: RequestKey,
  { place = 'above', inRow, inMenu }: Choices,
): ActionsBlock[] {
  const rows = buttons(...inRow, menu(inMenu, `${ref} ${approvalId}`));
  return rows.map((row) => ({ ...row, block_id: `text:${hash}${place === 'end' ? ':end' : ''}` }));
}

/** The `action_id` of a list of outcomes. Its options are too short for the hash, too. */
const OUTCOMES = 'outcome' satisfies ActionId;

/** Returns a list of the outcomes of a request, for more than fit as buttons. https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element */
export function outcomeList(
  { ref, approvalId }: RequestKey,
  { placeholder, outcomes }: { placeholder: string; outcomes: readonly string[] },
): StaticSelect {
  const options = outcomes.map((outcome, choice) => ({
    text: plain(outcome, OPTION_LIMIT),
    value: `${OUTCOMES} ${ref} ${approvalId} ${choice}`,
  }));
  return { type: 'static_select', action_id: OUTCOMES, placeholder: plain(placeholder), options };
}

/** Returns a menu. Each of its entries is about `about`: a ref, and perhaps the id of a request after a space. */
export function menu(entries: Choices['inMenu'], about: string): Overflow {
  const options = entries
    .filter((entry) => entry !== null)
    .map(({ label, actionId }) => ({ text: plain(label, OPTION_LIMIT), value: `${actionId} ${about}` }));
  return { type: 'overflow', action_id: MENU, options };
}

/** Returns the button that a chosen entry of a menu or list stands for; null for any other click. In a modal, it is about the text shown there. */
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
