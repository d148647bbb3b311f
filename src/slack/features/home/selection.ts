// Which requests a person has selected in the Home tab.

import type { Checkboxes } from '@slack/types';
import { z } from 'zod';
import type { OpenRequest } from '../../../core/inbox/snapshot.ts';
import type { ActionId } from '../../ui/action-ids.ts';
import { plain } from '../../ui/blocks.ts';
import { type FormValues, parse } from '../../ui/button-value.ts';
import { checkbox } from '../../ui/inputs.ts';
import { OPTION_LIMIT } from '../../ui/limits.ts';

/** How many are approved together: they are stored before Slack shows an error, and fit into one modal. */
export const MOST_AT_ONCE = 20;

const TICK = 'tick' satisfies ActionId;

/** A request with the text that was shown beside its tick. */
export interface TickedRequest {
  ref: string;
  approvalId: string;
  hash: string;
}

export function requestKey({ run: { ref }, approvalId, output: { hash } }: OpenRequest): TickedRequest {
  return { ref, approvalId, hash };
}

/** What is selected on all pages, in the order in which it was. */
export interface Selection {
  ticked: readonly TickedRequest[];
  /**
   * Counts how often ticks were changed by anything but the person's own clicks on them: what people have chosen in a block outlives
   * an update, so that other ticks take other blocks.
   */
  drawn: number;
}

/** Selects a request for *Approve selected…*. The values of options are too short for our keys, which its block carries. */
export function tick(label: string, isTicked: boolean): Checkboxes {
  return checkbox(TICK, { text: plain(label, OPTION_LIMIT), value: TICK }, isTicked);
}

/** The block of a tick. Where a request asks about another text, it is another one, and not ticked. */
export function tickBlockId({ ref, approvalId, hash }: TickedRequest, drawn: number): string {
  return `${TICK}:${ref}:${approvalId}:${hash}:${drawn}`;
}

const TICK_BLOCK = /^tick:([\w-]+):([\w-]+):([\w-]+):(\d+)$/;

/** The requests that a view shows, as it was drawn for this selection. What a person could have made up: it proves nothing. */
function shownIn(values: FormValues, { drawn }: Selection): { key: TickedRequest; isTicked: boolean }[] {
  return Object.entries(values).flatMap(([blockId, elements]) => {
    const [, ref, approvalId, hash, count] = TICK_BLOCK.exec(blockId) ?? [];
    if (!ref || !approvalId || !hash || Number(count) !== drawn) return [];
    const isTicked = elements[TICK]?.selected_options?.some(({ value }) => value === TICK) ?? false;
    return [{ key: { ref, approvalId, hash }, isTicked }];
  });
}

/** As it is in a view; what that doesn't show stays as it was. Of more than can be approved together, the last are unticked. */
export function selectedIn(values: FormValues, selection: Selection): Selection {
  const shown = shownIn(values, selection);
  const stays = selection.ticked.filter((each) => shown.find(({ key }) => isSame(each)(key))?.isTicked ?? true);
  const added = shown.flatMap(({ key, isTicked }) => (isTicked && !stays.some(isSame(key)) ? [key] : []));
  return atMost([...stays, ...added], selection.drawn);
}

export function withAllIn(values: FormValues, selection: Selection): Selection {
  const stays = selectedIn(values, selection).ticked;
  const added = shownIn(values, selection).flatMap(({ key }) => (stays.some(isSame(key)) ? [] : [key]));
  return atMost([...stays, ...added], selection.drawn + 1);
}

export function nothingSelected({ drawn }: Selection): Selection {
  return { ticked: [], drawn: drawn + 1 };
}

function atMost(ticked: readonly TickedRequest[], drawn: number): Selection {
  const isTooMany = ticked.length > MOST_AT_ONCE;
  return { ticked: ticked.slice(0, MOST_AT_ONCE), drawn: isTooMany ? drawn + 1 : drawn };
}

export function isSame(one: TickedRequest): (other: TickedRequest) => boolean {
  return ({ ref, approvalId, hash }) => ref === one.ref && approvalId === one.approvalId && hash === one.hash;
}

/** Requests as a view carries them: its `private_metadata` holds this many beside what the person looks at. */
export const tickedRequests = z
  .array(z.tuple([z.string(), z.string(), z.string()]))
  .max(MOST_AT_ONCE)
  .transform((keys): readonly TickedRequest[] => keys.map(([ref, approvalId, hash]) => ({ ref, approvalId, hash })));

export function tuplesOf(ticked: readonly TickedRequest[]): [string, string, string][] {
  return ticked.map(({ ref, approvalId, hash }) => [ref, approvalId, hash]);
}

/** The requests that a modal approves, short enough for its `private_metadata`. */
export function batchValue(keys: readonly TickedRequest[]): string {
  return JSON.stringify(tuplesOf(keys));
}

/** Null if we didn't write the value. */
export function parseBatch(value: string): readonly TickedRequest[] | null {
  return parse(tickedRequests, value);
}
