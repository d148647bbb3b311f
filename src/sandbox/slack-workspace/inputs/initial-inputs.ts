import { heldElements } from '../block-kit/interactive.ts';
import { type Json, type JsonObject, objectAt, objectsAt, stringAt } from '../json.ts';
import type { ElementInput, ViewInputs } from '../person-actions.ts';
import { inputKind, isStateful } from './element-kind.ts';

/** An element's initial value. */
function initialInput(element: JsonObject): ElementInput | undefined {
  switch (inputKind(element)) {
    case 'text':
      return { kind: 'text', value: stringAt(element, 'initial_value') ?? '' };
    case 'options': {
      const single = objectAt(element, 'initial_option');
      const chosen = single ? [single] : objectsAt(element, 'initial_options');
      return { kind: 'options', values: chosen.map((option) => stringAt(option, 'value') ?? '') };
    }
    case 'ids':
      return { kind: 'ids', ids: initialIds(element) };
    case 'moment':
      return { kind: 'moment', value: stringAt(element, 'initial_date') ?? stringAt(element, 'initial_time') ?? null };
    case 'instant':
      return {
        kind: 'instant',
        seconds: typeof element.initial_date_time === 'number' ? element.initial_date_time : null,
      };
    case 'press':
    case undefined:
      return undefined;
  }
}

function initialIds(element: JsonObject): string[] {
  const single = ['initial_user', 'initial_channel', 'initial_conversation'].flatMap(
    (key) => stringAt(element, key) ?? [],
  );
  const several = ['initial_users', 'initial_channels', 'initial_conversations'].flatMap((key) => {
    const ids = element[key];
    return Array.isArray(ids) ? ids.map(String) : [];
  });
  return [...single, ...several];
}

/**
 * The values of the elements in `blocks`: kept from `before` where `block_id`, `action_id` and the kind are unchanged,
 * otherwise initial. https://docs.slack.dev/surfaces/modals#updating_views
 */
export function inputsFor(blocks: readonly Json[], before: ViewInputs): ViewInputs {
  const inputs: ViewInputs = {};
  for (const { block, element } of heldElements(blocks)) {
    if (!isStateful(element)) continue;
    const blockId = String(block.block_id);
    const actionId = String(element.action_id);
    const kept = before[blockId]?.[actionId];
    const held = kept?.kind === inputKind(element) ? kept : initialInput(element);
    if (held) inputs[blockId] = { ...inputs[blockId], [actionId]: held };
  }
  return inputs;
}
