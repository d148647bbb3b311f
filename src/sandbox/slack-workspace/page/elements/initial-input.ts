import type { JsonObject } from '../../json.ts';
import type { ElementInput } from '../../person-actions.ts';

/** The initial value of a message's element. */
export function initialInput(element: JsonObject): ElementInput | undefined {
  if (typeof element.initial_value === 'string') return { kind: 'text', value: element.initial_value };
  if (typeof element.initial_date === 'string') return { kind: 'moment', value: element.initial_date };
  if (typeof element.initial_time === 'string') return { kind: 'moment', value: element.initial_time };
  if (typeof element.initial_date_time === 'number') return { kind: 'instant', seconds: element.initial_date_time };
  const options =
    element.initial_options ?? (element.initial_option === undefined ? undefined : [element.initial_option]);
  if (Array.isArray(options)) return { kind: 'options', values: options.map(optionValue) };
  const one = element.initial_user ?? element.initial_channel ?? element.initial_conversation;
  const ids =
    element.initial_users ??
    element.initial_channels ??
    element.initial_conversations ??
    (one === undefined ? undefined : [one]);
  return Array.isArray(ids) ? { kind: 'ids', ids: ids.map(String) } : undefined;
}

function optionValue(option: unknown): string {
  return typeof option === 'object' && option !== null && 'value' in option ? String(option.value) : '';
}
