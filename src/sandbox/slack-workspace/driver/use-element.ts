import { objectAt } from '../json.ts';
import type { ElementInput, PersonAction } from '../person-actions.ts';
import { findInput, findPressable, inputOf } from './find-element.ts';
import { surfaceOf, type Where } from './find-in-snapshot.ts';
import type { DriverQueries, WaitOptions } from './queries.ts';
import { textObject } from './visible-text.ts';

/** Performs an action as the driven person. Resolves to the `ts` of a message just sent. */
export type Perform = (action: PersonAction) => Promise<string | undefined>;

/** Presses the button with this label once it appears. */
export async function press(
  queries: DriverQueries,
  perform: Perform,
  wanted: { label: string; where: Where & WaitOptions & { confirm?: string } },
): Promise<void> {
  const { label, where } = wanted;
  const { held, place } = await queries.waitFor(
    `a button labelled “${label}”`,
    (seen) => {
      const surface = surfaceOf(seen, where);
      const found = surface && findPressable(surface.blocks, label);
      return found && { held: found, place: surface.place };
    },
    where,
  );
  const confirmLabel = textObject(objectAt(held.element, 'confirm')?.confirm);
  await perform({
    type: 'use',
    place,
    blockId: String(held.block.block_id),
    actionId: String(held.element.action_id),
    input: held.input,
    confirmed: where.confirm !== undefined && where.confirm === confirmLabel,
  });
}

/** Puts the words into the input with this label once it appears. */
export async function fillIn(
  queries: DriverQueries,
  perform: Perform,
  wanted: { label: string; words: string[]; where: Where & WaitOptions },
): Promise<void> {
  const { label, words, where } = wanted;
  const { held, place, seen } = await queries.waitFor(
    `an input labelled “${label}”`,
    (current) => {
      const surface = surfaceOf(current, where);
      const found = surface && findInput(surface.blocks, label);
      return found && { held: found, place: surface.place, seen: current };
    },
    where,
  );
  const blockId = String(held.block.block_id);
  const actionId = String(held.element.action_id);
  const input: ElementInput = inputOf(held.element, words, seen);
  const dispatches = held.block.type !== 'input' || held.block.dispatch_action === true;
  if (place.in === 'view' && !dispatches)
    await perform({ type: 'fill', viewId: place.viewId, inputs: { [blockId]: { [actionId]: input } } });
  else await perform({ type: 'use', place, blockId, actionId, input });
}
