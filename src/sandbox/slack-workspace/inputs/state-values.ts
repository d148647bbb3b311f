import { optionsOf } from '../block-kit/composition.ts';
import { heldElements } from '../block-kit/interactive.ts';
import { compact, type Json, type JsonObject, stringAt } from '../json.ts';
import type { ElementInput, ViewInputs } from '../person-actions.ts';
import { isStateful, takesMany } from './element-kind.ts';

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
