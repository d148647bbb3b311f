import type { HeldElement } from '../block-kit/interactive.ts';
import { type JsonObject, objectAt } from '../json.ts';
import type { Snapshot } from '../people-api.ts';
import type { ElementInput, ElementPlace, PersonAction, ViewInputs } from '../person-actions.ts';
import { findCheckbox, findInput, findOn, findPressable, type Where } from './find-in-snapshot.ts';
import type { DriverQueries, WaitOptions } from './queries.ts';
import { textObject } from './visible-text.ts';

/** Performs an action as the driven person. Resolves to the `ts` of a message just sent. */
export type Perform = (action: PersonAction) => Promise<string | undefined>;

export async function press(
  queries: DriverQueries,
  perform: Perform,
  wanted: { label: string; where: Where & WaitOptions & { confirm?: string } },
): Promise<void> {
  const { label, where } = wanted;
  const { held, place } = await queries.waitFor(
    `a button labelled “${label}”`,
    (snapshot) => findOn(snapshot, where, (blocks) => findPressable(blocks, label)),
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

export async function putIn(
  queries: DriverQueries,
  perform: Perform,
  wanted: {
    label: string;
    where: Where & WaitOptions;
    inputFor(element: JsonObject, snapshot: Snapshot): ElementInput;
  },
): Promise<void> {
  const { label, where, inputFor } = wanted;
  const { held, place, seen } = await queries.waitFor(
    `an input labelled “${label}”`,
    (current) => {
      const place = findOn(current, where, (blocks) => findInput(blocks, label));
      return place && { ...place, seen: current };
    },
    where,
  );
  await put(perform, place, { ...held, input: inputFor(held.element, seen) });
}

/** Ticks or unticks the checkbox with this text once it appears. The others stay as they are. */
export async function tickOff(
  queries: DriverQueries,
  perform: Perform,
  wanted: { option: string; becomes: 'ticked' | 'unticked'; where: Where & WaitOptions },
): Promise<void> {
  const { option, becomes, where } = wanted;
  const { held, place, inputs } = await queries.waitFor(
    `a checkbox “${option}”`,
    (snapshot) => findOn(snapshot, where, (blocks) => findCheckbox(blocks, option)),
    where,
  );
  const others = optionsIn(inputs, held).filter((value) => value !== held.value);
  await put(perform, place, {
    ...held,
    input: { kind: 'options', values: becomes === 'ticked' ? [...others, held.value] : others },
  });
}

function optionsIn(inputs: ViewInputs, { block, element }: HeldElement): string[] {
  const input = inputs[String(block.block_id)]?.[String(element.action_id)];
  return input?.kind === 'options' ? input.values : [];
}

/** Tells the app at once where the element does, and else keeps the value until the modal is submitted. */
async function put(
  perform: Perform,
  place: ElementPlace,
  target: HeldElement & { input: ElementInput },
): Promise<void> {
  const { input } = target;
  const blockId = String(target.block.block_id);
  const actionId = String(target.element.action_id);
  const dispatches = target.block.type !== 'input' || target.block.dispatch_action === true;
  if (place.in === 'view' && !dispatches)
    await perform({ type: 'fill', viewId: place.viewId, inputs: { [blockId]: { [actionId]: input } } });
  else await perform({ type: 'use', place, blockId, actionId, input });
}
