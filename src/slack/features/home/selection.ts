// Which requests a person has selected in the Home tab.

import type { ActionsBlock, Button, Checkboxes } from '@slack/types';
import type { ActionId } from '../../ui/action-ids.ts';
import { plain } from '../../ui/blocks.ts';
import type { FormValues } from '../../ui/button-value.ts';
import { OPTION_LIMIT } from '../../ui/limits.ts';

const TICK = 'tick' satisfies ActionId;

/** A request with the text that was shown beside its tick. */
export interface TickedRequest {
  ref: string;
  approvalId: string;
  hash: string;
}

/**
 * Selects a request for *Approve selected…*, after other buttons for it. A tick outlives the view's updates only where its
 * block keeps its id: a request that is asked about another text is no longer ticked. The values of options are too short for
 * our keys.
 */
export function tickBlock(
  { ref, approvalId, hash }: TickedRequest,
  { label, others }: { label: string; others: readonly Button[] },
): ActionsBlock {
  const tick: Checkboxes = {
    type: 'checkboxes',
    action_id: TICK,
    options: [{ text: plain(label, OPTION_LIMIT), value: TICK }],
  };
  return { type: 'actions', block_id: `${TICK}:${ref}:${approvalId}:${hash}`, elements: [...others, tick] };
}

/** The requests that are ticked in a Home tab, in the order shown. What a person could have made up: it proves nothing. */
export function tickedIn(values: FormValues): TickedRequest[] {
  return Object.entries(values).flatMap(([blockId, elements]) => {
    const [, ref, approvalId, hash] = /^tick:([\w-]+):([\w-]+):([\w-]+)$/.exec(blockId) ?? [];
    const isTicked = elements[TICK]?.selected_options?.some(({ value }) => value === TICK) ?? false;
    return isTicked && ref && approvalId && hash ? [{ ref, approvalId, hash }] : [];
  });
}
