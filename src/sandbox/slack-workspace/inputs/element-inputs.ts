// The values of elements: the initial ones, those that stay through an update, and how the app gets them.

import { optionsOf } from '../block-kit/composition.ts';
import { heldElements } from '../block-kit/interactive.ts';
import { compact, type Json, type JsonObject, objectAt, objectsAt, stringAt } from '../json.ts';
import type { ElementInput, ViewInputs } from '../person-actions.ts';
import type { StoredChannel } from '../state/workspace-state.ts';
import { inputKind, isStateful, takesMany } from './element-kind.ts';
import { isOffered } from './is-offered.ts';

/**
 * The values of the elements in `blocks`: kept from `before` where `block_id`, `action_id` and the kind are unchanged and
 * the options are still there, otherwise initial. https://docs.slack.dev/surfaces/modals#updating_views
 *
 * @param current the conversation that a modal was opened from
 */
export function inputsFor(blocks: readonly Json[], before: ViewInputs, current?: StoredChannel): ViewInputs {
  const inputs: ViewInputs = {};
  for (const { block, element } of heldElements(blocks)) {
    if (!isStateful(element)) continue;
    const blockId = String(block.block_id);
    const actionId = String(element.action_id);
    const earlier = before[blockId]?.[actionId];
    const input =
      earlier && earlier.kind === inputKind(element) ? stillOffered(element, earlier) : initialInput(element, current);
    if (input) inputs[blockId] = { ...inputs[blockId], [actionId]: input };
  }
  return inputs;
}

function stillOffered(element: JsonObject, earlier: ElementInput): ElementInput {
  if (earlier.kind !== 'options') return earlier;
  const offered = optionsOf(element).map((option) => stringAt(option, 'value') ?? '');
  return { kind: 'options', values: earlier.values.filter((value) => offered.includes(value)) };
}

/** An element's initial value. */
function initialInput(element: JsonObject, current: StoredChannel | undefined): ElementInput | undefined {
  switch (inputKind(element)) {
    case 'text':
      return { kind: 'text', value: stringAt(element, 'initial_value') ?? '' };
    case 'options': {
      const single = objectAt(element, 'initial_option');
      const chosen = single ? [single] : objectsAt(element, 'initial_options');
      return { kind: 'options', values: chosen.map((option) => stringAt(option, 'value') ?? '') };
    }
    case 'ids':
      return { kind: 'ids', ids: initialIds(element, current) };
    case 'moment':
      return { kind: 'moment', value: stringAt(element, 'initial_date') ?? stringAt(element, 'initial_time') ?? null };
    case 'instant':
      return {
        kind: 'instant',
        seconds: typeof element.initial_date_time === 'number' ? element.initial_date_time : null,
      };
    case 'files':
      return { kind: 'files', files: [] };
    case 'press':
    case undefined:
      return undefined;
  }
}

/** Returns the conversation that the menu names, or else the one that the modal was opened from. */
function initialIds(element: JsonObject, current: StoredChannel | undefined): string[] {
  const single = ['initial_user', 'initial_channel', 'initial_conversation'].flatMap(
    (key) => stringAt(element, key) ?? [],
  );
  const several = ['initial_users', 'initial_channels', 'initial_conversations'].flatMap((key) => {
    const ids = element[key];
    return Array.isArray(ids) ? ids.map(String) : [];
  });
  const initial = [...single, ...several];
  if (initial.length > 0 || !current || element.default_to_current_conversation !== true) return initial;
  return isOffered(element, current) ? [current.id] : [];
}

/** A file as apps get it; undefined if there is none of this id. */
export type FindFile = (id: string) => JsonObject | undefined;

/** An element's value in the format of `state.values` and `actions`. */
export function stateValue(element: JsonObject, input: ElementInput, findFile: FindFile): JsonObject {
  const type = String(element.type);
  switch (input.kind) {
    case 'text':
      return { type, value: input.value === '' ? null : input.value };
    case 'options': {
      const chosen = optionsOf(element).filter((option) => input.values.includes(stringAt(option, 'value') ?? ''));
      return takesMany(element) ? { type, selected_options: chosen } : { type, selected_option: chosen[0] ?? null };
    }
    case 'ids':
      return { type, ...selectedIds(element, input.ids) };
    case 'moment':
      if (type === 'datepicker') return { type, selected_date: input.value };
      return compact({ type, selected_time: input.value, timezone: element.timezone });
    case 'instant':
      return { type, selected_date_time: input.seconds };
    // https://github.com/slackapi/bolt-js/pull/1995
    case 'files':
      return { type, files: input.files.flatMap(({ id }) => findFile(id) ?? []) };
    case 'press':
      return { type };
  }
}

function selectedIds(element: JsonObject, ids: string[]): JsonObject {
  const what = String(element.type).replace('multi_', '').replace('s_select', '');
  return takesMany(element) ? { [`selected_${what}s`]: ids } : { [`selected_${what}`]: ids[0] ?? null };
}

/** `state.values` of blocks. https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload */
export function stateValues(blocks: readonly Json[], inputs: ViewInputs, findFile: FindFile): JsonObject {
  const values: { [blockId: string]: JsonObject } = {};
  for (const { block, element } of heldElements(blocks)) {
    const blockId = String(block.block_id);
    const actionId = String(element.action_id);
    const input = inputs[blockId]?.[actionId];
    if (isStateful(element) && input)
      values[blockId] = { ...values[blockId], [actionId]: stateValue(element, input, findFile) };
  }
  return values;
}
