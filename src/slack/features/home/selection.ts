// The requests that a person has selected in the Home tab, to approve them together.
import type { Checkboxes } from '@slack/types';
import { z } from 'zod';
import type { OpenRequest } from '../../../core/inbox/snapshot.ts';
import type { ActionId } from '../../ui/action-ids.ts';
import { plain } from '../../ui/blocks.ts';
import { type FormValues, parse } from '../../ui/button-value.ts';
import { checkbox } from '../../ui/inputs.ts';
import { OPTION_LIMIT } from '../../ui/limits.ts';

/** So many approvals can be stored before Slack shows an error, and fit into one modal. */
export const MOST_AT_ONCE = 20;

const TICK = 'tick' satisfies ActionId;

/** A request, and the hash of the text beside its tick. */
export interface TickedRequest {
  ref: string;
  approvalId: string;
  hash: string;
}

export function requestKey({ run: { ref }, approvalId, output: { hash } }: OpenRequest): TickedRequest {
  return { ref, approvalId, hash };
}

/** The selection on all pages, in its order. */
export interface Selection {
  ticked: readonly TickedRequest[];
  /** Number of changes that the person didn't click. Each needs new blocks, because choices in a block outlive an update. */
  drawn: number;
}

/** Selects a request for *Approve selected…*. Values of options are too short for our keys, so the block carries the key. */
export function tick(label: string, isTicked: boolean): Checkboxes {
  return checkbox(TICK, { text: plain(label, OPTION_LIMIT), value: TICK }, isTicked);
}

/** Returns the block of a tick. If a request asks about another text, it is another block, which isn't ticked. */
export function tickBlockId({ ref, approvalId, hash }: TickedRequest, drawn: number): string {
  return `${TICK}:${ref}:${approvalId}:${hash}:${drawn}`;
}

const TICK_BLOCK = /^tick:([\w-]+):([\w-]+):([\w-]+):(\d+)$/;

/** Reads the requests that a view shows for this selection. A person could have made them up: they prove nothing. */
function shownIn(values: FormValues, { drawn }: Selection): { key: TickedRequest; isTicked: boolean }[] {
  return Object.entries(values).flatMap(([blockId, elements]) => {
    const [, ref, approvalId, hash, count] = TICK_BLOCK.exec(blockId) ?? [];
    if (!ref || !approvalId || !hash || Number(count) !== drawn) return [];
    const isTicked = elements[TICK]?.selected_options?.some(({ value }) => value === TICK) ?? false;
    return [{ key: { ref, approvalId, hash }, isTicked }];
  });
}

/** Reads the selection from a view. Requests that it doesn't show stay selected. If there are too many, the last are dropped. */
export function readSelection(values: FormValues, selection: Selection): Selection {
  const boxes = shownIn(values, selection);
  const stays = selection.ticked.filter((each) => boxes.find(({ key }) => isSame(each)(key))?.isTicked ?? true);
  const added = boxes.flatMap(({ key, isTicked }) => (isTicked && !stays.some(isSame(key)) ? [key] : []));
  return atMost([...stays, ...added], selection.drawn);
}

export function selectAllIn(values: FormValues, selection: Selection): Selection {
  const stays = readSelection(values, selection).ticked;
  const added = shownIn(values, selection).flatMap(({ key }) => (stays.some(isSame(key)) ? [] : [key]));
  return atMost([...stays, ...added], selection.drawn + 1);
}

export function clearSelection({ drawn }: Selection): Selection {
  return { ticked: [], drawn: drawn + 1 };
}

function atMost(ticked: readonly TickedRequest[], drawn: number): Selection {
  const isTooMany = ticked.length > MOST_AT_ONCE;
  return { ticked: ticked.slice(0, MOST_AT_ONCE), drawn: isTooMany ? drawn + 1 : drawn };
}

export function isSame(one: TickedRequest): (other: TickedRequest) => boolean {
  return ({ ref, approvalId, hash }) => ref === one.ref && approvalId === one.approvalId && hash === one.hash;
}

/** A view's `private_metadata` has room for so many requests beside its state. */
export const tickedRequests = z
  .array(z.tuple([z.string(), z.string(), z.string()]))
  .max(MOST_AT_ONCE)
  .transform((keys): readonly TickedRequest[] => keys.map(([ref, approvalId, hash]) => ({ ref, approvalId, hash })));

export function tuplesOf(ticked: readonly TickedRequest[]): [string, string, string][] {
  return ticked.map(({ ref, approvalId, hash }) => [ref, approvalId, hash]);
}

/** Writes the requests that a modal approves, short enough for its `private_metadata`. */
export function batchValue(keys: readonly TickedRequest[]): string {
  return JSON.stringify(tuplesOf(keys));
}

/** Reads the value of `batchValue`; null for any other text. */
export function parseBatch(value: string): readonly TickedRequest[] | null {
  return parse(tickedRequests, value);
}
